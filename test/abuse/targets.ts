/**
 * Targets: consumers of hostile bytes. Each returns how the bytes were answered and throws if an
 * answer breaks a law: accepted or refused, both parsers of ingest alike, nothing kept of refused
 * bytes.
 */

import assert from "node:assert/strict"
import { parseDuration, parseInstant, parseQueryInstant } from "../../src/base/iso8601.ts"
import { ServiceError } from "../../src/base/errors.ts"
import { errorStringsMax, fqnCharactersMax } from "../../src/base/limits.ts"
import { UnreadableBody } from "../../src/http/shared/errors.ts"
import { readJson } from "../../src/http/api/json-body.ts"
import { defaultHttpLimits } from "../../src/http/shared/limits.ts"
import type { Charset } from "../../src/ingest/ingest.ts"
import { cleanFqn } from "../../src/model/fqn.ts"
import { FakeStore, queryOf, requestOf } from "../query/fake-store.ts"
import { Reading } from "../ingest/reading.ts"
import { ingestBodies, names, queryBodies, times } from "./corpus.ts"
import type { RandomChoices } from "./random-choices.ts"
import { textOfParts } from "../support/server/answer-text.ts"

/** Taken, refused; or for readers of one value: read, none. */
export type Verdict = "202" | "400" | "413" | "read" | "none"

export interface Target {
  readonly name: string
  readonly corpus: readonly Buffer[]
  /** Of a hundred cases, how many go here. */
  readonly share: number
  give(bytes: Buffer, dice: RandomChoices): Verdict | Promise<Verdict>
}

const charsets: readonly Charset[] = ["none", "none", "none", "utf-8", "utf-16", "iso-8859-1"]
/** Catalogues grow by what is taken; new ones keep comparing cheap. */
const casesPerReading = 400

/** Scanner and slow path, side by side. */
class IngestTarget implements Target {
  readonly name = "ingest"
  readonly corpus = ingestBodies
  readonly share = 80
  private cases = 0
  private warm = new Reading()
  private slow = new Reading({ scanner: false })

  give(bytes: Buffer, dice: RandomChoices): Verdict {
    if (this.cases++ % casesPerReading === 0) this.renew()
    const options = { charset: dice.of(charsets), injectTimestamp: dice.below(8) === 0 }
    const before = this.slow.catalogue.seriesCount
    this.warm.columns.clear()
    this.slow.columns.clear()
    const outcome = this.warm.read(bytes, options)
    assert.deepEqual(outcome, this.slow.read(bytes, options))
    assert.deepEqual(this.warm.samples(), this.slow.samples())
    if (outcome.ok) return "202"
    assert.ok(outcome.errors.length > 0 && outcome.errors.length <= errorStringsMax)
    for (const error of outcome.errors)
      assert.ok(error.length < 2_000 && !/\p{Surrogate}/u.test(error))
    assert.equal(this.slow.columns.count, 0)
    assert.equal(this.slow.catalogue.seriesCount, before)
    return "400"
  }

  /** The scanner has seen each body of the corpus before, so that damage meets what it learnt. */
  private renew(): void {
    assert.deepEqual(this.warm.known(), this.slow.known())
    this.warm = new Reading()
    this.slow = new Reading({ scanner: false })
    for (let sight = 0; sight < 3; sight++) {
      for (const body of this.corpus) assert.deepEqual(this.warm.read(body), this.slow.read(body))
    }
  }
}

/** Errors that the HTTP layer answers with a 400 or a 413; anything else would be a 500. */
export function statusOf(error: unknown): Verdict {
  if (error instanceof UnreadableBody) return "400"
  if (!(error instanceof ServiceError)) throw error
  assert.ok(error.problems.length > 0 && error.problems.length <= errorStringsMax)
  if (error.code === "tooLarge") return "413"
  assert.ok(error.code === "invalid" || error.code === "missing", error.message)
  return "400"
}

function createStore(): FakeStore {
  const store = new FakeStore()
  const server = store.element("srv-1", { type: "SERVER" })
  store.metric(server, "cpu", { values: [1, 2, 3] })
  store.metric(server, "mem", { patch: { unit: "bytes" }, values: [4] })
  return store
}

class QueryTarget implements Target {
  readonly name = "query"
  readonly corpus = queryBodies
  readonly share = 8
  private readonly query = queryOf(createStore())

  async give(bytes: Buffer, dice: RandomChoices): Promise<Verdict> {
    try {
      const request = new Request("http://a/", { method: "POST", body: new Uint8Array(bytes) })
      const body = await readJson(request, defaultHttpLimits)
      const kind = dice.of(["metricQuery", "metricQuery", "statistics"] as const)
      const params = kind === "statistics" ? { metricFqn: "cpu", duration: "PT1H" } : {}
      const plan = await this.query.plan(requestOf(kind, params, body))
      JSON.parse(textOfParts(await this.query.answer(plan, null)))
      return "202"
    } catch (error) {
      return statusOf(error)
    }
  }
}

const parameters = ["startTime", "endTime", "duration", "rollup", "metricFqn", "elementId", "page"]

class ParameterTarget implements Target {
  readonly name = "parameters"
  readonly corpus = times
  readonly share = 4
  private readonly query = queryOf(createStore())

  async give(bytes: Buffer, dice: RandomChoices): Promise<Verdict> {
    const params = { metricFqn: "cpu", [dice.of(parameters)]: bytes.toString("latin1") }
    try {
      const kind = dice.of(["statistics", "fqns", "samples"] as const)
      const more = kind === "samples" ? { elementId: "srv-1", metricId: "cpu" } : {}
      const plan = await this.query.plan(requestOf(kind, { ...more, ...params }))
      await this.query.answer(plan, null)
      return "202"
    } catch (error) {
      return statusOf(error)
    }
  }
}

const instantMsMax = 8.64e15

const timeTarget: Target = {
  name: "times",
  corpus: times,
  share: 4,
  give(bytes) {
    const text = bytes.toString("latin1")
    const found = [parseInstant(text), parseQueryInstant(text), parseDuration(text)]
    for (const ms of found) {
      assert.ok(ms === undefined || (Number.isInteger(ms) && Math.abs(ms) <= instantMsMax))
    }
    return found.some((ms) => ms !== undefined) ? "read" : "none"
  },
}

const nameTarget: Target = {
  name: "names",
  corpus: names,
  share: 4,
  give(bytes) {
    const fqn = cleanFqn(bytes.toString("utf8"))
    assert.match(fqn, /^[a-zA-Z0-9._-]*$/)
    assert.equal(cleanFqn(fqn), fqn)
    return fqn.length > 0 && fqn.length <= fqnCharactersMax ? "read" : "none"
  },
}

export function allTargets(): readonly Target[] {
  return [new IngestTarget(), new QueryTarget(), new ParameterTarget(), timeTarget, nameTarget]
}

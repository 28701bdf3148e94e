/**
 * Imports into a running server: posts bodies of its ingest API, a few at a time. A body counts as
 * stored once it is answered with 202, which means that it is on the server's disk.
 */

import { ServiceError, invalid } from "../../base/errors.ts"
import type { JsonObject } from "../../base/json-value.ts"
import { fieldCount, sampleFields } from "../../model/sample-batch.ts"
import { plainMask, type SampleFields } from "../../ingest/value.ts"
import type { SampleSink } from "./sample-sink.ts"

/** Characters of a body: what bulk senders post (spec/ingest §3). */
const bodyCharacters = 1024 * 1024
/** Bodies without an answer: the server scans one while it syncs another. */
const inFlightMax = 4
/** Pauses double up to this while the server is busy or away. */
const pauseMsMax = 10_000
const firstPauseMs = 250
/** A restart takes seconds, an upgrade a minute; then the import ends, and may be run again. */
const attemptsMax = 30
/** Characters of an answer that an error repeats. */
const shownCharacters = 1000

export interface ServerSinkOptions {
  /** Address of the server, without a slash at its end. */
  readonly url: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
  readonly wait: (ms: number) => Promise<unknown>
  /** Why a server cannot be reached. */
  readonly causeOf: (error: unknown) => string
}

export class ServerSink implements SampleSink {
  private readonly options: ServerSinkOptions
  private readonly series: { readonly element: string; readonly head: string }[] = []
  private text = "["
  /** The element whose list of samples is open in `text`. */
  private element: string | null = null
  private readonly full: string[] = []
  private readonly inFlight = new Set<Promise<void>>()
  private failure: unknown = null

  constructor(options: ServerSinkOptions) {
    this.options = options
  }

  get isFull(): boolean {
    return this.text.length >= bodyCharacters
  }

  declare(post: JsonObject): void {
    const { samples: _samples, ...facts } = post
    this.endElement()
    this.addEntry(JSON.stringify(facts))
  }

  seriesOf(element: string, metric: string): number {
    const head = `{"metricId":${JSON.stringify(metric)},"timestamp":`
    return this.series.push({ element: JSON.stringify(element), head }) - 1
  }

  push(series: number, timeMs: number, { mask, values }: SampleFields): boolean {
    const { element, head } = this.series[series]!
    if (element !== this.element) {
      this.endElement()
      this.addEntry(`{"id":${element},"samples":[`)
      this.element = element
    } else this.text += ","
    this.text += `${head}${timeMs}`
    if (mask === plainMask) this.text += `,"val":${values[0]!}}`
    else this.text += `${fieldsText(mask, values)}}`
    return true
  }

  endRequest(): void {
    this.endElement()
    if (this.text.length > 1) this.full.push(`${this.text}]`)
    this.text = "["
  }

  async drain(): Promise<void> {
    while (this.full.length > 0) {
      while (this.inFlight.size >= inFlightMax) await Promise.race(this.inFlight)
      this.throwFailure()
      this.start(this.full.shift()!)
    }
  }

  async end(): Promise<void> {
    this.endRequest()
    await this.drain()
    await Promise.all(this.inFlight)
    this.throwFailure()
  }

  private endElement(): void {
    if (this.element !== null) this.text += "]}"
    this.element = null
  }

  private addEntry(text: string): void {
    this.text += this.text.length > 1 ? `,${text}` : text
  }

  private throwFailure(): void {
    if (this.failure !== null) throw this.failure
  }

  private start(body: string): void {
    const post = this.post(body)
      .catch((error: unknown) => void (this.failure ??= error))
      .finally(() => this.inFlight.delete(post))
    this.inFlight.add(post)
  }

  /** Resolves when the body is stored. Repeating one that is stored changes nothing. */
  private async post(body: string): Promise<void> {
    const { wait } = this.options
    let problem = ""
    for (let attempt = 0; attempt < attemptsMax && this.failure === null; attempt++) {
      const answer = await this.ask(body)
      if (answer.status === 202) return
      problem = answer.problem
      if (answer.status === 400) throw invalid(`The server refused a request: ${problem}`)
      const isPassing = answer.status === 0 || answer.status === 429 || answer.status >= 500
      if (!isPassing) throw new ServiceError("storage", problem)
      await wait(answer.retryMs ?? Math.min(firstPauseMs * 2 ** attempt, pauseMsMax))
    }
    throw new ServiceError(
      "storage",
      `The import gave up after ${attemptsMax} attempts: ${problem}`,
    )
  }

  private async ask(body: string): Promise<Answer> {
    const { url, apiKey, fetch, causeOf } = this.options
    const headers = { "Content-Type": "application/json" }
    try {
      const response = await fetch(`${url}/ingest/${apiKey}`, { method: "POST", headers, body })
      const text = await response.text()
      const seconds = Number(response.headers.get("Retry-After") ?? NaN)
      return {
        status: response.status,
        problem: `the server answered ${response.status}: ${problemOf(text)}`,
        retryMs: seconds > 0 ? Math.min(seconds * 1000, pauseMsMax) : null,
      }
    } catch (error) {
      return { status: 0, problem: `cannot reach ${url}: ${causeOf(error)}`, retryMs: null }
    }
  }
}

interface Answer {
  /** 0 if there is none. */
  readonly status: number
  readonly problem: string
  readonly retryMs: number | null
}

function fieldsText(mask: number, values: Float64Array): string {
  let text = ""
  for (let f = 0; f < fieldCount; f++) {
    if ((mask >> f) & 1) text += `,"${sampleFields[f]!}":${values[f]!}`
  }
  return text
}

/** Sentences of an error body, or the beginning of any other. */
function problemOf(text: string): string {
  try {
    const { errors } = JSON.parse(text) as { errors?: unknown }
    if (Array.isArray(errors) && errors.length > 0) return errors.slice(0, 3).join("; ")
  } catch {
    // A proxy may have responded in place of the server.
  }
  return text.slice(0, shownCharacters)
}

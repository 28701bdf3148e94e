/** Routes of checks (spec/events §4). */

import { invalid, ServiceError } from "../../../base/errors.ts"
import { checkNameCharactersMax, checksMax } from "../../../base/limits.ts"
import { checkTtlSecondsMax, fqnCharactersMax } from "../../../base/limits.ts"
import { cleanFqn } from "../../../model/fqn.ts"
import type { PostedCheck } from "../../../records/incidents/checks.ts"
import { shown } from "../../../wire/problems.ts"
import { listOf, record } from "../../../wire/answer.ts"
import { checkDocument, checkRecord } from "../../../wire/records/incident-document.ts"
import { readParameter, readUuid } from "../call-parameters.ts"
import { pathParameter, queryParameter, uuidValue } from "../../shared/parameters.ts"
import {
  json,
  noBody,
  noContent,
  ok,
  route,
  type Call,
  type Handler,
  type Operation,
  type Parameter,
  type Route,
} from "../../shared/route.ts"

const section = "Checks"

const post: Handler = async (call, deps) => {
  await deps.records.checks.post(call.tenant, checkIn(call))
  return { status: 202 }
}

const list: Handler = async (call, deps) => {
  const { tenant, nowMs } = call
  const size = countOf(call, "size", { least: 1, most: checksMax, fallback: checksMax })
  const page = countOf(call, "page", { least: 0, most: checksMax, fallback: 0 })
  const elementFqn = readParameter(call, "elementFqn")
  const known = await deps.records.checks.list(tenant)
  const all =
    elementFqn === undefined ? known : known.filter((one) => one.elementFqn === elementFqn)
  const checks = all.slice(page * size, (page + 1) * size)
  const at = { tenantId: deps.accounts.tenantUuid(tenant), nowMs }
  return json({ checks: checks.map((check) => checkDocument(check, at)) })
}

const remove: Handler = async (call, deps) => {
  const wanted = readUuid(call)
  const removed = await deps.records.checkMonitor.remove(call.tenant, ({ id }) => id === wanted)
  if (removed === 0) throw new ServiceError("missing", "Expected the id of a check")
  return noContent
}

/** A whole number of the query. Throws `invalid`. */
function countOf(
  call: Call,
  name: string,
  { least, most, fallback }: { least: number; most: number; fallback: number },
): number {
  const text = readParameter(call, name)
  if (text === undefined) return fallback
  const count = /^\d{1,6}$/.test(text) ? Number(text) : NaN
  if (count >= least && count <= most) return count
  throw invalid(`${name}: expected a whole number from ${least} to ${most}, got ${shown(text)}`)
}

/** Throws `invalid` with everything that is wrong with a path. */
function checkIn({ path }: Call): PostedCheck {
  const problems: string[] = []
  const name = (path["name"] ?? "").trim()
  if (name === "" || name.length > checkNameCharactersMax || name.includes("\0")) {
    const accepted = `1 to ${checkNameCharactersMax} characters`
    problems.push(`name: expected ${accepted}, got ${shown(name)}`)
  }
  const elementFqn = cleanFqn(path["fqn"] ?? "")
  if (elementFqn === "" || elementFqn.length > fqnCharactersMax) {
    const accepted = `1 to ${fqnCharactersMax} of the characters a-z A-Z 0-9 . _ -`
    problems.push(`fqn: expected ${accepted}, got ${shown(path["fqn"])}`)
  }
  const ttl = path["ttl"] ?? ""
  const ttlSeconds = /^\d{1,10}(?:\.\d{1,6})?$/.test(ttl) ? Number(ttl) : 0
  if (ttlSeconds <= 0 || ttlSeconds > checkTtlSecondsMax) {
    problems.push(`ttl: expected seconds, above 0 up to ${checkTtlSecondsMax}, got ${shown(ttl)}`)
  }
  if (problems.length > 0) throw invalid(problems)
  return { name, elementFqn, ttlSeconds }
}

const parameters: readonly Parameter[] = [
  pathParameter("apiId", "An API key"),
  pathParameter("name", "Name of the check", { example: "heartbeat" }),
  pathParameter("fqn", "FQN of its element", { example: "web-1" }),
  pathParameter("ttl", "Seconds after which it expires if it is not posted again", {
    value: { type: "number", exclusiveMinimum: 0, maximum: checkTtlSecondsMax },
    example: "150",
  }),
]

const kindParameter = pathParameter("kind", "The kind of collector, any word", {
  example: "infrastructure",
})

const posting: Operation = {
  summary: "Arm a check: it expires if it is not posted again in time",
  access: "key",
  parameters,
  response: noBody(202, "Stored durably"),
  handle: post,
}

export const checkRoutes: readonly Route[] = [
  route(section, "/check/:apiId/:name/:fqn/:ttl", { POST: posting }),
  route(section, "/check/:kind/:apiId/:name/:fqn/:ttl", {
    POST: { ...posting, parameters: [kindParameter, ...parameters] },
  }),
  route(section, "/checks", {
    GET: {
      summary: "All checks with the time at which each expires",
      access: "reader",
      parameters: [
        queryParameter("elementFqn", "Of this element alone", { example: "web-1" }),
        queryParameter("page", "From 0", { example: "0" }),
        queryParameter("size", `Up to ${checksMax}, the default`),
      ],
      response: ok("`checks`, by element and name", record({ checks: listOf(checkRecord) })),
      handle: list,
    },
  }),
  route(section, "/checks/:id", {
    DELETE: {
      summary: "Delete a check; it is there again when it is posted again",
      access: "writer",
      parameters: [pathParameter("id", "Id of a check", { value: uuidValue })],
      response: noBody(204, "Deleted; its incidents are closed"),
      handle: remove,
    },
  }),
]

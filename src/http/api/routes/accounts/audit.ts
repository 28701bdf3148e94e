/** Routes of the security log, for administrators of the account. */

import { auditPageMax, auditRetentionMs } from "../../../../base/limits/accounts.ts"
import { auditKinds, type AuditKind } from "../../../../model/records/audit.ts"
import { QueryParameters, readInstant } from "../../../../query/query.ts"
import type { AuditQuery } from "../../../../records/core/audit.ts"
import { listOf, orNull, record, text } from "../../../../wire/answer.ts"
import { Problems, shown } from "../../../../wire/problems.ts"
import { auditDocument, auditRecord } from "../../../../wire/records/audit-document.ts"
import {
  wordValue,
  wholeValue,
  timeValue,
  queryParameter,
  repeatedParameter,
} from "../../../shared/parameters.ts"
import {
  json,
  ok,
  route,
  type Call,
  type Handler,
  type Parameter,
  type Route,
} from "../../../shared/route.ts"

const limitDefault = 100

const parameters: readonly Parameter[] = [
  queryParameter("startTime", "Entries since then; all that are kept if absent", {
    value: timeValue,
    example: "2026-11-01",
  }),
  queryParameter("endTime", "Entries before then", { value: timeValue }),
  repeatedParameter("kind", "Kinds of entries; all if absent", {
    value: wordValue(auditKinds),
    example: "loginFailed",
  }),
  queryParameter("limit", "At most as many entries", {
    value: wholeValue(1, auditPageMax, limitDefault),
  }),
  queryParameter("after", "The `next` of the page before"),
]

const list: Handler = async (call, { audit }) => {
  const { entries, next } = await audit.page(call.tenant, readQuestion(call))
  return json({ entries: entries.map(auditDocument), next })
}

function readQuestion({ query, nowMs }: Call): AuditQuery {
  const problems = new Problems()
  const params = new QueryParameters(query, problems)
  const time = (field: string) => readInstant({ field, text: params.one(field) }, problems)
  const after = params.one("after") ?? null
  if (after !== null && !/^\d{16}:[\da-f-]{36}$/.test(after)) {
    problems.add(`after: expected the next of a page, got ${shown(after)}`)
  }
  const question = {
    startMs: time("startTime") ?? nowMs - auditRetentionMs,
    // Includes this request, which is recorded after it began.
    endMs: time("endTime") ?? Number.MAX_SAFE_INTEGER,
    kinds: readKinds(params.many("kind"), problems),
    limit: readLimit(params.one("limit"), problems),
    after,
  }
  problems.throwIfAny()
  return question
}

function readKinds(words: readonly string[], problems: Problems): AuditKind[] | null {
  const kinds = words.flatMap((word) => {
    const kind = auditKinds.find((one) => one.toLowerCase() === word.toLowerCase())
    if (kind !== undefined) return [kind]
    problems.add(`kind: expected one of ${auditKinds.join(", ")}, got ${shown(word)}`)
    return []
  })
  return kinds.length === 0 ? null : kinds
}

function readLimit(given: string | undefined, problems: Problems): number {
  if (given === undefined) return limitDefault
  const limit = /^\d{1,6}$/.test(given) ? Number(given) : 0
  if (limit >= 1 && limit <= auditPageMax) return limit
  problems.add(`limit: expected a whole number, 1 to ${auditPageMax}, got ${shown(given)}`)
  return limitDefault
}

export const auditRoutes: readonly Route[] = [
  route("Users", "/audit", {
    GET: {
      summary: "The security log of the account: logins, refusals, changes, commands",
      access: "administrator",
      parameters,
      response: ok(
        "`entries`, oldest first; `next` is null on the last page",
        record({ entries: listOf(auditRecord), next: orNull(text) }),
        { entries: [], next: null },
      ),
      handle: list,
    },
  }),
]

/** Bulk changes of elements: how many run, and when they end (spec/search §4). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { bulkChangesAtOnce, bulkEditsAtOnce } from "../../src/base/limits/search.ts"
import { ServiceError } from "../../src/base/errors.ts"
import { changeFact } from "../../src/http/api/auditing.ts"
import { changeElements, createBulkLimit } from "../../src/http/api/bulk-edits.ts"
import type { Call, RouteDeps } from "../../src/http/shared/route.ts"
import { readBulkBody } from "../../src/wire/search/bulk-body.ts"
import { answerOfParts } from "../support/server/answer-text.ts"

const path = "/elements/search/elementBulk"
const deletion = { action: "delete", ids: ["any"] }

/** A server with `count` elements that counts its edits. */
function fixture(count: number, whenEdited: (edited: number) => Promise<void> | void = () => {}) {
  const client = new AbortController()
  const call = {
    tenant: 0,
    nowMs: 0,
    requester: { tenant: 0, user: "ada", signal: client.signal },
  } as unknown as Call
  const fqns = Array.from({ length: count }, (_, i) => `e${i}`)
  const told = { edited: 0 }
  const deps = {
    runQuery: async () => answerOfParts([Buffer.from(JSON.stringify({ fqns, unknown: [] }))]),
    amendAll: async (edits: readonly unknown[]) => {
      told.edited += edits.length
      await whenEdited(told.edited)
      return edits.map(() => null)
    },
    bulkLimit: createBulkLimit(),
  } as unknown as RouteDeps
  const change = (body: object = deletion) => changeElements(call, deps, readBulkBody(body))
  return { client, change, told }
}

test("a bulk change ends between two commits when its client has left", async () => {
  const { client, change, told } = fixture(5 * bulkEditsAtOnce, (edited) => {
    if (edited === 2 * bulkEditsAtOnce) client.abort()
  })
  const isCancelled = (error: unknown) =>
    error instanceof ServiceError && error.code === "cancelled"
  await assert.rejects(change(), isCancelled)
  assert.equal(told.edited, 2 * bulkEditsAtOnce)
})

test("the number of bulk changes that run together is limited; counting is free", async () => {
  let finish: () => void = () => {}
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const { change } = fixture(1, () => finished)
  const running = Array.from({ length: bulkChangesAtOnce }, () => change())
  await assert.rejects(change(), /More than \d+ bulk changes/)
  assert.equal((await change({ ...deletion, dryRun: true })).changed, 1)
  finish()
  for (const { changed } of await Promise.all(running)) assert.equal(changed, 1)
  assert.equal((await change()).changed, 1)
})

test("deletions in bulk are in the security log, other bulk changes are not", () => {
  const request = { method: "POST", path, access: "writer", remoteAddress: "192.0.2.1" } as const
  const identity = { tenant: 3, user: "ada@example.org", role: "Power User" } as const
  const of = (body: object) => changeFact(request, { identity, path: {}, body })
  assert.equal(of(deletion)?.detail, `POST ${path}: delete, action, ids`)
  assert.equal(of({ ...deletion, dryRun: true }), null)
  assert.equal(of({ action: "setTags", ids: ["any"], tags: [] }), null)
})

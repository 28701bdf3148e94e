/** When API keys were used last: in memory first, stored later (spec/accounts §7). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { KeyUses } from "../../src/accounts/key-uses.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { DocumentsInMemory } from "./documents-in-memory.ts"

test("uses that could not be stored are stored by the next call", async () => {
  const [documents, clock] = [new DocumentsInMemory(), new TestClock(5_000)]
  const uses = new KeyUses({ documents, clock })
  uses.note("a")
  uses.note("b", 4_000)
  const { putAll } = documents
  documents.putAll = () => Promise.reject(new Error("The disk is full"))
  await assert.rejects(() => uses.store(), /disk is full/)
  documents.putAll = putAll
  await uses.store()
  const later = new KeyUses({ documents, clock })
  await later.load((id) => id !== "b")
  assert.deepEqual([later.lastUsedMs("a"), later.lastUsedMs("b")], [5_000, null])
})

test("only keys that were used since are stored", async () => {
  const [documents, clock] = [new DocumentsInMemory(), new TestClock(5_000)]
  const uses = new KeyUses({ documents, clock })
  uses.note("a")
  uses.note("b")
  await uses.store()
  const stored: string[] = []
  const { putAll } = documents
  documents.putAll = (changes) => {
    stored.push(...changes.map(({ id }) => id))
    return putAll.call(documents, changes)
  }
  uses.note("b", 6_000)
  await uses.store()
  await uses.store()
  assert.deepEqual(stored, ["b"])
  assert.equal(uses.lastUsedMs("b"), 6_000)
})

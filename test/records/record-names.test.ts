/** Names of records that searches keep: never older than the last change, and bounded. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { RecordNames } from "../../src/records/core/record-names.ts"
import { WatchedDocuments } from "../../src/records/core/watched-documents.ts"
import { DocumentsInMemory } from "../accounts/documents-in-memory.ts"

function fixture(entriesMax?: number) {
  const stored = new DocumentsInMemory()
  const documents = new WatchedDocuments(stored)
  const names = new RecordNames<string>(entriesMax)
  documents.onChange((kind) => names.invalidate(kind))
  let reads = 0
  const of = (kind: string) =>
    names.of(kind, async () => {
      reads++
      const all = await documents.list(kind)
      return all.map(({ id }) => id)
    })
  return { stored, documents, names, of, reads: () => reads }
}

test("after any changes a list is that of the store, read once until the next", async () => {
  const step = fc.record({
    kind: fc.constantFrom("view:0", "view:1", "policy:0"),
    id: fc.constantFrom("a", "b", "c"),
    isPut: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { documents, of, reads } = fixture()
      for (const { kind, id, isPut } of steps) {
        // A read that begins before a change does not hide it.
        const early = of(kind)
        await documents.putAll([{ kind, id, document: isPut ? {} : null }])
        await early
        const want = (await documents.list(kind)).map((one) => one.id)
        assert.deepEqual(await of(kind), want)
        const before = reads()
        assert.deepEqual(await of(kind), want)
        assert.equal(reads(), before)
      }
    }),
    { numRuns: 100 },
  )
})

test("a change of unknown outcome drops the list, and a failed read is not kept", async () => {
  const { stored, documents, names, of, reads } = fixture()
  await of("view:0")
  stored.putAll = async () => {
    throw new Error("the disk is gone")
  }
  await assert.rejects(documents.putAll([{ kind: "view:0", id: "a", document: {} }]), /gone/)
  await of("view:0")
  assert.equal(reads(), 2)
  await assert.rejects(
    names.of("policy:0", () => Promise.reject(new Error("no"))),
    /no/,
  )
  assert.deepEqual(await names.of("policy:0", async () => ["x"]), ["x"])
})

test("lists that are used stay, others go when there are too many entries", async () => {
  const names = new RecordNames<number>(10)
  let reads = 0
  const of = (kind: string) =>
    names.of(kind, async () => {
      reads++
      return [1, 2, 3, 4]
    })
  await of("a")
  await of("b")
  await of("a")
  await of("c")
  assert.equal(names.size, 8)
  reads = 0
  await of("a")
  await of("c")
  assert.equal(reads, 0)
  await of("b")
  assert.equal(reads, 1)
  await names.of("large", async () => Array.from({ length: 11 }, () => 0))
  assert.ok(names.size <= 10)
})

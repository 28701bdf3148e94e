import assert from "node:assert/strict"
import { test } from "node:test"
import { ServiceError } from "../../src/base/errors.ts"
import { RecordCollection } from "../../src/records/core/record-collection.ts"
import { createRecordMutex } from "../../src/records/core/record-mutex.ts"
import { recordsDeps } from "./test-deps.ts"

interface Note {
  readonly text: string
  readonly count: number
}

function notes(ids: "uuid" | "number" = "uuid", countMax = 5) {
  const deps = recordsDeps()
  const options = { kind: "note", noun: "note", ids, countMax, bytesMax: 200 }
  return { ...deps, collection: new RecordCollection<Note>(options, deps), options, deps }
}

const note: Note = { text: "a", count: 0 }
const isMissing = (error: unknown) => error instanceof ServiceError && error.code === "missing"
const isInvalid = (error: unknown) => error instanceof ServiceError && error.code === "invalid"

test("a record is found under its id by its tenant only", async () => {
  const { collection } = notes()
  const { id } = await collection.create(0, note)
  assert.deepEqual((await collection.get(0, id)).body, note)
  assert.equal(await collection.find(1, id), undefined)
  assert.deepEqual(await collection.list(1), [])
  await assert.rejects(
    collection.change(1, id, () => note),
    isMissing,
  )
  await assert.rejects(collection.remove(1, id), isMissing)
  assert.equal((await collection.list(0)).length, 1)
})

test("no id reaches records of another kind", async () => {
  const { collection, documents } = notes()
  await documents.put("secret", "x", { body: "no" })
  for (const id of ["", "\0", "../x", "a\0b", "x".repeat(2_000)]) {
    assert.equal(await collection.find(0, id), undefined)
    await assert.rejects(collection.get(0, id), isMissing)
  }
})

test("no concurrent change is lost", async () => {
  const { collection } = notes()
  const { id } = await collection.create(0, note)
  const more = () =>
    collection.change(0, id, async ({ body }) => {
      await new Promise(setImmediate)
      return { ...body, count: body.count + 1 }
    })
  await Promise.all(Array.from({ length: 20 }, more))
  assert.equal((await collection.get(0, id)).body.count, 20)
})

test("a change that throws stores nothing, and the next one runs", async () => {
  const { collection, clock } = notes()
  const { id, createdMs } = await collection.create(0, note)
  const failing = collection.change(0, id, () => {
    throw new Error("no")
  })
  await assert.rejects(failing, /no/)
  assert.deepEqual((await collection.get(0, id)).body, note)
  clock.advance(1_000)
  const stored = await collection.change(0, id, ({ body }) => ({ ...body, text: "b" }))
  assert.deepEqual([stored.createdMs, stored.updatedMs], [createdMs, createdMs + 1_000])
})

test("numbers increase, also for concurrent creations, and none is assigned twice", async () => {
  const { collection, options, deps } = notes("number", 100)
  const made = await Promise.all(Array.from({ length: 12 }, () => collection.create(0, note)))
  assert.deepEqual(
    made.map(({ id }) => Number(id)),
    Array.from({ length: 12 }, (_, i) => i + 1),
  )
  await collection.remove(0, "12")
  const restarted = new RecordCollection<Note>(options, deps)
  assert.equal((await restarted.create(1, note)).id, "13")
  assert.deepEqual(
    (await restarted.list(0)).map(({ id }) => Number(id)),
    Array.from({ length: 11 }, (_, i) => i + 1),
  )
})

test("numbers begin above those assigned elsewhere", async () => {
  const { options, deps } = notes("number")
  const reservedIdMax = async () => 7
  const collection = new RecordCollection<Note>({ ...options, reservedIdMax }, deps)
  assert.equal((await collection.create(0, note)).id, "8")
  assert.equal((await collection.create(0, note)).id, "9")
})

test("records of a tenant are limited in number and size; all or none are created", async () => {
  const { collection } = notes("uuid", 3)
  const large = { text: "x".repeat(300), count: 0 }
  await assert.rejects(collection.createAll(0, [note, large]), isInvalid)
  assert.deepEqual(await collection.list(0), [])
  const [first] = await collection.createAll(0, [note, note])
  await assert.rejects(collection.createAll(0, [note, note]), isInvalid)
  await collection.create(0, note)
  await assert.rejects(collection.create(0, note), isInvalid)
  await assert.rejects(collection.put(0, "own", note), isInvalid)
  await collection.remove(0, first!.id)
  await collection.create(0, note)
  await collection.create(1, note)
})

test("a record stored under a chosen id keeps the time of its creation", async () => {
  const { collection, clock } = notes()
  const { createdMs } = await collection.put(0, "own", note)
  clock.advance(5)
  const again = await collection.put(0, "own", { ...note, count: 2 })
  assert.deepEqual([again.createdMs, again.updatedMs], [createdMs, createdMs + 5])
  assert.equal((await collection.get(0, "own")).body.count, 2)
})

test("related changes are stored with a record", async () => {
  const { collection, documents } = notes()
  const mark = (document: unknown) => () => [{ kind: "mark", id: "m", document }]
  const { id } = await collection.create(0, note, mark(1))
  assert.equal(await documents.get("mark", "m"), 1)
  await collection.change(0, id, () => note, mark(2))
  assert.equal(await documents.get("mark", "m"), 2)
  await collection.remove(0, id, mark(null))
  assert.equal(await documents.get("mark", "m"), undefined)
})

test("a thousand changes of one record may wait, and one more is refused", async () => {
  const mutex = createRecordMutex()
  let open = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const all = Array.from({ length: 1_001 }, () => mutex.run("a", () => gate))
  await assert.rejects(
    mutex.run("a", async () => {}),
    (error: ServiceError) => error.code === "overloaded",
  )
  open()
  await Promise.all(all)
})

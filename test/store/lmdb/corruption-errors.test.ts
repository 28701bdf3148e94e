import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { ServiceError } from "../../../src/base/errors.ts"
import { dayMs, hourMs, resolutions, type Resolution } from "../../../src/model/resolution.ts"
import { openReadStore, verifyStore } from "../../../src/store/open.ts"
import { openEarlierTable, type Tables } from "../../../src/store/lmdb/disk/tables.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import {
  folderOf,
  moveToInbox,
  openWriter,
  reading,
  tampering,
  writing,
  type Warning,
} from "../../support/store/lmdb-folder.ts"
import { append, noonMs, plain, seriesName, steadyRequests } from "../../support/ingest/samples.ts"

const span = { startMs: noonMs - hourMs, endMs: noonMs + hourMs }
const of = [seriesName("a", "cpu"), seriesName("b", "cpu")]
/** Tables that compaction empties, and tables that it fills. */
const recentTables = ["recentRaw", "recentCells"] as const
const compactedTables = ["raw", "cells", "hours", "days"] as const
type DataTable = (typeof recentTables)[number] | (typeof compactedTables)[number]

/** Two hours of two series, flushed or compacted. */
async function filled(t: TestContext, state: "flushed" | "compacted"): Promise<string> {
  const folder = folderOf(t)
  await writing(folder, (writer) => {
    const plan = { of, fromMs: span.startMs, toMs: span.endMs, stepMs: 60_000 }
    append(writer, ...steadyRequests(plan))
    const nowMs = state === "flushed" ? span.endMs + hourMs : noonMs + 3 * dayMs
    for (let round = 0; round < 3; round++) maintainFully(writer, nowMs)
    assert.equal(writer.unflushedSampleCount, 0)
  })
  return folder
}

/** Flips one bit in the middle of every value of a table; returns the number of values. */
function flip(tables: Tables, name: DataTable | "elements" | "names" | "definitions"): number {
  const entries = [...tables[name].getRange({})].map(({ key, value }) => {
    return { key: Buffer.from(key), value: Buffer.from(value) }
  })
  for (const { key, value } of entries) {
    value[value.length >> 1]! ^= 1
    tables[name].put(key, value)
  }
  return entries.length
}

/** Every answer about both series at a resolution, or the error in its place. */
function answers(folder: string, resolution: Resolution): Promise<unknown[]> {
  return reading(folder, (reader) => {
    const series = Int32Array.of(0, 1)
    const question = { series, span, resolution, withValues: true, exact: true }
    const ask = (work: () => unknown): unknown => {
      try {
        return work()
      } catch (error) {
        return error
      }
    }
    return [
      ask(() => reader.samples(Int32Array.of(0), { span, resolution }, null)[0]!),
      ask(() => reader.samples(Int32Array.of(1), { span, resolution }, null)[0]!),
      ask(() => reader.statistics(question, null)),
      ask(() => reader.statistics({ ...question, exact: false, withValues: false }, null)),
    ]
  })
}

for (const state of ["flushed", "compacted"] as const) {
  for (const table of state === "flushed" ? recentTables : compactedTables) {
    test(`damage of ${table} is told as storage, or leaves the answers as they were`, async (t) => {
      const folder = await filled(t, state)
      const before = new Map<Resolution, unknown[]>()
      for (const each of resolutions) before.set(each, await answers(folder, each))
      const many = await tampering(folder, (tables) => flip(tables, table))
      assert.ok(many > 0, `Expected ${state} samples to fill ${table}`)

      let told = 0
      for (const each of resolutions) {
        for (const [i, answer] of (await answers(folder, each)).entries()) {
          if (answer instanceof ServiceError) {
            assert.equal(answer.code, "storage")
            assert.match(answer.message, /^The store is damaged: .*checksum/)
            told++
          } else assert.deepEqual(answer, before.get(each)![i], `${each}, answer ${i}`)
        }
      }
      assert.ok(told > 0, "Expected at least one answer to need what was damaged")
      const { problems } = await verifyStore(folder)
      assert.match(problems.join("\n"), /checksum|differ/)
    })
  }
}

for (const table of ["elements", "names", "definitions"] as const) {
  test(`damage of the catalogue's ${table} is told by opening, and by verify`, async (t) => {
    const folder = await filled(t, "flushed")
    assert.ok((await tampering(folder, (tables) => flip(tables, table))) > 0)
    const isStorage = (error: unknown) => error instanceof ServiceError && error.code === "storage"
    assert.throws(() => openReadStore({ folder }), isStorage)
    assert.throws(() => openWriter(folder), isStorage)
    const { problems } = await verifyStore(folder)
    assert.match(problems.join("\n"), new RegExp(`^${table}: .*checksum`))
  })
}

test("a damaged batch of an earlier format is cut and reported, others are kept", async (t) => {
  const folder = folderOf(t)
  const first = openWriter(folder)
  for (let i = 0; i < 3; i++) {
    const strange = plain(noonMs, 0, seriesName("host-1", `metric-${i}`))
    append(first, [plain(noonMs + i * 1000, i), strange])
  }
  await first.close()
  await moveToInbox(folder)
  await tampering(folder, (tables) => {
    const inbox = openEarlierTable(tables)!
    const [, second] = [...inbox.getRange()]
    const bytes = Buffer.from(second!.value)
    bytes[bytes.length - 1]! ^= 1
    inbox.put(Buffer.from(second!.key), bytes)
  })
  const warnings: Warning[] = []
  const left = (writer: ReturnType<typeof openWriter>) => [
    ...writer.unflushedSamples(Int32Array.of(0), span).values,
  ]
  await writing(folder, (writer) => assert.deepEqual(left(writer), [0, 2]), warnings)
  assert.equal(warnings.length, 1)
  assert.equal(warnings[0]!.message, "batch of an earlier format was damaged and left out")
  assert.match(JSON.stringify(warnings[0]!.fields), /"sequence":2,.*checksum differs/)

  await writing(
    folder,
    (writer) => {
      assert.deepEqual(left(writer), [0, 2])
      append(writer, [plain(noonMs + 5000, 5)])
    },
    warnings,
  )
  assert.equal(warnings.length, 1, "Expected the damaged frame to be gone")
  await writing(folder, (writer) => assert.deepEqual(left(writer), [0, 2, 5]), warnings)
})

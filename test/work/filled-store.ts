/** A store for counting work: two compacted days, and one that is not. */

import type { TestContext } from "node:test"
import { dayMs, hourMs } from "../../src/model/resolution.ts"
import { openReadStore } from "../../src/store/open.ts"
import type { ReadStore, WriteStore } from "../../src/store/store.ts"
import { maintainFully } from "../contract/store-driver.ts"
import {
  append,
  seriesName,
  startOfDayMs,
  steadyRequests,
  upsertSeries,
} from "../support/ingest/samples.ts"
import { folderOf, writing } from "../support/store/lmdb-folder.ts"

const minuteMs = 60_000
const elements = 20
/** Begin of the day that is not compacted. */
export const todayMs = startOfDayMs
const firstDayMs = todayMs - 2 * dayMs
/** End of all samples. */
export const endMs = todayMs + 2 * hourMs

/** Minutes between two samples. Of a cycle "often" has five, "rare" one, "gaps" one or none. */
const everyMinutes = { often: 1, rare: 5, gaps: 7, counter: 1 } as const
export type Metric = keyof typeof everyMinutes

/** A reader of the store, closed and removed when the test ends. */
export async function openFilledStore(t: TestContext): Promise<ReadStore> {
  const folder = folderOf(t)
  await writing(folder, (writer) => {
    for (const { work } of fillSteps) work(writer)
  })
  const reader = openReadStore({ folder })
  t.after(() => reader.close())
  return reader
}

/** How the store is filled, in order. */
export const fillSteps: readonly { readonly name: string; work(writer: WriteStore): void }[] = [
  { name: "names", work: (writer) => declareCounters(writer) },
  { name: "two days, appended", work: (writer) => appendSpan(writer, firstDayMs, todayMs) },
  {
    name: "two days, flushed and compacted",
    work: (writer) => maintainFully(writer, todayMs + hourMs),
  },
  { name: "two hours, appended", work: (writer) => appendSpan(writer, todayMs, endMs) },
  { name: "two hours, flushed", work: (writer) => maintainFully(writer, endMs + hourMs) },
]

function declareCounters({ catalogue }: WriteStore): void {
  for (let i = 0; i < elements; i++) {
    upsertSeries(catalogue, seriesName(`host-${i}`, "counter"), { type: "COUNTER" })
  }
}

function appendSpan(writer: WriteStore, fromMs: number, toMs: number): void {
  for (const [metric, minutes] of Object.entries(everyMinutes)) {
    const of = Array.from({ length: elements }, (_, i) => seriesName(`host-${i}`, metric))
    append(writer, ...steadyRequests({ of, fromMs, toMs, stepMs: minutes * minuteMs }))
  }
}

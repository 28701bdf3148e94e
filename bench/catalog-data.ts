/**
 * A catalogue as a mixed estate has it: elements of ten types, 50 metrics each, of which half have
 * names that all types share; and one sample a metric, so that queries with dates find data.
 */

import { SampleBatchBuilder } from "../src/model/sample-batch.ts"
import { openWriteStore } from "../src/store/open.ts"
import type { WriteStore } from "../src/store/store.ts"

export type CatalogSize = "small" | "canonical"
export const metricsPerElement = 50
export const sizes: Readonly<Record<CatalogSize, { readonly elements: number }>> = {
  small: { elements: 200 },
  canonical: { elements: 20_000 },
}

const types = 10
const units = ["percent", "bytes", "ms", "", "ops"]
const dayMs = 86_400_000
/** Elements of one append: about what one group commit of new series brings. */
const elementsPerAppend = 1_000
const sampleAgeMs = 900_000

export function tenantUuid(): string {
  return "3f2a1c5e-8d4b-4a6f-9c7e-1b2d3e4f5a6b"
}

/** Fills a new store in `folder` and flushes it. */
export function fillStore(
  folder: string,
  { elements, nowMs }: { readonly elements: number; readonly nowMs: number },
): void {
  const store = openWriteStore({
    folder,
    retentionMs: { ZERO: 15 * dayMs, PT5M: 90 * dayMs, PT1H: 395 * dayMs, PT24H: 1825 * dayMs },
    cycleGraceMs: 60_000,
    elapsedMs: () => performance.now(),
    warn: () => {},
  })
  for (let from = 0; from < elements; from += elementsPerAppend) {
    appendElements(store, { from, to: Math.min(from + elementsPerAppend, elements), nowMs })
  }
  const moment = { nowMs, budgetMs: 1_000, idle: true }
  while (store.maintain(moment).moreDue) continue
  void store.close()
}

function appendElements(
  store: WriteStore,
  { from, to, nowMs }: { readonly from: number; readonly to: number; readonly nowMs: number },
): void {
  const columns = new SampleBatchBuilder()
  columns.startRequest()
  for (let index = from; index < to; index++) {
    const element = addElement(store, index, nowMs)
    for (let m = 0; m < metricsPerElement; m++) {
      const owner = m % 2 === 0 ? `type-${index % types}` : "shared"
      const series = store.catalogue.upsertSeries(element, `${owner}.group-${m % 3}.metric-${m}`, {
        unit: units[m % units.length]!,
      })
      columns.push(series, nowMs - sampleAgeMs, m)
    }
  }
  store.append({ columns })
}

function addElement(store: WriteStore, index: number, nowMs: number): number {
  return store.catalogue.upsertElement(0, `host-${index}`, {
    name: `Host ${index} of the estate`,
    type: `type-${index % types}`,
    tags: [
      { name: "env", value: index % 4 === 0 ? "prod" : "test" },
      { name: "team", value: `team-${index % 37}` },
    ],
    attributes: [{ name: "cpus", value: String(1 << (index % 6)) }],
    nowMs,
  })
}

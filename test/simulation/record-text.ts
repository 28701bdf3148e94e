/** Records as texts, to be compared. */

import type { SampleRecord } from "../../src/store/query-store.ts"

/** A share without a pattern: a tenth of the last digit would lift 55.5444… onto a tie. */
const withinTies = 1 + 2.718e-13
/** Twelve digits: an average of averages may be added up in another order. */
const rounded = (value: number): number => Number((value * withinTies).toPrecision(12))

export function recordText({ timeMs, fields }: SampleRecord): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined)
  const texts = shown.map(([field, value]) => `${field}=${rounded(value)}`)
  return `${new Date(timeMs).toISOString()} ${texts.sort().join(" ")}`
}

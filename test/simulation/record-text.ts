/** Records as texts, to be compared. */

import type { SampleRecord } from "../../src/store/store.ts"

/** Twelve digits, beside the ties: an average of averages may be added up in another order. */
const rounded = (value: number): number => Number((value * (1 + 1e-13)).toPrecision(12))

export function recordText({ timeMs, fields }: SampleRecord): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined)
  const texts = shown.map(([field, value]) => `${field}=${rounded(value)}`)
  return `${new Date(timeMs).toISOString()} ${texts.sort().join(" ")}`
}

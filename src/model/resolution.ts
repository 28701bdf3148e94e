/** Resolutions of stored values; called `rollup` in the API. ZERO means the raw samples. */

export const resolutions = ["ZERO", "PT5M", "PT1H", "PT24H"] as const
export type Resolution = (typeof resolutions)[number]

/** Resolutions with buckets. */
export type BucketResolution = Exclude<Resolution, "ZERO">

export const cycleMs = 300_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000
/** PT5M buckets of a day. */
export const cyclesPerDay = dayMs / cycleMs

/**
 * Width of one bucket in milliseconds. Buckets are aligned to the Unix epoch, UTC (spec/time §1).
 */
export const bucketWidthMs: Readonly<Record<BucketResolution, number>> = {
  PT5M: cycleMs,
  PT1H: hourMs,
  PT24H: dayMs,
}

export function isResolution(text: string): text is Resolution {
  return (resolutions as readonly string[]).includes(text)
}

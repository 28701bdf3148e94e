/** Detects epoch numbers in a unit other than the expected milliseconds. */

/** Plausible instants in milliseconds: 2001-09-09 to 2286-11-20, 13 digits. */
const plausibleFromMs = 1e12
const plausibleToMs = 1e13

const units = [
  { name: "seconds", factor: 1_000, remedy: "multiply it by 1000" },
  { name: "microseconds", factor: 1 / 1_000, remedy: "divide it by 1000" },
  { name: "nanoseconds", factor: 1 / 1_000_000, remedy: "divide it by 1000000" },
] as const

/** True for milliseconds that are a plausible instant. */
export function isEpochMs(value: number): boolean {
  return value >= plausibleFromMs && value < plausibleToMs
}

/**
 * Returns the problem of an epoch number that is a plausible instant in seconds, microseconds or
 * nanoseconds and not in milliseconds; null for any other number. Seconds of today, read as
 * milliseconds, are a day of January 1970.
 */
export function epochUnitProblem(value: number): string | null {
  const unit = units.find(({ factor }) => isEpochMs(value * factor))
  if (unit === undefined) return null
  return `it seems to be in epoch ${unit.name}: ${unit.remedy}`
}

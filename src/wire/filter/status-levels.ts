/** Levels of an element's status (spec/search §3): each is known by its index here, too. */

export const statusLevels = ["ok", "info", "warning", "critical", "noData", "maintenance"] as const
export type StatusLevel = (typeof statusLevels)[number]

export function isStatusLevel(text: string): text is StatusLevel {
  return statusLevels.some((level) => level === text)
}

/** The number of a level, as columns have it. */
export function levelNumber(level: StatusLevel): number {
  return statusLevels.indexOf(level)
}

/** From the best to the worst: an order by level descends to what is worst. */
const byUrgency: readonly StatusLevel[] = [
  "ok",
  "maintenance",
  "noData",
  "info",
  "warning",
  "critical",
]

/** Rank of a level, by its number: 0 is the best. */
export function levelRank(number: number): number {
  return byUrgency.indexOf(statusLevels[number]!)
}

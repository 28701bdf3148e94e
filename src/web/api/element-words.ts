/** Words of requests about elements. */

/** Levels by their numbers in answers (spec/search §3). */
export const levels = ["ok", "info", "warning", "critical", "noData", "maintenance"] as const
export type Level = (typeof levels)[number]

/** From the worst level to the best: wrong, out of the ordinary, right. */
export const levelsFromWorst: readonly Level[] = [
  "critical",
  "warning",
  "info",
  "noData",
  "maintenance",
  "ok",
]

/** Type of the element that is the server itself, which watches itself. */
export const ownType = "TIDEGAUGE"

/** Fields by which elements are sorted. */
export const elementSortFields = ["name", "fqn", "type", "location", "level"] as const
export type ElementSortField = (typeof elementSortFields)[number]

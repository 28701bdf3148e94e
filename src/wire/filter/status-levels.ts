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

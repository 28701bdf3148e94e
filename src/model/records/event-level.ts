/** Severity levels of events. */

export const eventLevels = ["INFO", "WARNING", "CRITICAL"] as const
export type EventLevel = (typeof eventLevels)[number]

/** Numbers of the levels in policy actions and records, by position in `eventLevels`. */
export const levelNumbers = [1, 2, 3] as const
export type LevelNumber = (typeof levelNumbers)[number]

/** Spellings of levels that event handlers send, in upper case; other words are no level. */
const levelByWord: Readonly<Record<string, EventLevel>> = {
  __proto__: null as never,
  INFO: "INFO",
  WARN: "WARNING",
  WARNING: "WARNING",
  CRIT: "CRITICAL",
  CRITICAL: "CRITICAL",
}

/** The level of an event: from its data, otherwise from its type, otherwise INFO. */
export function levelOf(dataLevel: string | null, type: string): EventLevel {
  return parseEventLevel(dataLevel ?? "") ?? parseEventLevel(type) ?? "INFO"
}

/** Parses a level in either case; undefined for a word such as OK or DOWN. */
export function parseEventLevel(word: string): EventLevel | undefined {
  return levelByWord[word.trim().toUpperCase()]
}

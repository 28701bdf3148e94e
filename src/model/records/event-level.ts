/** How bad an event is. */

export const eventLevels = ["INFO", "WARNING", "CRITICAL"] as const
export type EventLevel = (typeof eventLevels)[number]

/** What a policy's action and a record call the levels, by their place in `eventLevels`. */
export const levelNumbers = [1, 2, 3] as const
export type LevelNumber = (typeof levelNumbers)[number]

/** Spellings of levels that event handlers send, in upper case; others have no meaning of their own. */
const levelByWord: Readonly<Record<string, EventLevel>> = {
  __proto__: null as never,
  INFO: "INFO",
  WARN: "WARNING",
  WARNING: "WARNING",
  CRIT: "CRITICAL",
  CRITICAL: "CRITICAL",
}

/** The level of an event: what its data say, else what its type says, else INFO. */
export function levelOf(dataLevel: string | null, type: string): EventLevel {
  return parseEventLevel(dataLevel ?? "") ?? parseEventLevel(type) ?? "INFO"
}

/** The level that a word names, in either case; undefined for one like OK or DOWN. */
export function parseEventLevel(word: string): EventLevel | undefined {
  return levelByWord[word.trim().toUpperCase()]
}

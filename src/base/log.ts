/** Logging as an argument. `log-pino.ts` beside the roots is the implementation that writes. */

/** Most talkative first; a level shows itself and everything after it. */
export const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const
export type LogLevel = (typeof logLevels)[number]

/** What a line is about, by name: `{ tenant, samples, durationMs }`. An error goes under `err`. */
export type LogFields = Readonly<Record<string, unknown>>

/**
 * One event, one line: what happened as a short constant sentence, everything variable in fields.
 */
export interface Logger {
  debug(fields: LogFields, message: string): void
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
  /** A logger that adds `fields` to each of its lines. */
  child(fields: LogFields): Logger
}

export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
}

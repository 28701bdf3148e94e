/** The logger of the process: pino, as JSON lines or as one readable line an event. */

import { pino } from "pino"
import { LogCell, type LogFields, type Logger, type LogSettings } from "../base/log.ts"
import { LineLimiter, type LineLimiterOptions } from "./line-limiter.ts"
import { withoutSecrets } from "./log-redaction.ts"

export interface PinoLoggerOptions {
  /** A cell may change them later. */
  readonly settings: LogSettings | LogCell
  /** Receives lines, each with its line feed; standard error if absent. */
  readonly destination?: { write(line: string): void }
  /** By which equal lines are counted; those of the process if absent. */
  readonly times?: LineLimiterOptions
}

/**
 * Creates the logger. Secrets are replaced as log-redaction.ts says, equal warnings and errors are
 * counted as line-limiter.ts does.
 */
export function createPinoLogger(options: PinoLoggerOptions): Logger {
  // Synchronous, so that the last line before a crash is not lost; there are few lines.
  const destination = options.destination ?? standardError()
  const { settings, times = processTimes } = options
  const cell = settings instanceof LogCell ? settings : new LogCell(settings)
  const logger = pino(
    {
      // The cell decides.
      level: "trace",
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      // Errors are fields already.
      serializers: { err: (err: unknown) => err },
    },
    {
      write: (line) => destination.write(cell.format === "text" ? textLine(line) : line),
    },
  )
  return adapt(logger, cell, new LineLimiter(times))
}

/** A line that cannot be written, since a terminal or pipe was closed, is lost. */
function standardError(): { write(line: string): void } {
  const destination = pino.destination({ fd: 2, sync: true })
  destination.on("error", () => {})
  return { write: (line) => void destination.write(line) }
}

const processTimes: LineLimiterOptions = {
  elapsedMs: () => performance.now(),
  // A count that waits does not keep the process alive.
  delay: (callback, ms) => {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

function adapt(logger: pino.Logger, cell: LogCell, limiter: LineLimiter): Logger {
  const at =
    (level: "debug" | "info") =>
    (fields: LogFields, message: string): void => {
      if (cell.shows(level)) logger[level](withoutSecrets(fields), message)
    }
  const bounded =
    (level: "warn" | "error") =>
    (fields: LogFields, message: string): void => {
      if (!cell.shows(level)) return
      const shown = withoutSecrets(fields)
      const writeCount = (repeated: number): void => logger[level]({ repeated }, message)
      if (limiter.admits(`${level} ${message}`, subjectOf(shown), writeCount)) {
        logger[level](shown, message)
      }
    }
  return {
    debug: at("debug"),
    info: at("info"),
    warn: bounded("warn"),
    error: bounded("error"),
    child: (fields) => adapt(logger.child(withoutSecrets(fields)), cell, limiter),
  }
}

/** The text of a line's fields without the request, which differs for equal failures. */
function subjectOf(fields: LogFields): string {
  return JSON.stringify({ ...fields, requestId: undefined })
}

/** `2023-11-14T22:13:20.123Z info  listening port=8080`, an error's stack on the lines after it. */
function textLine(json: string): string {
  const { time, level, msg, err, ...fields } = JSON.parse(json) as Record<string, unknown>
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${textValue(value)}`)
  const stack = err === undefined ? "" : `\n  ${errorText(err).replaceAll("\n", "\n  ")}`
  return `${String(time)} ${String(level).padEnd(5)} ${String(msg)}${pairs.join("")}${stack}\n`
}

function textValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(value)
}

function errorText(err: unknown): string {
  const { stack, message } = (err ?? {}) as { stack?: string; message?: string }
  return stack ?? message ?? JSON.stringify(err)
}

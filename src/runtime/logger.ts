/** The logger of the process: pino, as JSON lines or as one readable line an event. */

import { pino } from "pino"
import { LogLevelCell, type LogFields, type Logger, type LogLevel } from "../base/log.ts"

export interface PinoLoggerOptions {
  /** A cell may change it later. */
  readonly level: LogLevel | LogLevelCell
  readonly format: "json" | "text"
  /** Receives lines, each with its line feed; standard error if absent. */
  readonly destination?: { write(line: string): void }
}

/** Creates the logger. Fields that are named like secrets are replaced at any depth. */
export function createPinoLogger(options: PinoLoggerOptions): Logger {
  // Synchronous, so that the last line before a crash is not lost; there are few lines.
  const destination = options.destination ?? pino.destination({ fd: 2, sync: true })
  const settings = {
    // The cell decides.
    level: "trace",
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const { level } = options
  const cell = typeof level === "string" ? new LogLevelCell(level) : level
  if (options.format === "json") return adapt(pino(settings, destination), cell)
  return adapt(pino(settings, { write: (line) => destination.write(textLine(line)) }), cell)
}

function adapt(logger: pino.Logger, cell: LogLevelCell): Logger {
  const at =
    (level: "debug" | "info" | "warn" | "error") =>
    (fields: LogFields, message: string): void => {
      if (cell.shows(level)) logger[level](withoutSecrets(fields), message)
    }
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => adapt(logger.child(withoutSecrets(fields)), cell),
  }
}

const secretName = /(?:password|api_?key|authorization)$/i
/** Fields nest no deeper in our own lines; what does is cut off, cycles included. */
const fieldDepthMax = 6

function withoutSecrets(fields: LogFields): LogFields {
  return redacted(fields, 0) as LogFields
}

function redacted(value: unknown, depth: number): unknown {
  if (!Array.isArray(value) && !isPlainObject(value)) return value
  if (depth > fieldDepthMax) return "[deep]"
  if (Array.isArray(value)) return value.map((item) => redacted(item, depth + 1))
  const entries = Object.entries(value).map(([name, field]) => [
    name,
    secretName.test(name) ? "[secret]" : redacted(field, depth + 1),
  ])
  return Object.fromEntries(entries)
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
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

/** The logger of the process: pino, as JSON lines or as one readable line an event. */

import { pino } from "pino"
import type { LogFields, Logger, LogLevel } from "../base/log.ts"

export interface PinoLoggerOptions {
  readonly level: LogLevel
  readonly format: "json" | "text"
  /** Receives lines, each with its line feed; standard error if absent. */
  readonly destination?: { write(line: string): void }
}

/** Creates the logger. Fields that are named like secrets are replaced at any depth. */
export function createPinoLogger(options: PinoLoggerOptions): Logger {
  // Synchronous, so that the last line before a crash is not lost; there are few lines.
  const destination = options.destination ?? pino.destination({ fd: 2, sync: true })
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  if (options.format === "json") return adapt(pino(settings, destination))
  return adapt(pino(settings, { write: (line) => destination.write(textLine(line)) }))
}

function adapt(logger: pino.Logger): Logger {
  return {
    debug: (fields, message) => logger.debug(withoutSecrets(fields), message),
    info: (fields, message) => logger.info(withoutSecrets(fields), message),
    warn: (fields, message) => logger.warn(withoutSecrets(fields), message),
    error: (fields, message) => logger.error(withoutSecrets(fields), message),
    child: (fields) => adapt(logger.child(withoutSecrets(fields))),
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

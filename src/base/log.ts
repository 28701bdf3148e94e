/** Logging as an argument. `runtime/logger.ts` is the implementation that writes. */

import { debuglog } from "node:util"

/** Most verbose first; a level shows itself and everything after it. */
export const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const
export type LogLevel = (typeof logLevels)[number]

/** Form of a line: for programs or for people. */
export type LogFormat = "json" | "text"

export interface LogSettings {
  readonly level: LogLevel
  readonly format: LogFormat
}

/**
 * Level and format of all loggers of a process: its threads share them, so that one call changes
 * them everywhere.
 */
export class LogCell {
  /** Index of the level, and 1 for text. */
  private readonly words: Int32Array

  /** A SharedArrayBuffer is the memory of a cell of another thread. */
  constructor(initial: LogSettings | SharedArrayBuffer) {
    const isShared = initial instanceof SharedArrayBuffer
    this.words = new Int32Array(isShared ? initial : new SharedArrayBuffer(8))
    if (isShared) return
    this.setLevel(initial.level)
    this.setFormat(initial.format)
  }

  get memory(): SharedArrayBuffer {
    return this.words.buffer as SharedArrayBuffer
  }

  setLevel(level: LogLevel): void {
    Atomics.store(this.words, 0, logLevels.indexOf(level))
  }

  setFormat(format: LogFormat): void {
    Atomics.store(this.words, 1, Number(format === "text"))
  }

  /** Whether lines of `level` are written. */
  shows(level: LogLevel): boolean {
    return logLevels.indexOf(level) >= Atomics.load(this.words, 0)
  }

  get format(): LogFormat {
    return Atomics.load(this.words, 1) === 1 ? "text" : "json"
  }
}

/** The subject of a line, by name: `{ tenant, samples, durationMs }`. An error is in `err`. */
export type LogFields = Readonly<Record<string, unknown>>

/** One event, one line: a short constant sentence, with everything variable in the fields. */
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

const debug = debuglog("tidegauge")

/**
 * Notes the end of a phase of the start: prints `start <epoch milliseconds> <phase>` to standard
 * error with `NODE_DEBUG=tidegauge`. All threads of a process have one clock, so that the lines of
 * a start can be put in order.
 */
export function endPhase(phase: string): void {
  if (debug.enabled) debug("start %d %s", performance.timeOrigin + performance.now(), phase)
}

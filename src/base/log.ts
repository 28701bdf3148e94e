/** Logging as an argument. `runtime/logger.ts` is the implementation that writes. */

import { debuglog } from "node:util"

/** Most verbose first; a level shows itself and everything after it. */
export const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const
export type LogLevel = (typeof logLevels)[number]

/** The level of all loggers of a process: its threads share it, so that one call changes it. */
export class LogLevelCell {
  private readonly index: Int32Array

  /** `memory` is that of a cell of another thread. */
  constructor(initial: LogLevel | SharedArrayBuffer) {
    const isShared = typeof initial !== "string"
    this.index = new Int32Array(isShared ? initial : new SharedArrayBuffer(4))
    if (!isShared) this.set(initial)
  }

  get memory(): SharedArrayBuffer {
    return this.index.buffer as SharedArrayBuffer
  }

  set(level: LogLevel): void {
    Atomics.store(this.index, 0, logLevels.indexOf(level))
  }

  /** Whether lines of `level` are written. */
  shows(level: LogLevel): boolean {
    return logLevels.indexOf(level) >= Atomics.load(this.index, 0)
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

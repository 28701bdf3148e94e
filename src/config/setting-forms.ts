/** Forms of the values of settings: their parsers, and the words that describe them. */

import { parseDuration } from "../base/iso8601.ts"

/** `text` if `pattern` matches it. */
export function matching(text: string, pattern: RegExp): string | undefined {
  return pattern.test(text) ? text : undefined
}

/** True for yes, false for no. */
export function switchOf(text: string): boolean | undefined {
  return { yes: true, no: false }[text]
}

/** A whole number from `min` to `max`, of at most nine digits. */
export function wholeNumberOf(text: string, min: number, max: number): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined
  return numberWithin(Number(text), min, max)
}

/** Words for `durationMs`. */
export function durationForm(min: string, max: string): string {
  return `an ISO 8601 duration from ${min} to ${max}`
}

/** Milliseconds of an ISO 8601 duration from `min` to `max`. */
export function durationMs(text: string, min: string, max: string): number | undefined {
  const ms = parseDuration(text)
  return ms === undefined ? undefined : numberWithin(ms, parseDuration(min)!, parseDuration(max)!)
}

/** Words for `sizeBytes`. */
export function sizeForm(min: string, max: string): string {
  return `bytes, or a number with KiB, MiB or GiB, from ${min} to ${max}`
}

const sizeUnits = { "": 1, B: 1, KIB: 1024, MIB: 1024 ** 2, GIB: 1024 ** 3 }

/** Bytes of a size with or without a unit, from `min` to `max`. */
export function sizeBytes(text: string, min: number, max: number): number | undefined {
  const parts = /^(\d{1,15})(B|KiB|MiB|GiB|)$/i.exec(text)
  if (parts === null) return undefined
  const unit = parts[2]!.toUpperCase() as keyof typeof sizeUnits
  return numberWithin(Number(parts[1]) * sizeUnits[unit], min, max)
}

/** A default of whole MiB as a user would write it. */
export function sizeText(bytes: number): string {
  return `${bytes / 1024 ** 2}MiB`
}

/** `value` if it is from `min` to `max`. */
export function numberWithin(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined
}

/** Numbers for people: three significant digits, a prefix of the unit, never "-0" or "NaN". */

import { unitOf, type Unit } from "./units.ts"

/** Text of a missing value. */
export const noValue = "–"

export interface NumberStyle {
  /** BCP 47 tag whose decimal and thousands signs are used. */
  readonly locale: string
}

/** A number with its unit: `1.24 GiB`, `42 %`, `3.2 ms`. `unitCode` as metrics have it. */
export function valueText(value: number | null, unitCode: string, style: NumberStyle): string {
  if (value === null || !Number.isFinite(value)) return noValue
  const unit = unitOf(unitCode)
  const { factor, suffix } = scaleOf(value, unit)
  const scaled = value / factor
  if (needsExponent(scaled)) return joined(exponentFormat(2, style).format(value), unit.plain)
  return joined(digits(scaled, style), suffix)
}

/** All digits of a number with its unit as it was sent, for tooltips and copies. */
export function fullValueText(value: number | null, unitCode: string): string {
  if (value === null || !Number.isFinite(value)) return noValue
  return joined(String(value === 0 ? 0 : value), unitOf(unitCode).plain)
}

/** A count without a unit: `1,240`. */
export function countText(count: number, { locale }: NumberStyle): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(count)
}

/** A count in few characters: `4.2 k`. */
export function shortCountText(count: number, style: NumberStyle): string {
  return valueText(count, "", style)
}

/** The labels of an axis. */
export interface AxisLabels {
  readonly texts: readonly string[]
  /** The unit of all; empty if there is none. */
  readonly unit: string
}

/**
 * Labels of an axis: one scale for all, and as many digits as neighbours need to differ. `values`
 * are the ticks in order, at most a few dozen.
 */
export function axisLabels(
  values: readonly number[],
  unitCode: string,
  { locale }: NumberStyle,
): AxisLabels {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const unit = unitOf(unitCode)
  // Below 1,000 ms, the values of an axis that ends there have ms.
  const { factor, suffix } = scaleOf(largest * 0.999, unit)
  const scaled = values.map((value) => value / factor)
  if (!needsExponent(largest / factor)) {
    const fixed = (count: number) => fixedFormat(count, { locale })
    const texts = distinctTexts(scaled, fixed, digitsToDiffer(scaled), fractionDigitsMax)
    if (texts !== null && unit.noun === null) return { texts, unit: suffix }
    if (texts !== null) {
      const prefix = suffix.slice(0, suffix.length - unit.plain.length).trimEnd()
      const counts = texts.map((text, i) => (values[i] === 0 ? "0" : joined(text, prefix)))
      return { texts: counts, unit: unit.noun! }
    }
  }
  const withExponent = (count: number) => exponentFormat(count, { locale })
  const texts = distinctTexts(values, withExponent, 2, exponentDigitsMax)!
  return { texts, unit: unit.noun ?? unit.plain }
}

/** A fixed label of an axis has at most as many. */
const fractionDigitsMax = 9
/** Behind the first digit: enough to tell any two doubles apart. */
const exponentDigitsMax = 16

/** The texts with as few digits, from `least` on, as make distinct values differ; null if none. */
function distinctTexts(
  values: readonly number[],
  formatOf: (digitCount: number) => NumberFormat,
  least: number,
  most: number,
): string[] | null {
  const distinct = new Set(values.map(positiveZero)).size
  for (let digitCount = least; digitCount <= most; digitCount++) {
    const format = formatOf(digitCount)
    const texts = values.map((value) => format.format(positiveZero(value)))
    if (new Set(texts).size === distinct) return texts
  }
  return null
}

/** True beyond the prefixes of a unit, which leave too many zeros or digits. */
function needsExponent(scaled: number): boolean {
  const size = Math.abs(scaled)
  return size >= 1e9 || (size > 0 && size < 1e-5)
}

type NumberFormat = Pick<Intl.NumberFormat, "format">

function fixedFormat(digitCount: number, { locale }: NumberStyle): NumberFormat {
  const digitCounts = { minimumFractionDigits: digitCount, maximumFractionDigits: digitCount }
  return new Intl.NumberFormat(locale, digitCounts)
}

function exponentFormat(digitCount: number, { locale }: NumberStyle): NumberFormat {
  const options = { notation: "scientific", maximumFractionDigits: digitCount } as const
  const format = new Intl.NumberFormat(locale, options)
  return { format: (value) => (value === 0 ? "0" : format.format(value as number)) }
}

function digitsToDiffer(values: readonly number[]): number {
  const steps = values.slice(1).map((value, i) => Math.abs(value - values[i]!))
  const step = steps.reduce((least, one) => (one > 0 ? Math.min(least, one) : least), Infinity)
  if (!Number.isFinite(step)) return values.every(Number.isInteger) ? 0 : 2
  for (let count = 0; count < fractionDigitsMax; count++) {
    const rounded = Number(step.toFixed(count))
    if (rounded > 0 && Math.abs(rounded - step) <= step / 20) return count
  }
  return fractionDigitsMax
}

function digits(value: number, { locale }: NumberStyle): string {
  const isLarge = Math.abs(value) >= 1000
  const precision = isLarge ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 }
  const format = new Intl.NumberFormat(locale, precision)
  return format.format(positiveZero(value))
}

function positiveZero(value: number): number {
  return value === 0 ? 0 : value
}

function joined(number: string, suffix: string): string {
  if (suffix === "") return number
  return `${number}\u00a0${suffix}`
}

interface Scale {
  readonly factor: number
  readonly suffix: string
}

/** The largest step of the unit that is not above the value; the smallest for zero. */
function scaleOf(value: number, { steps, plain, base }: Unit): Scale {
  const size = Math.abs(value) * base
  let scale: Scale | null = null
  for (const { size: stepSize, suffix } of steps) {
    // 999.6 would be printed as 1000 of the smaller step.
    if (scale === null || size >= stepSize * 0.9995) scale = { factor: stepSize / base, suffix }
  }
  if (size === 0) return { factor: 1, suffix: plain }
  return scale ?? { factor: 1, suffix: plain }
}

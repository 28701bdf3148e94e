/**
 * Units of metrics: how a value of each documented code is scaled, and its suffix. Common words
 * for a code mean the code. Any other text is printed as it is, if it is short.
 */

import { unitWords } from "./unit-words.ts"
import { visibleText } from "./visible-text.ts"

export interface UnitStep {
  /** In the base of the family: bytes, seconds. */
  readonly size: number
  readonly suffix: string
}

export interface Unit {
  /** Ascending; empty for a unit that is not scaled. */
  readonly steps: readonly UnitStep[]
  /** Suffix of an unscaled value. */
  readonly plain: string
  /** Names a count above an axis, whose ticks have the prefix alone; null for other units. */
  readonly noun: string | null
  /** How many of the family's base one value is: 1024 for `kibytes`. */
  readonly base: number
}

const binaryPrefixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]
const decimalPrefixes = ["", "k", "M", "G", "T", "P", "E"]
const smallPrefixes = ["n", "µ", "m"]

function binary(suffix: string, base = 1): Unit {
  const steps = binaryPrefixes.map((prefix, i) => ({ size: 1024 ** i, suffix: prefix + suffix }))
  return { steps, base, plain: suffix, noun: null }
}

function decimal(suffix: string, base = 1): Unit {
  const steps = decimalPrefixes.map((prefix, i) => ({ size: 1000 ** i, suffix: prefix + suffix }))
  return { steps, base, plain: suffix, noun: null }
}

/** With prefixes below one, too. */
function decimalBothWays(suffix: string, base = 1): Unit {
  const small = smallPrefixes.map((prefix, i) => ({
    size: 1000 ** (i - smallPrefixes.length),
    suffix: prefix + suffix,
  }))
  return { ...decimal(suffix, base), steps: [...small, ...decimal(suffix).steps] }
}

const timeSteps: readonly UnitStep[] = [
  { size: 1e-9, suffix: "ns" },
  { size: 1e-6, suffix: "µs" },
  { size: 1e-3, suffix: "ms" },
  { size: 1, suffix: "s" },
  { size: 60, suffix: "min" },
  { size: 3600, suffix: "h" },
  { size: 86_400, suffix: "d" },
]

function time(plain: string, base: number): Unit {
  return { steps: timeSteps, plain, base, noun: null }
}

function fixed(plain: string): Unit {
  return { steps: [], plain, base: 1, noun: null }
}

/** A count of something: `4.2 k ops/s`, and `4.2 k` if the metric's name says of what. */
function counted(suffix: string, noun = suffix): Unit {
  const steps = decimalPrefixes.map((prefix, i) => ({
    size: 1000 ** i,
    suffix: [prefix, suffix].filter((part) => part !== "").join(" "),
  }))
  return { steps, base: 1, plain: suffix, noun }
}

const percentOfOne: Unit = { steps: [{ size: 1, suffix: "%" }], plain: "%", base: 100, noun: null }

/** Every code of the contract's list of units. */
const units: Readonly<Record<string, Unit>> = {
  "": counted(""),
  percent: fixed("%"),
  percentunit: percentOfOne,
  humidity: fixed("%H"),
  ppm: fixed("ppm"),
  dB: fixed("dB"),
  bits: binary("b"),
  bytes: binary("B"),
  bytesd: decimal("B"),
  kbytes: decimal("B", 1000),
  kibytes: binary("B", 1024),
  mbytes: decimal("B", 1000 ** 2),
  mibytes: binary("B", 1024 ** 2),
  gbytes: decimal("B", 1000 ** 3),
  gibytes: binary("B", 1024 ** 3),
  pps: counted("packets/s"),
  bps: decimal("b/s"),
  Bps: decimal("B/s"),
  kBps: decimal("B/s", 1000),
  mBps: decimal("B/s", 1000 ** 2),
  gBps: decimal("B/s", 1000 ** 3),
  hertz: decimal("Hz"),
  ns: time("ns", 1e-9),
  µs: time("µs", 1e-6),
  ms: time("ms", 1e-3),
  s: time("s", 1),
  m: time("min", 60),
  h: time("h", 3600),
  d: time("d", 86_400),
  ops: counted("ops/s"),
  rps: counted("reads/s"),
  wps: counted("writes/s"),
  iops: counted("I/O ops/s"),
  fps: counted("faults/s"),
  Pps: counted("pages/s"),
  currencyUSD: counted("USD"),
  currencyGBP: counted("GBP"),
  currencyEUR: counted("EUR"),
  currencyJPY: counted("JPY"),
  lengthmm: fixed("mm"),
  lengthm: fixed("m"),
  lengthkm: fixed("km"),
  lengthmi: fixed("mi"),
  velocityms: fixed("m/s"),
  velocitykmh: fixed("km/h"),
  velocitymph: fixed("mph"),
  velocityknot: fixed("kn"),
  mlitre: fixed("ml"),
  litre: fixed("l"),
  m3: fixed("m³"),
  watt: decimal("W"),
  kwatt: decimal("W", 1000),
  watth: decimal("Wh"),
  kwatth: decimal("Wh", 1000),
  joule: decimal("J"),
  ev: decimal("eV"),
  amp: decimalBothWays("A"),
  volt: decimalBothWays("V"),
  celsius: fixed("°C"),
  farenheit: fixed("°F"),
  kelvin: fixed("K"),
  pressurembar: fixed("mbar"),
  pressurehpa: fixed("hPa"),
  pressurehg: fixed("inHg"),
  pressurepsi: fixed("psi"),
}

/** Characters of a unit that is not in the list: each number of a table has it. */
const foreignLengthMax = 12

export function unitOf(given: string): Unit {
  const code = knownUnit(given)
  if (Object.hasOwn(units, code)) return units[code]!
  if (unitWords.nouns.has(code)) return counted("", code)
  const shown = foreignUnit(code)
  return code.endsWith("/s") ? counted(shown) : fixed(shown)
}

/** The code that a text means: `ms` for `Milliseconds`. A text that is no word for one stays. */
export function knownUnit(given: string): string {
  if (Object.hasOwn(units, given)) return given
  const exact = unitWords.codes.get(given)
  if (exact !== undefined) return exact
  const told = given.replace(/\/sec(ond)?$/i, "/s")
  const word = told.toLowerCase()
  const plural = word.endsWith("s") ? word : `${word}s`
  if (unitWords.nouns.has(plural)) return plural
  const code = unitWords.codes.get(word) ?? unitWords.codes.get(plural)
  if (code !== undefined) return code
  // In other letters, a short code is another unit: Mb are megabits.
  return word.length > 3 && Object.hasOwn(units, word) ? word : told
}

function foreignUnit(code: string): string {
  const characters = [...code]
  const isLong = characters.length > foreignLengthMax
  const shown = isLong ? `${characters.slice(0, foreignLengthMax - 1).join("")}…` : code
  return visibleText(shown)
}

export const unitCodes = Object.keys(units)

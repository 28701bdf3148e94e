import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  formatInstant,
  formatInstantSeconds,
  isoProblem,
  parseDuration,
  parseInstant,
  parseInstantBytes,
  parseQueryInstant,
} from "../../src/base/iso8601.ts"

test("parseInstant() reads every accepted form of one instant", () => {
  const f = (text: string, want: number | undefined) => assert.equal(parseInstant(text), want, text)

  f("1700000000123", 1700000000123)
  f("+1700000000123", 1700000000123)
  f("-1", -1)
  f("-0", 0)
  f("1.7E12", 1700000000000)
  f("1700000000123.0", 1700000000123)
  f("2023-11-14T22:13:20.123Z", 1700000000123)
  f("2023-11-14t22:13:20.123z", 1700000000123)
  f("2023-11-14 22:13:20,123Z", 1700000000123)
  f("2023-11-14T22:13:20.123456789Z", 1700000000123)
  f("2023-11-14T22:13:20.1Z", 1700000000100)
  f("2023-11-14T22:13:20Z", 1700000000000)
  f("2023-11-14T23:13:20.123+0100", 1700000000123)
  f("2023-11-14T23:13:20+01:00", 1700000000000)
  f("2023-11-14T23:13:20+01", 1700000000000)
  f("2023-11-15T03:58:20+05:45", 1700000000000)
  f("2023-11-14T12:13:20-10", 1700000000000)
  f("2023-11-14T22:13Z", 1699999980000)
  f("2023-11-14T18:13-0400", 1699999980000)
  f("0000-02-29T00:00Z", Date.parse("0000-02-29T00:00Z"))
  f("9999-12-31T23:59:59.999Z", Date.parse("9999-12-31T23:59:59.999Z"))
})

test("parseInstant() refuses timestamps without a zone, missing days and other forms", () => {
  const f = (text: string) => assert.equal(parseInstant(text), undefined, text)

  for (const text of ["", " ", "now", "NaN", "Infinity", "0x10", "1e", "--1", "1.5", "1e400"])
    f(text)
  for (const text of ["8640000000000001", "1700000000123 ", "2023-11-14"]) f(text)
  f("2023-11-14T22:13:20")
  f("2023-11-14T22:13:20 EDT")
  f("2023-11-14T22:13:20EDT")
  f("2023-11-14T22:13:20.Z")
  f("2023-11-14T22:13:20.1234567890Z")
  f("2023-02-29T00:00Z")
  f("2023-02-30T00:00Z")
  f("1900-02-29T00:00Z")
  f("2023-04-31T00:00Z")
  f("2023-13-01T00:00Z")
  f("2023-00-01T00:00Z")
  f("2023-01-00T00:00Z")
  f("2023-11-14T24:00:00Z")
  f("2023-11-14T22:60Z")
  f("2023-11-14T22:13:60Z")
  f("2023-11-14T22:13:Z")
  f("2023-11-14T22:13:2Z")
  f("2023-11-14T22:13:20+1")
  f("2023-11-14T22:13:20+24:00")
  f("2023-11-14T22:13:20+01:60")
  f("2023-11-14T22:13:20+01:0")
  f("2023-11-14T22:13:20ZZ")
  f("2023-11-14T22:13:20\u2212" + "01:00")
  f("2023-11-14\0" + "22:13:20Z")
  f("+2023-11-14T22:13:20Z")
})

test("isoProblem() suggests the correct form", () => {
  const f = (text: string, want: RegExp) => assert.match(isoProblem(text), want, text)

  f("2023-11-14T22:13:20 EDT", /zone name EDT is not accepted: write Z or ±hh:mm/)
  f("2023-11-14T22:13:20Europe/Paris", /zone name Europe\/Paris/)
  f("2023-11-14T22:13:20", /no zone/)
  f("2023-02-30T22:13:20Z", /no such date/)
  f("1.5", /whole/)
  f("yesterday", /expected epoch milliseconds or ISO 8601/)
})

/** The grammar a second time: a regular expression and the calendar of the language. */
function oracle(text: string): number {
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/.exec(
      text,
    )
  if (parts === null) return NaN
  const [year, month, day, hour, minute, second] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const date = new Date(0)
  date.setUTCFullYear(year!, month! - 1, day!)
  const ms = Number((parts[7] ?? "").padEnd(3, "0").slice(0, 3))
  date.setUTCHours(hour!, minute!, second!, ms)
  const same =
    date.getUTCMonth() === month! - 1 && date.getUTCDate() === day && date.getUTCHours() === hour
  const zoneHours = Number(parts[9] ?? 0)
  const zoneMinutes = Number(parts[10] ?? 0)
  if (!same || minute! > 59 || second! > 59 || zoneHours > 23 || zoneMinutes > 59) return NaN
  const sign = parts[8] === "-" ? -1 : 1
  return date.getTime() - sign * (zoneHours * 60 + zoneMinutes) * 60_000
}

const digits = (count: number) =>
  fc.array(fc.constantFrom(..."0123456789"), { minLength: count, maxLength: count })
const number = (max: number, width: number) =>
  fc.nat({ max }).map((value) => String(value).padStart(width, "0"))
const fraction = fc.nat({ max: 10 }).chain((count) => digits(count).map((d) => d.join("")))
const zone = fc.oneof(
  fc.constantFrom("Z", "z", "+01:00", "-0330", "+05", "", "EDT"),
  fc.tuple(fc.constantFrom("+", "-"), number(25, 2), fc.constantFrom("", ":"), number(61, 2)),
)
const isoText = fc
  .tuple(
    fc.oneof(number(9999, 4), fc.constantFrom("1900", "2000", "2023", "2024")),
    fc.tuple(number(13, 2), number(32, 2)),
    fc.constantFrom("T", "t", " "),
    fc.tuple(number(24, 2), number(60, 2)),
    fc.oneof(fc.constant(""), fc.tuple(fc.constant(":"), number(60, 2))),
    fc.oneof(fc.constant(""), fc.tuple(fc.constantFrom(".", ","), fraction)),
    zone,
  )
  .map(([year, [month, day], separator, [hour, minute], second, part, zoneText]) =>
    [`${year}-${month}-${day}${separator}${hour}:${minute}`, second, part, zoneText]
      .flat()
      .join(""),
  )
const mutated = fc
  .tuple(isoText, fc.nat({ max: 40 }), fc.constantFrom("", "0", ":", "-", "Z", " ", "\0", "é", "x"))
  .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1))

test("parseInstantBytes() agrees with parseInstant() on texts of the grammar", () => {
  fc.assert(
    fc.property(fc.oneof(isoText, mutated), fc.nat({ max: 3 }), (text, offset) => {
      const bytes = Buffer.from(`${"9".repeat(offset)}${text}"Z00`, "utf8")
      const end = offset + Buffer.byteLength(text)
      const want = oracle(text)
      assert.deepEqual(parseInstantBytes(bytes, offset, end), want)
      assert.deepEqual(parseInstant(text) ?? NaN, want)
    }),
    { numRuns: 20_000 },
  )
})

test("parseInstantBytes() stays within its bytes", () => {
  const text = "2023-11-14T22:13:20.123+01:00"
  for (let length = 0; length < text.length; length++) {
    const want = oracle(text.slice(0, length))
    assert.deepEqual(parseInstantBytes(Buffer.from(text.slice(0, length)), 0, length), want)
    assert.deepEqual(parseInstantBytes(Buffer.from(text), 0, length), want)
  }
})

test("parseInstant() undoes formatInstant()", () => {
  const instants = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 })
  fc.assert(fc.property(instants, (ms) => parseInstant(formatInstant(ms)) === ms))
})

test("parseQueryInstant() also accepts a date, and a plus sign lost in the URL", () => {
  const f = (text: string, want: number | undefined) =>
    assert.equal(parseQueryInstant(text), want, text)

  f("20231114", 1699920000000)
  f("2023-11-14", 1699920000000)
  f("20231314", undefined)
  f("2023-02-29", undefined)
  f("1699920000000", 1699920000000)
  f("123456789", 123456789)
  f("2023-11-14T00:00:00Z", 1699920000000)
  f("2023-11-14T01:00:00 01:00", 1699920000000)
  f("2023-11-14T01:00 0100", 1699920000000)
  f("2023-11-14T01:00:00 EDT", undefined)
  f("2023-11-14 01:00", undefined)
})

test("parseDuration() reads ISO 8601 durations in either case", () => {
  const f = (text: string, want: number | undefined) =>
    assert.equal(parseDuration(text), want, text)

  f("PT30m", 1_800_000)
  f("PT1h", 3_600_000)
  f("pt5m", 300_000)
  f("P3D", 259_200_000)
  f("P2W", 1_209_600_000)
  f("P1M", 2_592_000_000)
  f("P1Y", 31_536_000_000)
  f("P1Y2M3DT4H5M6.5S", (365 + 60 + 3) * 86_400_000 + 14_706_500)
  f("PT0.25S", 250)
  f("PT0,25S", 250)
  f("P0.5D", 43_200_000)
  f("PT0S", 0)
  f("P1W2D", 9 * 86_400_000)
})

test("parseDuration() refuses signs, empty text, wrong order and inner fractions", () => {
  const refused = [
    "",
    "P",
    "PT",
    "P1DT",
    "-P1D",
    "P-1D",
    "+P1D",
    "1D",
    "P1",
    "PT1D",
    "P1H",
    "P1D2Y",
  ]
  for (const text of [
    ...refused,
    "P0.5DT1H",
    "PT.5S",
    "PT5.S",
    "P 1D",
    "PT5M ",
    "P9999999999D",
    "P999999Y",
  ]) {
    assert.equal(parseDuration(text), undefined, text)
  }
})

test("formatInstantSeconds() cuts towards the past", () => {
  const f = (ms: number, want: string) => assert.equal(formatInstantSeconds(ms), want)

  f(1700000000123, "2023-11-14T22:13:20Z")
  f(1700000000000, "2023-11-14T22:13:20Z")
  f(-1, "1969-12-31T23:59:59Z")
})

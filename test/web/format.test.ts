/** Laws of numbers, units and times as pages print them. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  axisLabels,
  countText,
  fullValueText,
  noValue,
  valueText,
} from "../../src/web/format/numbers.ts"
import {
  agoText,
  clockText,
  durationText,
  shortTimes,
  timeText,
} from "../../src/web/format/times.ts"
import { knownUnit, unitCodes } from "../../src/web/format/units.ts"
import { Zone } from "../../src/web/format/zone.ts"

const style = { locale: "en-US" }
const plain = (value: number | null, unit: string) =>
  valueText(value, unit, style).replaceAll("\u00a0", " ")

test("values have three significant digits and the prefix of their unit", () => {
  assert.equal(plain(1_536, "bytes"), "1.5 KiB")
  assert.equal(plain(1_500, "bytesd"), "1.5 kB")
  assert.equal(plain(3, "gibytes"), "3 GiB")
  assert.equal(plain(0.5, "mibytes"), "512 KiB")
  assert.equal(plain(0.0042, "s"), "4.2 ms")
  assert.equal(plain(5_400, "s"), "1.5 h")
  assert.equal(plain(250, "ms"), "250 ms")
  assert.equal(plain(42.1234, "percent"), "42.1 %")
  assert.equal(plain(0.4212, "percentunit"), "42.1 %")
  assert.equal(plain(4_213, "ops"), "4.21 k ops/s")
  assert.equal(plain(12, "widgets"), "12 widgets")
  assert.equal(plain(999_950, ""), "1 M")
  assert.equal(plain(-0, "bytes"), "0 B")
  assert.equal(plain(null, "bytes"), noValue)
  assert.equal(plain(Number.NaN, "bytes"), noValue)
  assert.equal(fullValueText(0.1 + 0.2, "percent"), "0.30000000000000004\u00a0%")
  assert.equal(countText(1_240_000, style), "1,240,000")
})

test("a number beyond the prefixes of its unit has an exponent", () => {
  assert.equal(plain(1.797e308, ""), "1.8E308")
  assert.equal(plain(5e-324, "bytes"), "5E-324 B")
  assert.equal(plain(-3.2e-9, "percent"), "-3.2E-9 %")
  assert.equal(plain(999_999_999, "widgets"), "999,999,999 widgets")
  assert.equal(plain(0.00002, "widgets"), "0.00002 widgets")
  const anyUnit = fc.constantFrom(...unitCodes, "other")
  fc.assert(
    fc.property(fc.double({ noNaN: true }), anyUnit, (value, unit) => {
      assert.ok(plain(value, unit).length <= 28, plain(value, unit))
    }),
  )
})

test("no value of any unit is printed as NaN, undefined or a negative zero", () => {
  fc.assert(
    fc.property(fc.double(), fc.constantFrom(...unitCodes, "other"), (value, unit) => {
      const printed = plain(value, unit)
      assert.doesNotMatch(printed, /NaN|undefined|Infinity|-0(?![.,\d])/)
    }),
  )
})

test("a unit from outside is shown if it is short, and what cannot be seen of it is named", () => {
  assert.equal(plain(3, "frobs"), "3 frobs")
  assert.equal(plain(3, "a\u202eb"), "3 a⟨U+202E⟩b")
  assert.equal(plain(3, "furlongs a day"), "3 furlongs a …")
})

test("a common word for a unit means its code, in any letters if it is no short one", () => {
  for (const word of ["ms", "msec", "millisecond", "milliseconds", "Milliseconds"]) {
    assert.equal(knownUnit(word), "ms")
  }
  assert.deepEqual(
    ["seconds", "Bytes", "byte", "Bytes/Second", "KB", "Percent", "%", "Count", "none"].map(
      knownUnit,
    ),
    ["s", "bytes", "bytes", "Bps", "kbytes", "percent", "percent", "", ""],
  )
  // Megabits, packets and parsecs are none of them.
  assert.deepEqual(["Mb", "Pps", "parsecs"].map(knownUnit), ["Mb", "Pps", "parsecs"])
  for (const code of unitCodes) assert.equal(knownUnit(code), code)
  fc.assert(fc.property(fc.string(), (given) => knownUnit(knownUnit(given)) === knownUnit(given)))
  assert.equal(plain(828.4, "milliseconds"), "828 ms")
  assert.equal(plain(39_364, "requests"), "39.4 k")
  assert.equal(plain(39_364, "requests/second"), "39.4 k requests/s")
  assert.equal(plain(39_364, "Errors"), "39.4 k")
})

test("labels of an axis differ, and share one unit", () => {
  const labels = (values: readonly number[], unit: string) => {
    const { texts, unit: told } = axisLabels(values, unit, style)
    return [told, ...texts.map((label) => label.replaceAll("\u00a0", " "))]
  }
  assert.deepEqual(labels([0, 0.25, 0.5], "percent"), ["%", "0.00", "0.25", "0.50"])
  assert.deepEqual(labels([0, 512, 1024], "kibytes"), ["KiB", "0", "512", "1,024"])
  assert.deepEqual(labels([0, 1024, 2048], "kibytes"), ["MiB", "0", "1", "2"])
  assert.deepEqual(labels([0, 400, 800], "milliseconds"), ["ms", "0", "400", "800"])
  assert.deepEqual(labels([0, 500, 1_000], "ms"), ["ms", "0", "500", "1,000"])
  assert.deepEqual(labels([0, 750, 1_500], "ms"), ["s", "0.00", "0.75", "1.50"])
  assert.deepEqual(labels([0, 20_000, 40_000], "requests"), ["requests", "0", "20 k", "40 k"])
  assert.deepEqual(labels([0, 2_000], "ops"), ["ops/s", "0", "2 k"])
  assert.deepEqual(labels([0, 2_000], ""), ["", "0", "2 k"])
  assert.deepEqual(labels([0, 2.5e-12, 5e-12], ""), ["", "0", "2.5E-12", "5E-12"])
  assert.deepEqual(labels([1e308, 1.5e308], "widgets"), ["widgets", "1E308", "1.5E308"])
  const ticks = fc
    .tuple(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }))
    .map(([start, step]) => Array.from({ length: 6 }, (_, i) => start + i * step))
  fc.assert(
    fc.property(ticks, fc.constantFrom("", "bytes", "ms", "requests"), (values, unit) => {
      assert.equal(new Set(axisLabels(values, unit, style).texts).size, values.length)
    }),
  )
})

test("times are printed in the zone, in ISO order", () => {
  const ms = Date.parse("2026-11-20T13:05:09Z")
  const zurich = { zone: new Zone("Europe/Zurich"), clock: "24" } as const
  assert.equal(timeText(ms, zurich), "2026-11-20 14:05")
  assert.equal(timeText(ms, zurich, true), "2026-11-20 14:05:09")
  assert.equal(clockText(ms, { ...zurich, clock: "12" }), "2:05 pm")
  assert.equal(zurich.zone.offsetText(ms), "+01:00")
  assert.equal(new Zone("America/St_Johns").offsetText(ms), "-03:30")
})

test("durations have their largest unit, and the next below three of it", () => {
  assert.equal(durationText(59_000), "59 s")
  assert.equal(durationText(12 * 60_000 + 30_000), "12 min")
  assert.equal(durationText(90 * 60_000), "1 h 30 min")
  assert.equal(durationText(50 * 3_600_000), "2 d 2 h")
  assert.equal(durationText(12), "12 ms")
  assert.equal(agoText(0, 3 * 60_000), "3 min ago")
  assert.equal(agoText(60_000, 0), "in 1 min")
  assert.equal(agoText(500, 0), "now")
})

const zones = ["Europe/Zurich", "America/St_Johns", "Australia/Lord_Howe", "UTC"]

test("a wall-clock time that is printed by a zone is read back by it", () => {
  const instants = fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2037, 0) })
  fc.assert(
    fc.property(instants, fc.constantFrom(...zones), (instant, name) => {
      const zone = new Zone(name)
      const ms = Math.floor(instant / 60_000) * 60_000
      const back = zone.instantOf(zone.wallTime(ms))
      assert.deepEqual(zone.wallTime(back), zone.wallTime(ms))
      // Clocks that go back show a time twice.
      assert.ok(Math.abs(back - ms) <= 3_600_000)
    }),
  )
})

test("two times are shortened without what both and now have in common", () => {
  const times = { zone: new Zone("UTC"), clock: "24" } as const
  const ms = (text: string) => Date.parse(`${text}Z`)
  const now = ms("2026-11-29T17:00")
  const short = (start: string, end: string) => shortTimes(ms(start), ms(end), now, times).join(" ")
  assert.equal(short("2026-11-27T14:00", "2026-11-29T16:30"), "11-27 14:00 – 11-29 16:30")
  assert.equal(short("2026-11-29T14:00", "2026-11-29T16:30"), "14:00 – 16:30")
  assert.equal(short("2026-11-27T14:00", "2026-11-27T16:30"), "11-27 14:00 – 16:30")
  assert.equal(short("2025-12-31T14:00", "2026-01-01T16:30"), "2025-12-31 14:00 – 2026-01-01 16:30")
  assert.equal(short("2025-12-31T14:00", "2025-12-31T16:30"), "2025-12-31 14:00 – 16:30")
})

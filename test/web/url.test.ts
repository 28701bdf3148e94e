/** Laws of what pages keep in their URLs: addresses, parameters, the filter language, ranges. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { Zone } from "../../src/web/format/zone.ts"
import { matchPattern, parseAddress, printAddress } from "../../src/web/url/address.ts"
import { filterGroups } from "../../src/web/url/filter-groups.ts"
import {
  parseFilter,
  plainFields,
  printFilter,
  type FilterTerm,
} from "../../src/web/url/filter-language.ts"
import {
  flagParameter,
  listParameter,
  readParameters,
  textParameter,
  wordParameter,
  writeParameters,
} from "../../src/web/url/parameters.ts"
import { pastedRange } from "../../src/web/frame/range/pasted-range.ts"
import { absoluteRange, parseTime, resolveRange } from "../../src/web/url/time-range.ts"

test("an address that is printed is read as it was, whatever its parts are", () => {
  const part = fc.string({ minLength: 1, unit: "grapheme" })
  fc.assert(
    fc.property(fc.array(part), fc.dictionary(part, fc.string()), (segments, query) => {
      const read = parseAddress(printAddress(segments, new URLSearchParams(query)))
      assert.deepEqual(read.segments, segments)
      assert.deepEqual(Object.fromEntries(read.query), { ...query })
    }),
  )
  assert.deepEqual(parseAddress("elements/100%").segments, ["elements", "100%"])
  assert.deepEqual(matchPattern("elements/:fqn", ["elements", "a/b"]), { fqn: "a/b" })
  assert.equal(matchPattern("elements/:fqn", ["elements"]), null)
})

/** Records like those of the code. */
const own = { noNullPrototype: true } as const

const definition = {
  q: textParameter(),
  sort: wordParameter(["name", "level"], "name"),
  live: flagParameter(true),
  columns: listParameter(["name"]),
}

test("parameters that are printed are read as they were, and defaults are left out", () => {
  const values = fc.record(
    {
      q: fc.string({ maxLength: 200 }),
      sort: fc.constantFrom("name" as const, "level" as const),
      live: fc.boolean(),
      columns: fc.array(fc.string({ minLength: 1 })),
    },
    own,
  )
  fc.assert(
    fc.property(values, (given) => {
      const query = writeParameters(definition, new URLSearchParams("other=1"), given)
      const read = readParameters(definition, new URLSearchParams(query.toString()))
      assert.deepEqual(read, { values: given, broken: [] })
      assert.equal(query.get("other"), "1")
    }),
  )
  const defaults = readParameters(definition, new URLSearchParams()).values
  assert.equal(writeParameters(definition, new URLSearchParams("q=7"), defaults).toString(), "")
})

test("a parameter that cannot be read keeps its fallback and is named", () => {
  const query = new URLSearchParams("sort=size&live=yes&q=x")
  const { values, broken } = readParameters(definition, query)
  assert.deepEqual(broken, ["sort", "live"])
  assert.deepEqual(values, { q: "x", sort: "name", live: true, columns: ["name"] })
})

const text = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" })
const value = fc.record(
  {
    text,
    match: fc.constantFrom("plain" as const, "equal" as const),
  },
  own,
)
const field = fc.oneof(
  fc.constant({ kind: "word" as const }),
  fc.record({ kind: fc.constantFrom(...plainFields) }, own),
  fc.record({ kind: fc.constantFrom("tag" as const, "attr" as const), key: text }, own),
)
const term: fc.Arbitrary<FilterTerm> = fc
  .tuple(fc.boolean(), field, fc.array(value, { minLength: 1, maxLength: 3 }))
  .map(([isNot, kind, values]) => ({ isNot, field: kind, values }))

test("a filter that is printed is read as it was", () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 4 }), (terms) => {
      const printed = printFilter(terms)
      assert.deepEqual(parseFilter(printed), { terms, problems: [] }, printed)
    }),
  )
})

test("any text is read without an error, and problems stand within it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (given) => {
      for (const { start, end } of parseFilter(given).problems) {
        assert.ok(start >= 0 && start <= end && end <= given.length)
      }
    }),
  )
  const kinds = (given: string) => parseFilter(given).problems.map(({ kind }) => kind)
  assert.deepEqual(kinds("size:3"), ["unknown-field"])
  assert.deepEqual(kinds('"open'), ["unended-quote"])
  assert.deepEqual(kinds("name:/a"), ["unended-pattern"])
  assert.deepEqual(kinds("type:"), ["no-value"])
})

test("a filter becomes the groups of a request: all terms, any value of a term", () => {
  const { terms } = parseFilter('type:SERVER -name:test web tag.env:"prod",stage tag.owner')
  assert.deepEqual(filterGroups(terms), {
    elementTypes: {
      and: true,
      items: [],
      nestedItems: [
        { and: false, items: [{ item: "SERVER", queryType: "WILDCARD", literal: false }] },
      ],
    },
    elementNames: {
      and: true,
      items: [{ item: "test", queryType: "CONTAINS", literal: false, contains: false }],
    },
    elementTexts: {
      and: true,
      items: [],
      nestedItems: [
        { and: false, items: [{ item: "web", queryType: "CONTAINS", literal: false }] },
      ],
    },
    elementTags: {
      and: true,
      items: [],
      nestedItems: [
        {
          and: false,
          items: [
            { key: "env", value: "prod", queryType: "EXACT", literal: true },
            { key: "env", value: "stage", queryType: "WILDCARD", literal: false },
          ],
        },
        { and: false, items: [{ key: "owner" }] },
      ],
    },
  })
})

const zurich = new Zone("Europe/Zurich")
const utc = new Zone("UTC")
/** 14:05 in Zurich, a Monday. */
const nowMs = Date.parse("2026-11-23T13:05:00Z")
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString())

test("times are read as people write them, in the zone", () => {
  const at = (given: string, end: "start" | "end" = "start") =>
    iso(parseTime(given, end, { nowMs, zone: zurich }))
  assert.equal(at("now"), "2026-11-23T13:05:00.000Z")
  assert.equal(at("now-6h"), "2026-11-23T07:05:00.000Z")
  assert.equal(at("now/d"), "2026-11-22T23:00:00.000Z")
  assert.equal(at("now/d", "end"), "2026-11-23T23:00:00.000Z")
  assert.equal(at("now/d+8h"), "2026-11-23T07:00:00.000Z")
  assert.equal(at("now-1d/d"), "2026-11-21T23:00:00.000Z")
  assert.equal(at("now/w"), "2026-11-22T23:00:00.000Z")
  assert.equal(at("now-1M"), "2026-10-23T12:05:00.000Z")
  assert.equal(at("14:05"), "2026-11-23T13:05:00.000Z")
  assert.equal(at("2026-11-20 14:05"), "2026-11-20T13:05:00.000Z")
  assert.equal(at("2026-11-20T14:05:00+05:30"), "2026-11-20T08:35:00.000Z")
  assert.equal(at(String(nowMs)), "2026-11-23T13:05:00.000Z")
  for (const bad of ["", "yesterday", "now-", "now-6x", "25:00", "2026-13-01", "12"]) {
    assert.equal(at(bad), undefined, bad)
  }
})

test("days have 23 and 25 hours when clocks change", () => {
  const day = (date: string) => {
    const noon = Date.parse(`${date}T12:00:00Z`)
    const range = resolveRange({ from: "now/d", to: "now/d" }, { nowMs: noon, zone: zurich })
    return range === undefined ? undefined : (range.endMs - range.startMs) / 3_600_000
  }
  assert.equal(day("2026-03-29"), 23)
  assert.equal(day("2026-10-25"), 25)
  assert.equal(day("2026-11-23"), 24)
})

test("minutes and hours are those of the clock, also in an hour that is there twice", () => {
  const range = (from: string, to: string, now: string) => {
    const found = resolveRange({ from, to }, { nowMs: Date.parse(now), zone: zurich })
    return [iso(found?.startMs), iso(found?.endMs)]
  }
  const at = (time: string) => `2026-10-25T${time}.000Z`
  for (const now of ["00:31:20", "01:31:20"].map(at)) {
    const hour = now.slice(11, 13)
    assert.deepEqual(range("now/h", "now/h", now), [at(`${hour}:00:00`), nextHour(now)])
    const minutes = [at(`${hour}:26:00`), at(`${hour}:32:00`)]
    assert.deepEqual(range("now-5m/m", "now/m", now), minutes)
  }
  const zones = fc.constantFrom("Europe/Zurich", "America/St_Johns", "Australia/Lord_Howe", "UTC")
  const instants = fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2037, 0) })
  fc.assert(
    fc.property(instants, zones, fc.constantFrom("m", "h"), (instant, name, unit) => {
      const context = { nowMs: instant, zone: new Zone(name) }
      const startMs = parseTime(`now/${unit}`, "start", context)!
      const endMs = parseTime(`now/${unit}`, "end", context)!
      assert.ok(startMs <= instant && instant < endMs)
      assert.equal(endMs - startMs, unit === "m" ? 60_000 : 3_600_000)
    }),
  )
})

function nextHour(time: string): string {
  return iso((Math.floor(Date.parse(time) / 3_600_000) + 1) * 3_600_000)!
}

test("a wall-clock time that is printed by a zone is read back by it", () => {
  const instants = fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2037, 0) })
  const zones = fc.constantFrom("Europe/Zurich", "America/St_Johns", "Australia/Lord_Howe", "UTC")
  fc.assert(
    fc.property(instants, zones, (instant, name) => {
      const zone = new Zone(name)
      const ms = Math.floor(instant / 60_000) * 60_000
      const back = zone.instantOf(zone.wallTime(ms))
      assert.deepEqual(zone.wallTime(back), zone.wallTime(ms))
      // Clocks that go back show a time twice.
      assert.ok(Math.abs(back - ms) <= 3_600_000)
    }),
  )
})

test("a range is read as people paste it, and a single time is none", () => {
  const hours = { from: "2026-11-28 14:00", to: "2026-11-28 16:00" }
  const iso = { from: "2026-11-28T14:00:00Z", to: "2026-11-28T16:00:00Z" }
  const epoch = { from: "1764338400000", to: "1764345600000" }
  const pairs = [
    ["2026-11-28 14:00 – 16:00", hours],
    ["2026-11-28 14:00-16:00", hours],
    [" 2026-11-28 14:00\t2026-11-28 16:00\n", hours],
    ["2026-11-28 14:00 — 2026-11-29", { ...hours, to: "2026-11-29" }],
    ["2026-11-28T14:00:00Z 2026-11-28T16:00:00Z", iso],
    ["2026-11-28T14:00:00Z/2026-11-28T16:00:00Z", iso],
    [`"2026-11-28T14:00:00Z", "2026-11-28T16:00:00Z"`, iso],
    ["2026-11-28 14:00:00Z to 2026-11-28 16:00:00Z", iso],
    ["1764338400000 1764345600000", epoch],
    ["1764338400000,1764345600000", epoch],
    ["14:00 to 16:00", { from: "14:00", to: "16:00" }],
    ["now-3h to now-1h", { from: "now-3h", to: "now-1h" }],
    ["now-1d/d until now/d", { from: "now-1d/d", to: "now/d" }],
  ] as const
  for (const [pasted, range] of pairs) {
    assert.deepEqual(pastedRange(pasted), range, pasted)
    assert.notEqual(resolveRange(range, { nowMs, zone: zurich }), undefined, pasted)
  }
  const singles = ["2026-11-28 14:00", "2026-11-28T14:00:00-05:00", "1764338400000", "now-1d/d"]
  for (const one of [...singles, "", "web-1 to web-2", "x".repeat(10_000)]) {
    assert.equal(pastedRange(one), null, one)
  }
})

test("an absolute range is the same for everyone", () => {
  const range = { startMs: nowMs - 60_000, endMs: nowMs }
  for (const zone of [zurich, utc]) {
    assert.deepEqual(resolveRange(absoluteRange(range), { nowMs: 0, zone }), range)
  }
  assert.equal(resolveRange({ from: "now", to: "now-1h" }, { nowMs, zone: utc }), undefined)
})

/** Entries of the palette: what a text searches, and times after a colon. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { Zone } from "../../src/web/format/zone.ts"
import { readQuery, timeEntries } from "../../src/web/frame/palette/palette-items.ts"
import { parseDayTime, type RangeText } from "../../src/web/url/time-range.ts"

const zone = new Zone("Europe/Zurich")
const nowMs = Date.parse("2026-11-20T14:05:00Z")
const at = (text: string) => {
  const ms = parseDayTime(text, { nowMs, zone })
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

test("days by name are those of the zone, and other texts those of the time picker", () => {
  assert.equal(at("yesterday 14:00"), "2026-11-19T13:00:00.000Z")
  assert.equal(at("Yesterday"), "2026-11-18T23:00:00.000Z")
  assert.equal(at("today 8:30"), "2026-11-20T07:30:00.000Z")
  assert.equal(at("14:05"), "2026-11-20T13:05:00.000Z")
  assert.equal(at("2026-11-20 14:05"), "2026-11-20T13:05:00.000Z")
  assert.equal(at("now-2d"), "2026-11-18T14:05:00.000Z")
  for (const text of ["", "yesterday 25:00", "yesterday noon", "tomorrow 8:00", "@1"]) {
    assert.equal(at(text), undefined, text)
  }
})

test("a time gives the hour around it, and the range to now if it is past", () => {
  const shown: RangeText[] = []
  const input = { nowMs, zone, timeText: String, show: (range: RangeText) => shown.push(range) }
  const past = timeEntries({ ...input, typed: "yesterday 14:00" })
  for (const { run } of past) run?.()
  const ms = Date.parse("2026-11-19T13:00:00Z")
  assert.deepEqual(shown, [
    { from: String(ms - 1_800_000), to: String(ms + 1_800_000) },
    { from: String(ms), to: "now" },
  ])
  assert.equal(timeEntries({ ...input, typed: "23:00" }).length, 1)
  assert.deepEqual(timeEntries({ ...input, typed: "soon" }), [])
})

test("a time is searched nowhere", () => {
  assert.deepEqual(readQuery(":14:00"), { text: "", kinds: [], hasCommands: false })
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { statisticsTable } from "../../src/command/demo/demo-statistics.ts"
import { tableText, valueText, wholeText } from "../../src/command/text/table-text.ts"

test("a table is as wide as its widest cells, numbers to the right", () => {
  const rows = [
    ["a", "1"],
    ["long name", "12,345"],
  ]
  const want = ["name        value", "---------  ------", "a               1", "long name  12,345"]
  assert.equal(tableText(["name", "value"], rows), want.join("\n"))
  assert.equal(tableText(["name"], []), "name\n----")
})

test("whole numbers get commas, values two decimals and none from ten thousand on", () => {
  const whole = (value: number, want: string) => assert.equal(wholeText(value), want)
  whole(0, "0")
  whole(999, "999")
  whole(1000, "1,000")
  whole(864_000, "864,000")
  whole(1_234_567.4, "1,234,567")

  const value = (of: number, want: string) => assert.equal(valueText(of), want)
  value(0, "0")
  value(1.005, "1")
  value(-3.456, "-3.46")
  value(9999.994, "9999.99")
  value(6_000_000_000.4, "6,000,000,000")
  value(-12_345.6, "-12,346")
})

test("statistics stand in a row for each named element that has some", () => {
  const statistics = {
    avg: 2,
    min: 1,
    median: 2,
    max: 3,
    percentile5: 1,
    percentile25: 1,
    percentile75: 3,
    percentile95: 3,
    count: 1440,
    sum: 6,
    stddev: 1,
  }
  const names = new Map([
    ["id-1", "web-1"],
    ["id-2", "web-2"],
  ])
  const text = statisticsTable([{ elementId: "id-2", statistics }], names)
  const [header, , row, ...rest] = text.split("\n").map((line) => line.split(/\s+/).join(" "))
  assert.equal(header, "element avg min p25 median p75 p95 max count")
  assert.equal(row, "web-2 2 1 1 2 3 3 3 1,440")
  assert.deepEqual(rest, [])
})

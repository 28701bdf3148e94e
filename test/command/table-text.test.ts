import assert from "node:assert/strict"
import { test } from "node:test"
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

import assert from "node:assert/strict"
import { test } from "node:test"
import * as fc from "fast-check"
import { readNumber } from "../../src/ingest/scanner/number.ts"

/** Reads a text followed by a bracket; `undefined` if the reader stops before it. */
function read(text: string): number | undefined {
  const out = new Float64Array(1)
  const end = readNumber(Buffer.from(`${text}]`), 0, out, 0)
  return end === text.length ? out[0] : undefined
}

function parsed(text: string): number | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "number" && Number.isFinite(value) ? value + 0 : undefined
  } catch {
    return undefined
  }
}

const digits = (max: number) =>
  fc.array(fc.constantFrom(..."0123456789"), { maxLength: max }).map((all) => all.join(""))

const decimal = fc
  .tuple(
    fc.constantFrom("", "-", "+", "--"),
    digits(22),
    fc.oneof(
      fc.constant(""),
      digits(22).map((fraction) => `.${fraction}`),
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant("") },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom("e", "E"), fc.constantFrom("", "-", "+"), digits(3))
          .map((all) => all.join("")),
      },
    ),
  )
  .map((all) => all.join(""))

test("readNumber() accepts what JSON.parse accepts, with the same bits", () => {
  const f = (text: string) => assert.ok(Object.is(read(text), parsed(text)), text)

  fc.assert(fc.property(decimal, f), { numRuns: 20_000 })
  fc.assert(
    fc.property(
      fc.double().map((n) => JSON.stringify(n)),
      f,
    ),
    { numRuns: 5_000 },
  )
})

test("readNumber() is exact at the limits of its fast paths", () => {
  const f = (text: string) => assert.ok(Object.is(read(text), parsed(text)), text)

  for (const sign of ["", "-"]) {
    for (const text of [
      "0",
      "9",
      "00",
      "01",
      "0.0",
      "0.",
      ".5",
      "1e",
      "1e+",
      "1.e1",
      "e1",
      "",
      "x",
      "999999999",
      "1000000000",
      "2147483647",
      "2147483648",
      "99999999.9",
      "999999999.9",
      "9999999999.9",
      "0.999999999",
      "0.9999999999",
      "123456789.",
      "1234567890.",
      "9007199254740991",
      "9007199254740992",
      "9007199254740993",
      "900719925474099.3",
      "9007199254740993e-3",
      "9007199254740991e22",
      "9007199254740991e23",
      "1e-22",
      "1e-23",
      "1e22",
      "1e23",
      "5e-324",
      "2e-324",
      "1e-400",
      "1.7976931348623157e308",
      "1e309",
      "0e999",
      "0.1e-21",
      "123456789012345678901234567890e-30",
      "1e0000000000000000001",
      "1e99999999999",
      "8.41e21",
      "2.2250738585072011e-308",
      "1.000000000000000000000000000000000001",
      "1".repeat(400),
      `0.${"0".repeat(400)}1`,
      `0.${"0".repeat(300)}1e300`,
    ]) {
      f(sign + text)
    }
  }
})

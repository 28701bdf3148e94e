import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { configLine, parseConfigLines } from "../../src/config/config-file.ts"
import { inputList } from "../../src/config/settings.ts"

const name = fc.constantFrom(...inputList.map((input) => input.name))
/** Any text of one line. */
const value = fc
  .string({
    unit: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(..."ab =#\"' \t\\\r\v\u00a0\u2028") },
      { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }) },
    ),
    maxLength: 20,
  })
  .filter((text) => !text.includes("\n"))

test("lines that are written are read as they were, between comments and blank lines", () => {
  const line = fc.record({ name, text: value }, { noNullPrototype: true })
  const between = fc.constantFrom("", "\n", "# a = b\n", " \t# c\n \n", "\r\n")
  fc.assert(
    fc.property(fc.array(fc.tuple(between, line), { maxLength: 8 }), (entries) => {
      const text = entries.map(([gap, one]) => `${gap}${configLine(one.name, one.text)}\n`).join("")
      const { lines, problems } = parseConfigLines(text)
      assert.deepEqual(problems, [])
      assert.deepEqual(
        lines.map((one) => ({ name: one.name, text: one.text })),
        entries.map(([, one]) => one),
      )
      for (const one of lines) assert.ok(text.split("\n")[one.line - 1]!.startsWith(one.name))
    }),
  )
})

test("blanks around name and value, and the form of line ends, change nothing", () => {
  const f = (text: string, want: string) => {
    const { lines, problems } = parseConfigLines(text)
    assert.deepEqual([lines.map((line) => line.text), problems], [[want], []])
  }

  f("port=1", "1")
  f("\t port \t=  1 \r\n", "1")
  f("\ufeffport = 1", "1")
  f('data = " a b "', " a b ")
  f('data = "a"b"', 'a"b')
  f("data = a=b#c", "a=b#c")
  f('data = "', '"')
  f('data = ""', "")
  f('data = "a # b"', "a # b")
})

test("a line that is none is named with its number, without its text", () => {
  const f = (text: string, line: number, want: RegExp) => {
    const { lines, problems } = parseConfigLines(text)
    assert.deepEqual(lines, [])
    assert.equal(problems.length, 1)
    assert.equal(problems[0]!.line, line)
    assert.match(problems[0]!.problem, want)
    assert.doesNotMatch(problems[0]!.problem, /hunter/)
  }

  f("hunter", 1, /^expected name = value$/)
  f("\n\n= hunter", 3, /^expected name = value$/)
  f("port = hunter # web", 1, /^put the comment on a line of its own, or the value into quotes$/)
})

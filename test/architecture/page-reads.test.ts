/**
 * A page changes by itself: a test that reads it once fails by chance. So does one that removes a
 * route while the page loads (test/support/browser/answers.ts).
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { readSources, type Source } from "./sources.ts"

const text = "innerText|innerHTML|textContent|allInnerTexts|allTextContents|inputValue|title"
const state = "count|isVisible|isHidden|isEnabled|isDisabled|isChecked|getAttribute|boundingBox"
const read = new RegExp(String.raw`\bawait\b.*\.(?:${text}|${state})\(`)
/** A function, which something calls until it holds. */
const isRepeated = /=>|\bwhile \(/

function readsOnce({ path, text }: Source): string[] {
  // A function of one expression begins on the line before.
  const lines = text.split("\n")
  return lines.flatMap((line, i) => {
    const near = `${lines[i - 1] ?? ""}\n${line}`
    return read.test(line) && !isRepeated.test(near) ? [`${path}:${i + 1}: ${line.trim()}`] : []
  })
}

test("tests of pages wait by `expect`, and assert nothing that they read once", () => {
  assert.deepEqual(readSources("test/browser").flatMap(readsOnce), [])
})

test("the law finds what is read once, and spares what is read again", () => {
  const found = (text: string) => readsOnce({ path: "x.ts", text }).length
  assert.equal(found("assert.equal(await rows.count(), 3)"), 1)
  assert.equal(found("const title = await page.title()"), 1)
  assert.equal(found("await expect.poll(() => rows.count()).toBe(3)"), 0)
  assert.equal(found("while ((await focused.count()) === 0) await press()"), 0)
})

const unroute = /\.unroute(?:All)?\(/

test("tests of pages remove no route", () => {
  const removes = ({ path, text }: Source) => (unroute.test(text) ? [path] : [])
  assert.deepEqual(readSources("test/browser").flatMap(removes), [])
  assert.ok(unroute.test('await page.unroute("**/status")') && unroute.test("page.unrouteAll()"))
})

/** The tour of the handbook, pasted line by line into a shell. */

import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { fences } from "../support/project/markdown.ts"
import { rootFolder } from "../support/project-paths.ts"
import { useServer } from "../support/server/server.ts"
import { assertTour, curlRefused, patternOf, runAll, stepsOf } from "../support/project/tour.ts"

const page = readFileSync(join(rootFolder, "src/docs/getting-started.md"), "utf8")
const steps = stepsOf(page)
/** Of the reader's five minutes, in which a cycle closes, the test waits three seconds. */
const client = useServer({ flags: ["--clock", "2026-01-05T00:00:00Z,x120"] })

test("every line of the tour does what the page shows", async () => {
  assert.ok(steps.length > 15, `Expected a tour, found ${steps.length} lines`)
  await assertTour(steps, client())
})

test("the tour sets the variables that its lines use", () => {
  const blocks = fences(page).filter(({ language }) => language === "sh")
  const set = blocks.flatMap(({ text: block }) =>
    [...block.matchAll(/^(\w+)=/gm)].map((match) => match[1]!),
  )
  const used = blocks.flatMap(({ text: block }) =>
    [...block.matchAll(/\$(\w+)/g)].map((match) => match[1]!),
  )
  assert.deepEqual(
    used.filter((name) => !set.includes(name)),
    [],
  )
})

test("a line that fails, or answers otherwise than shown, is noticed", async () => {
  const fence = "```"
  const lines = ["key=1", "curl -u $login \\", "  $url/nowhere", "curl $url/time"]
  const tour = stepsOf([`${fence}sh`, ...lines, fence, fence, "x…", fence].join("\n"))
  assert.deepEqual(
    tour.map(({ command }) => command),
    ["curl -u $login \\\n  $url/nowhere", "curl $url/time"],
  )
  assert.deepEqual(
    tour.map(({ shown }) => shown),
    [undefined, "x…"],
  )
  const [refused, answered] = await runAll(
    tour.map(({ command }) => command),
    client(),
  )
  assert.deepEqual([refused!.status, answered!.status], [curlRefused, 0])
  assert.match('{"a":1,"b":{}}', patternOf('{"a":…,\n "b":{}}'))
  assert.doesNotMatch('{"a":1,"c":{}}', patternOf('{"a":…,\n "b":{}}'))
})

/**
 * The demonstration with a clock, on a small fleet and for as long as it takes: a server in a
 * process of its own, webhooks over sockets, a week of data to learn from, and an incident. That
 * takes 26 s; the quick size ends after the first day.
 */

import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { demonstrate } from "../support/project/demo.ts"
import { isLongRun } from "../support/run/sizes.ts"

const data = makeFolder("tidegauge-fleet")
after(() => removeFolder(data))

const demo = { status: -1, output: "" }
const stopped = new AbortController()

async function runFleet(onPrint: () => void = () => {}): Promise<void> {
  const clock = "2026-01-05T06:00:00Z,x50000"
  const options = { clock, days: "8.5", elements: "3", metrics: "8", data }
  const print = (text: string): void => {
    demo.output += text
    onPrint()
  }
  demo.status = await demonstrate(options, print, stopped.signal)
}

/** A row of a table, by its cells. */
function tells(...cells: readonly string[]): void {
  const row = new RegExp(`^${cells.join(" +")}$`, "m")
  assert.match(demo.output, row)
}

if (!isLongRun) {
  test("a demonstration that is interrupted ends in order", async () => {
    await runFleet(() => {
      if (demo.output.includes("day 1 is posted")) stopped.abort()
    })
    assert.match(demo.output, /^ {2}day 1 is posted$/m)
    assert.equal(demo.status, 1, demo.output)
  })
} else {
  describe("a demonstration of eight days", () => {
    before(() => runFleet())
    test("the demonstration finds all that must be found, and nothing else", () => {
      const wrong = demo.output.split("\n").filter((line) => line.startsWith("NO "))
      assert.deepEqual(wrong, [], demo.output)
      assert.equal(demo.status, 0, demo.output)
      assert.equal(demo.output.match(/^ok {2}/gm)?.length, 9, demo.output)
    })

    test("each policy found the part of the incident that it is for, and notified twice", () => {
      tells("Slow answers", "CRITICAL", "5", "1", "1", "1")
      tells("CPU above its baseline", "CRITICAL", "4", "1", "1", "1")
      tells("Many errors", "WARNING", "5", "1", "1", "1")
      tells("Appears to be down", "CRITICAL", "4", "1", "1", "1")
      tells("Requests run backwards", "WARNING", "0", "0", "0", "0")
    })

    test("incidents open when the duration is complete and close with the first good cycle", () => {
      const day = String.raw`\d{4}-01-\d\d`
      const incident = (policy: string, ...times: readonly string[]) =>
        tells(policy, "shop-02", ...times.map((time) => `${day} ${time}`))
      incident("Slow answers", "10:05", "10:25", "10:36")
      incident("CPU above its baseline", "10:10", "10:25", "10:36")
      incident("Appears to be down", "10:40", "10:55", "11:06")
    })

    test("the webhook got each beginning and each end once", () => {
      for (const policy of ["Slow answers", "CPU above its baseline", "Appears to be down"]) {
        for (const type of ["event", "event_cleared"]) {
          const row = new RegExp(`^${type} +${policy} +shop-02 `, "gm")
          assert.equal(demo.output.match(row)?.length, 1, demo.output)
        }
      }
    })

    test("the band covers the incident, and the values above it are shown", () => {
      const rows = demo.output.split("\n").filter((line) => / {2}above$/.test(line))
      assert.equal(rows.length, 3, demo.output)
      for (const row of rows) {
        const [actual, lower, mean, upper] = row.trim().split(/ {2,}/).slice(1).map(Number)
        assert.ok(lower! < mean! && mean! < upper! && upper! < actual!, row)
      }
    })
  })
}

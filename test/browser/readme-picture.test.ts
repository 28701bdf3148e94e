/**
 * The picture of README.md. `npm run picture` takes it again, of `npm run demo:serve`: two weeks of
 * a fleet in about a minute.
 */

import assert from "node:assert/strict"
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { test } from "node:test"
import { openBrowser } from "../support/browser/browser.ts"
import { boxOf } from "../support/browser/expect.ts"
import { demonstrate } from "../support/project/demo.ts"
import { rootFolder } from "../support/project-paths.ts"

const path = "data/pictures/explore.png"
const bytesMax = 150_000
const size = { width: 1280, height: 660 }
/** Slow for two hours in bench/demo/serve-demo.ts, 30 hours before the end. */
const slowElement = "shop-05"
/** Hours before the end at which a sample is among the last slow ones. */
const slowEndHours = 28.25
const shownHours = 48
const metric = "cpu.total.utilization"
/** Set by `npm run picture`. */
const isTaken = process.env["TIDEGAUGE_README_PICTURE"] !== undefined

test("it is taken from the demonstration", { skip: !isTaken }, async () => {
  const stopping = new AbortController()
  let output = ""
  let taking: Promise<void> | null = null
  const print = (text: string): void => {
    output += text
    if (taking === null && /Ctrl C/.test(output)) {
      taking = take(output).finally(() => stopping.abort())
    }
  }
  await demonstrate({ serve: "", port: "0" }, print, stopping.signal)
  assert.ok(taking !== null, output)
  await taking
})

/** Opens what the demonstration prints, and keeps the page with a chart as a picture. */
async function take(output: string): Promise<void> {
  const [, url, email, password] = /or (\S+)\/app\/ as (\S+) with the password (\S+)/.exec(output)!
  const browser = await openBrowser()
  try {
    const context = await browser.newContext({ viewport: size, locale: "en-US" })
    const page = await context.newPage()
    const query = `q=${encodeURIComponent(`${metric};where=${slowElement}`)}&from=now-2d&bands=1`
    await page.goto(`${url}/app/explore?${query}`)
    await page.getByLabel("E-mail").fill(email!)
    await page.getByLabel("Password", { exact: true }).fill(password!)
    await page.keyboard.press("Enter")
    await page.getByRole("application").first().waitFor()
    await page.locator("figure tbody tr").getByText(slowElement).waitFor()
    await page.getByText("connected", { exact: true }).waitFor()
    // Marks of what happened come after the chart.
    await page.locator("figure a[href*=events]").first().waitFor()
    // Points at the end of the time at which it was slow: what the tooltip lies on is empty there.
    const box = await boxOf(page.locator(".u-over").first())
    const x = box.x + (box.width * (shownHours - slowEndHours)) / shownHours
    await page.mouse.move(x, box.y + box.height * 0.3)
    await page.getByText("baseline").first().waitFor()
    const picture = await page.screenshot({ animations: "disabled" })
    mkdirSync(dirname(join(rootFolder, path)), { recursive: true })
    writeFileSync(join(rootFolder, path), picture)
  } finally {
    await browser.close()
  }
}

test("it is a picture of a modest size, which README.md shows", () => {
  const bytes = readFileSync(join(rootFolder, path))
  assert.equal(bytes.subarray(1, 4).toString(), "PNG")
  const shown = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  assert.deepEqual(shown, size)
  assert.ok(statSync(join(rootFolder, path)).size <= bytesMax)
  assert.ok(readFileSync(join(rootFolder, "README.md"), "utf8").includes(`](${path})`))
})

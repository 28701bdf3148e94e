/** Charts of an element: axes, one cursor for all, marks of events, and the chart of one metric. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { openPage, signIn } from "../../support/browser/app-page.ts"
import { useBrowser } from "../../support/browser/browser.ts"
import { boxOf, expect, expectAccessible, expectToFit } from "../../support/browser/expect.ts"
import { callerOf } from "../../support/server/caller.ts"
import { useServer } from "../../support/server/server.ts"

const cycleMs = 300_000
/** Two hours, the last of which is over. */
const startMs = Math.floor(Date.now() / cycleMs) * cycleMs - 36 * cycleMs

const browser = useBrowser()
const client = useServer({
  async prepare(ready) {
    const samples = Array.from({ length: 24 }, (_, i) => {
      const timestamp = startMs + i * cycleMs
      return [
        { metricId: "cpu.total", timestamp, val: 48 + (i % 5) },
        { metricId: "http.latency", timestamp, val: 300 + i },
      ]
    })
    const metrics = [
      { id: "cpu.total", unit: "percent" },
      { id: "http.latency", unit: "milliseconds" },
    ]
    const posted = await ready.ingest([
      { id: "web-1", type: "SERVER", metrics, samples: samples.flat() },
    ])
    assert.equal(posted.status, 202, posted.text)
    const timestamp = new Date(startMs + 12 * cycleMs).toISOString()
    const annotation = { title: "Deploy 1.2", timestamp }
    const written = await callerOf(ready).post("/events", annotation)
    assert.ok(written.status < 300, written.text)
  },
})

async function open(query: string) {
  const range = `from=${startMs}&to=${startMs + 24 * cycleMs}`
  const path = `/app/elements/web-1?${range}${query}`
  const watched = await openPage(browser(), client(), path)
  await signIn(watched.page, client())
  return watched
}

const charts = (page: Page) => page.getByRole("figure")

test("small charts have axes, one cursor, and what happened", async () => {
  const { page, context, problems } = await open("")
  const [cpu, latency] = ["cpu.total", "http.latency"].map((name) =>
    charts(page).filter({ hasText: name }),
  )
  // From zero: 48 to 52 % is no climb.
  await expect(cpu!).toContainText("02040 %")
  await expect(latency!).toContainText("323\u00a0ms")
  await expect(cpu!.getByTitle(/Deploy 1\.2/)).toHaveCount(1)
  const box = await boxOf(cpu!.locator("svg"))
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  for (const chart of [cpu!, latency!]) await expect(chart).toContainText(/\d\d:\d\d \d/)
  await page.mouse.move(box.x, box.y - 200)
  await expect(latency!).toContainText("323\u00a0ms")
  await expectToFit(page)
  await expectAccessible(page)
  assert.deepEqual(problems, [])
  await context.close()
})

test("a metric has the chart that is zoomed and read by keys", async () => {
  const { page, context, problems } = await open("&tab=metrics&metric=http.latency")
  const chart = page.getByRole("application", { name: /^http\.latency/ })
  await expect(page.getByTitle(/Deploy 1\.2/)).toHaveCount(1)
  await chart.press("ArrowLeft")
  await expect(page.getByRole("status").filter({ hasText: "323\u00a0ms" })).toHaveCount(1)
  await chart.press("Shift+ArrowLeft")
  await chart.press("Shift+ArrowLeft")
  await chart.press("Enter")
  await expect(page).not.toHaveURL(new RegExp(`from=${startMs}&`))
  await chart.press("Backspace")
  await expect(page).toHaveURL(new RegExp(`from=${startMs}`))
  await expectToFit(page)
  assert.deepEqual(problems, [])
  await context.close()
})

/** The views of Explore besides lines, in a real browser: heat map, bars, fans of percentiles. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { openPage, picture, signIn, type Look } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { boxOf, expect, expectAccessible, expectToFit } from "../support/browser/expect.ts"
import { looks } from "../support/browser/looks.ts"
import { seriesAnswerOf, type AskedSeries } from "../support/browser/series-answers.ts"
import { useServer } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

const browser = useBrowser()
const client = useServer()

const names = Array.from({ length: 640 }, (_, i) => `web-${i + 1}`)
/** Most series lie around 35 %, some around 80 %, all in waves. */
const valueOf = (series: number, ms: number) =>
  (series % 9 === 0 ? 80 : 35) + ((series * 37) % 23) - 11 + 8 * Math.sin(ms / 3e6 + (series % 5))

const units: Readonly<Record<string, string>> = { requests: "", latency: "ms" }
const unitOfMetric = (metricFqn: string) => units[metricFqn] ?? "percent"

async function explore(query: string, look?: Look) {
  const watched = await openPage(browser(), client(), `/app/explore?${query}&live=0`, look)
  const { page } = watched
  const asked: AskedSeries[] = []
  await page.route("**/series/query", async (route) => {
    const body = route.request().postDataJSON() as AskedSeries
    asked.push(body)
    return route.fulfill({ json: seriesAnswerOf(body, { names, unit: unitOfMetric, valueOf }) })
  })
  await signIn(page, client())
  return { ...watched, asked }
}

const chart = (page: Page) => page.getByRole("application").first()
const cells = (page: Page) => page.locator("[data-drawn=heat] > canvas")

test("a heat map counts all series of a query, and pans with the chart", async () => {
  const { page, context, problems, asked } = await explore("q=cpu.total;top%3D5")
  await chart(page).waitFor()
  assert.equal(asked.at(-1)!.queries[0]!.limit, 5)
  await page.getByText("Heat map", { exact: true }).click()
  await page.waitForURL(/view=heat/)
  await cells(page).waitFor({ state: "attached" })
  assert.equal(asked.at(-1)!.queries[0]!.limit, 1000)
  await page.getByText("640 series").first().waitFor()
  const box = await boxOf(page.locator(".u-over").first())
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.6)
  await page.getByText(/^\d+ of 640 series have \d/).waitFor()
  await expect.poll(() => page.workers().length).toBe(0)
  const shift = () =>
    page.evaluate("document.querySelector('[data-drawn] > canvas').style.transform")
  const before = await shift()
  await page.keyboard.down("Shift")
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height * 0.6)
  await eventually(async () => (await shift()) !== before)
  await page.mouse.up()
  await page.keyboard.up("Shift")
  await page.waitForURL(/from=\d{13}/)
  await page.getByRole("button", { name: "Export" }).click()
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "PNG" }).click(),
  ])
  assert.match(download.suggestedFilename(), /^cpu.total .*\.png$/)
  assert.deepEqual(problems, [])
  await context.close()
})

test("queries of several metrics have a heat map each", async () => {
  const { page, context, problems } = await explore("q=cpu.total&q=memory.used&view=heat")
  await cells(page).nth(1).waitFor({ state: "attached" })
  await expect(cells(page)).toHaveCount(2)
  await page.getByRole("heading", { name: "B memory.used" }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("a third unit is drawn in a chart of its own, and one chart says what it lacks", async () => {
  const query = "q=cpu.total;top%3D3&q=latency;top%3D3&q=requests;top%3D3"
  const { page, context, problems } = await explore(query)
  const charts = page.getByRole("application")
  await page.getByRole("heading", { name: "C requests" }).waitFor()
  await expect(charts).toHaveCount(3)
  const each = page.getByRole("button", { name: "One chart each", exact: true })
  await picture(page, "three-units")
  await each.click()
  await page.waitForURL(/each=0/)
  await expect(charts).toHaveCount(1)
  await page.getByText("Not drawn: lines in no unit").waitFor()
  await picture(page, "third-unit-not-drawn")
  await each.last().click()
  await page.waitForURL((url) => !url.searchParams.has("each"))
  await expect(charts).toHaveCount(3)
  assert.deepEqual(problems, [])
  await context.close()
})

test("bars show the statistic that ranks the series, those in sight of many", async () => {
  const { page, context, problems } = await explore("q=cpu.total;top%3D1000;order%3Dmax&view=bar")
  const region = page.getByRole("region", { name: "cpu.total, max" })
  await region.waitFor()
  await region.getByRole("row", { name: "web-1 " }).first().waitFor()
  const drawn = region.locator("tbody tr[aria-rowindex]")
  await expect.poll(() => drawn.count()).toBeGreaterThan(10)
  await expect.poll(() => drawn.count()).toBeLessThan(80)
  await expect(region.locator("table")).toHaveAttribute("aria-rowcount", "641")
  await page.evaluate(`
    var region = document.querySelector("[role=region][aria-label='cpu.total, max']")
    region.scrollTop = region.scrollHeight
  `)
  await region.getByRole("rowheader", { name: "web-640", exact: true }).waitFor()
  await page.getByText("Table", { exact: true }).click()
  await page.getByRole("columnheader", { name: "p95" }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("a fan of percentiles has its median as a line", async () => {
  const { page, context, problems, asked } = await explore("q=cpu.total;top%3D1&pct=fan")
  await chart(page).waitFor()
  const fields = asked.at(-1)!.queries.flatMap((one) => one.fields)
  for (const name of ["p5", "p25", "p50", "p75", "p95"]) assert.ok(fields.includes(name), name)
  await picture(page, "fan")
  assert.deepEqual(problems, [])
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in heat map and bars, ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await explore("q=cpu.total&view=heat", { scheme, width })
    await cells(page).waitFor({ state: "attached" })
    await expectToFit(page)
    await expectAccessible(page)
    await picture(page, `heat-${scheme}-${width}`)
    await page.getByText("Bar", { exact: true }).click()
    await page.getByRole("region", { name: "cpu.total, avg" }).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await picture(page, `bar-${scheme}-${width}`)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

/** Charts of 200 and 1,000 series in a real browser: drawn by a worker, moved, pointed at, saved. */

import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { isDeepStrictEqual } from "node:util"
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

const names = Array.from({ length: 1000 }, (_, i) => `web-${i + 1}`)
/** Series lie one below the other, web-1 at the bottom. */
const valueOf = (series: number, ms: number) =>
  (series + 1) * 0.09 + 0.02 * Math.sin(ms / 4e6 + series)

interface ImageLike {
  getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
}
interface Measured {
  pictureOf(base64: string): Promise<unknown>
}

/** Counts what the page itself strokes; reads pictures for the tests. */
const counting = `
  window.strokes = 0
  const stroke = CanvasRenderingContext2D.prototype.stroke
  CanvasRenderingContext2D.prototype.stroke = function (...given) {
    window.strokes++
    return stroke.apply(this, given)
  }
  window.pictureOf = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes]))
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d")
    context.drawImage(image, 0, 0)
    return context
  }
`

async function explore(top: number, look?: Look) {
  const path = `/app/explore?q=cpu.total;top%3D${top}&live=0`
  const watched = await openPage(browser(), client(), path, look)
  const { page } = watched
  const asked: AskedSeries[] = []
  await page.addInitScript(counting)
  await page.route("**/series/query", async (route) => {
    const body = route.request().postDataJSON() as AskedSeries
    asked.push(body)
    return route.fulfill({ json: seriesAnswerOf(body, { names, unit: "percent", valueOf }) })
  })
  await page.reload()
  await signIn(page, client())
  await seenTile(page)
  return { ...watched, asked }
}

const chart = (page: Page) => page.getByRole("application").first()
const rows = (page: Page) => page.locator("figure tbody tr[aria-rowindex]")

/** Until the worker's picture of the seen window is there. */
async function seenTile(page: Page): Promise<void> {
  await page.locator("[data-drawn]").waitFor({ state: "attached" })
}

/** Pixels of the seen tile that are not empty, as a share. */
function inkOf(page: Page): Promise<number> {
  return page.evaluate(`
    var tile = document.querySelector("[data-drawn] > canvas")
    const copy = new OffscreenCanvas(tile.width, tile.height)
    const context = copy.getContext("2d")
    context.drawImage(tile, 0, 0)
    const { data } = context.getImageData(0, 0, copy.width, copy.height)
    data.filter((value, i) => i % 4 === 3 && value > 0).length / (copy.width * copy.height)
  `)
}

const strokes = (page: Page) => page.evaluate("window.strokes") as Promise<number>
const shift = (page: Page) =>
  page.evaluate(
    "document.querySelector('[data-drawn] > canvas').style.transform",
  ) as Promise<string>
const scroll = (page: Page, to: "0" | "region.scrollHeight") =>
  page.evaluate(`
    var region = document.querySelector("[role=region][aria-label='Lines of the chart']")
    region.scrollTop = ${to}
  `)

for (const count of [200, 1000]) {
  test(`${count} series are drawn by the worker, under the policy of the pages`, async () => {
    const { page, context, problems, asked } = await explore(count)
    const workers = () => page.workers().map((one) => new URL(one.url()).pathname)
    const name = expect.stringMatching(/^\/app\/dense-worker-[A-Z0-9]{8}\.js$/)
    await expect.poll(workers).toEqual([name])
    await expect.poll(() => inkOf(page)).toBeGreaterThan(0.3)
    const [query] = asked.at(-1)!.queries
    assert.deepEqual([query!.limit, query!.fields], [count, ["actual"]])
    assert.ok(count * asked.at(-1)!.width <= 300_000)
    // Another plot for other lines: the page strokes its axes, and none of the lines.
    const before = await strokes(page)
    await chart(page).focus()
    await page.keyboard.press("ArrowLeft")
    await page.getByRole("status").filter({ hasText: ", web-1 " }).waitFor()
    await page.keyboard.press("0")
    await page.waitForURL(/zero=1/)
    await eventually(async () => (await strokes(page)) > before)
    assert.ok((await strokes(page)) - before < 60, "Expected no line to be stroked by the page")
    await picture(page, `dense-${count}`)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

test("another script than the worker's own cannot be started as a worker", async () => {
  const { page, context } = await explore(200)
  const start = (url: string) =>
    page.evaluate(`
      try {
        new Worker("${url}")
        "started"
      } catch (error) {
        error.name
      }
    `)
  assert.equal(await start("blob:x"), "TypeError")
  assert.equal(await start("main.js"), "TypeError")
  await context.close()
})

test("a pan moves the tiles; the page strokes no line, and asks once it ends", async () => {
  const { page, context, problems, asked } = await explore(1000)
  const box = await boxOf(chart(page))
  const y = box.y + box.height / 2
  const [calls, at] = [asked.length, await shift(page)]
  await page.keyboard.down("Shift")
  await page.mouse.move(box.x + box.width * 0.4, y)
  await page.mouse.down()
  const before = await strokes(page)
  for (let i = 1; i <= 10; i++) await page.mouse.move(box.x + box.width * 0.4 + i * 10, y)
  await eventually(async () => (await shift(page)) !== at)
  // Ten frames of axes and a line that is pointed at: 1,000 lines would be 10,000 strokes.
  const perFrame = ((await strokes(page)) - before) / 10
  assert.ok(perFrame < 60, `${perFrame} strokes a frame`)
  assert.equal(asked.length, calls)
  await page.mouse.up()
  await page.keyboard.up("Shift")
  await page.waitForURL(/from=\d{13}/)
  await eventually(() => asked.length > calls)
  await eventually(async () => /translate\(0px, 0px\)/.test(await shift(page)))
  assert.deepEqual(problems, [])
  await context.close()
})

test("the line that is pointed at is the nearest of 1,000, with its neighbours", async () => {
  const { page, context, problems } = await explore(1000)
  const over = page.locator(".u-over").first()
  const box = await boxOf(over)
  // The axis ends a little above the greatest value, 90.02.
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  const near = page.locator("[aria-hidden=true] table td[dir=auto]")
  await expect(near).toHaveText(Array<RegExp>(8).fill(/^web-[3-6]\d\d$/))
  const isFalling = async () => {
    const names = await near.allInnerTexts()
    return isDeepStrictEqual(names, [...names].sort().reverse())
  }
  await expect.poll(isFalling).toBe(true)
  await page.getByText("and 992 more").waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("the legend of 1,000 lines draws those in sight, sorts and finds them all", async () => {
  const { page, context, problems } = await explore(1000)
  await page.getByText("1,000 series").first().waitFor()
  await expect.poll(() => rows(page).count()).toBeLessThan(80)
  const table = page.locator("figure table[aria-rowcount]")
  await expect(table).toHaveAttribute("aria-rowcount", "1001")
  await scroll(page, "region.scrollHeight")
  await page.getByRole("button", { name: "web-1000", exact: true }).waitFor()
  await page.getByPlaceholder("Find a line").fill("web-77")
  await expect(rows(page)).toHaveCount(11)
  await page.getByPlaceholder("Find a line").fill("")
  await page.getByRole("button", { name: "avg", exact: true }).click()
  await page.locator("th[aria-sort=descending]").waitFor()
  await scroll(page, "0")
  await page.getByRole("button", { name: "web-1000", exact: true }).waitFor()
  // Alone, the line is drawn by the plot itself.
  await page.getByRole("button", { name: "web-1000", exact: true }).click()
  await page.locator("[data-drawn]").waitFor({ state: "detached" })
  assert.deepEqual(problems, [])
  await context.close()
})

test("keys move through 1,000 lines, and the table has them all, 20 at a time", async () => {
  const { page, context, problems } = await explore(1000)
  await chart(page).focus()
  await page.keyboard.press("ArrowLeft")
  await page.keyboard.press("ArrowUp")
  await page.keyboard.press("ArrowUp")
  await page
    .getByRole("status")
    .filter({ hasText: /\d{4}-\d\d-\d\d \d\d:\d\d, web-1000 / })
    .waitFor()
  await page.keyboard.press("d")
  await page.getByText("Lines 1 to 20 of 1000").waitFor()
  await page.getByRole("button", { name: "Next lines" }).click()
  await page.getByRole("columnheader", { name: "web-21", exact: true }).waitFor()
  await page.getByText("Lines 21 to 40 of 1000").waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("a saved picture has the lines that the worker drew", async () => {
  const { page, context, problems } = await explore(200)
  await page.getByRole("button", { name: "Export" }).click()
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "PNG" }).click(),
  ])
  const bytes = readFileSync(await download.path())
  assert.equal(bytes.subarray(1, 4).toString(), "PNG")
  // The middle of the plot, where an empty chart has its surface and a few grey lines.
  const colours = await page.evaluate(async (base64) => {
    const canvas = (await (globalThis as unknown as Measured).pictureOf(base64)) as ImageLike
    const { data } = canvas.getImageData(600, 200, 600, 500)
    let drawn = 0
    for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i]! - data[i + 2]!) > 20) drawn++
    return drawn / (600 * 500)
  }, bytes.toString("base64"))
  assert.ok(colours > 0.2, `${colours} of the plot is coloured`)
  await expect.poll(() => page.workers().length).toBe(1)
  assert.deepEqual(problems, [])
  await context.close()
})

/** Drags the chart by a share of its width, with Shift. */
async function drag(page: Page, share: number): Promise<void> {
  const box = await boxOf(page.locator(".u-over").first())
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const from = page.url()
  await page.mouse.move(x, y)
  await page.keyboard.down("Shift")
  await page.mouse.down()
  await page.mouse.move(x + (share * box.width) / 2, y)
  await page.mouse.move(x + share * box.width, y)
  await page.mouse.up()
  await page.keyboard.up("Shift")
  await page.waitForURL((url) => url.href !== from)
}

test("a pan asks for a window and a half on both sides once, for the next pans", async () => {
  const { page, context, problems, asked } = await explore(200)
  assert.equal(asked.length, 1)
  await drag(page, 0.3)
  await eventually(() => asked.length === 4)
  const lengths = asked.map((one) => Date.parse(one.endTime) - Date.parse(one.startTime))
  const [length] = lengths
  assert.deepEqual(
    lengths.map((one) => Math.round((10 * one) / length!) / 10),
    [1, 1, 1.5, 1.5],
  )
  assert.deepEqual(
    asked.map(({ queries: [query] }) => query!.series?.length ?? 0),
    [0, 0, 200, 200],
  )
  // All three tiles are drawn: a pan shows what is next to the window.
  await page.locator("[data-drawn='2']").waitFor({ state: "attached" })
  await drag(page, 0.2)
  await eventually(() => asked.length === 5)
  assert.equal(asked[4]!.queries[0]!.series, undefined)
  assert.deepEqual(problems, [])
  await context.close()
})

test("a request that is overtaken by the next pan is aborted", async () => {
  const { page, context, asked } = await explore(200)
  const aborted: string[] = []
  page.on("requestfailed", (request) => aborted.push(request.failure()?.errorText ?? ""))
  await page.route("**/series/query", (route) => {
    asked.push(route.request().postDataJSON() as AskedSeries)
    // Never answered.
  })
  await drag(page, 0.3)
  await eventually(() => asked.length === 2)
  await drag(page, 0.3)
  await eventually(() => asked.length === 3)
  await eventually(() => aborted.length === 1)
  assert.deepEqual(aborted, ["net::ERR_ABORTED"])
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await explore(1000, { scheme, width })
    await expectToFit(page)
    await expectAccessible(page)
    await picture(page, `dense-${scheme}-${width}`)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

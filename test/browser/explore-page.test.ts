/** Explore in a real browser: metric, filter, range, legend, keys, exports, hostile names, axe. */

import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { answerInstead, disconnect, refuse } from "../support/browser/answers.ts"
import { hostile, openPage, picture, signIn, type Look } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import {
  boxOf,
  expect,
  expectAccessible,
  expectFocus,
  expectParameter,
  expectToFit,
  expectTyped,
} from "../support/browser/expect.ts"
import { savedExport } from "../support/browser/exports.ts"
import { looks } from "../support/browser/looks.ts"
import { seriesAnswerOf, type AskedSeries } from "../support/browser/series-answers.ts"
import { useServer } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

const names = Array.from({ length: 40 }, (_, i) => (i === 3 ? hostile : `web-${i + 1}`))
const metrics = ["cpu.total", "cpu.user", "memory.used"]

const browser = useBrowser()
const client = useServer({
  async prepare(prepared) {
    const timestamp = Date.now()
    const elements = names.map((id) => ({
      id,
      type: "SERVER",
      samples: metrics.map((metricId) => ({ metricId, timestamp, val: 1 })),
    }))
    const reply = await prepared.ingest(elements)
    assert.equal(reply.status, 202, reply.text)
  },
})

const valueOf = (series: number, ms: number) => 50 + 40 * Math.sin(ms / 4e6 + series)

interface Explored extends Awaited<ReturnType<typeof openPage>> {
  /** Bodies of the calls of the series, in order. */
  readonly asked: AskedSeries[]
  /** From now on the server answers. */
  readonly letThrough: () => void
}

/** Opens Explore; the series are generated, so that tests know their values. */
async function explore(query: string, look?: Look): Promise<Explored> {
  const watched = await openPage(browser(), client(), `/app/explore${query}`, look)
  const asked: AskedSeries[] = []
  const letThrough = await answerInstead(watched.page, "**/series/query", (route) => {
    const body = route.request().postDataJSON() as AskedSeries
    asked.push(body)
    return route.fulfill({ json: seriesAnswerOf(body, { names, unit: "percent", valueOf }) })
  })
  await signIn(watched.page, client())
  await watched.page.getByRole("combobox", { name: "Metric" }).first().waitFor()
  return { ...watched, asked, letThrough }
}

const chart = (page: Page) => page.getByRole("application").first()
const rows = (page: Page) => page.locator("figure tbody tr")
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

test("a metric is found by a part of its name, and its chart is a link", async () => {
  const { page, context, problems, asked } = await explore("")
  await page.getByRole("button", { name: /^cpu.total/ }).waitFor()
  const metric = page.getByRole("combobox", { name: "Metric" })
  await metric.fill("memo")
  await page.getByRole("option", { name: /memory.used/ }).waitFor()
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Enter")
  await chart(page).waitFor()
  await expectParameter(page, "q", "memory.used;order=max")
  await expect(rows(page)).toHaveCount(20)
  await page.getByText("20 of 40 series (by max)").waitFor()
  await page.getByRole("combobox", { name: "Direction" }).selectOption("asc")
  await page.waitForURL(/order%3Dmin%3Bdir%3Dasc/)
  await page.goBack()
  await page.waitForURL((url) => url.searchParams.get("q") === "memory.used;order=max")
  await expect(page).toHaveTitle("Explore – Tidegauge")
  assert.deepEqual(asked.at(-1)!.queries.length, 1)
  assert.deepEqual(problems, [])
  await context.close()
})

test("the filter is chips and text, a wrong one is explained, and the former stays", async () => {
  const { page, context, problems } = await explore("?q=cpu.total&f=type:SERVER")
  await page.getByRole("button", { name: "type:SERVER", exact: true }).waitFor()
  await page.keyboard.press("/")
  const field = page.getByRole("combobox", { name: "Filter" })
  await field.pressSequentially("-name:test web")
  await page.waitForURL((url) => url.searchParams.get("f") === "type:SERVER -name:test web")
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "Remove web from the filter" }).waitFor()
  await field.fill("size:3")
  await page.getByText("There is no field size").waitFor()
  await expectParameter(page, "f", "type:SERVER -name:test web")
  await field.fill("")
  await page.keyboard.press("Backspace")
  await expect(field).toHaveValue("web")
  await page.getByRole("button", { name: "Edit as text" }).click()
  await expect(field).toHaveValue("type:SERVER -name:test web")
  await field.fill("")
  await page.waitForURL((url) => url.searchParams.get("f") === null)
  assert.deepEqual(problems, [])
  await context.close()
})

test("ranges: the picker, keys that pan and zoom, a drag on the chart, the way back", async () => {
  const { page, context, problems, asked } = await explore("?q=cpu.total")
  await chart(page).waitFor()
  const lengthOf = ({ startTime, endTime }: AskedSeries) =>
    Date.parse(endTime) - Date.parse(startTime)
  const hourMs = 3_600_000
  assert.equal(lengthOf(asked.at(-1)!), 6 * hourMs)
  await page.keyboard.press("-")
  await page.waitForURL(/from=\d/)
  await page.keyboard.press("Control+z")
  await page.waitForURL((url) => !url.searchParams.has("from"))
  await page.keyboard.press("t")
  const dialog = page.getByRole("dialog", { name: "Time range" })
  await expectTyped(page, "yesterday", dialog.getByLabel("From", { exact: true }))
  await page.keyboard.press("Enter")
  await dialog.getByText("is no time that can be read").waitFor()
  await paste(page, "2026-11-20 14:00 – 16:00")
  await expect(dialog.getByLabel("To", { exact: true })).toHaveValue("2026-11-20 16:00")
  await dialog.getByLabel("From", { exact: true }).fill("now-3h to now-1h")
  await page.keyboard.press("Enter")
  await page.waitForURL(/from=now-3h&to=now-1h/)
  const box = await boxOf(chart(page))
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.4, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 })
  await page.mouse.up()
  await page.waitForURL(/from=\d{13}&to=\d{13}/)
  const [from, to] = [Number(parameter(page, "from")), Number(parameter(page, "to"))]
  assert.ok(to - from > 0.1 * 2 * hourMs && to - from < 0.3 * 2 * hourMs, `${to - from} ms`)
  assert.deepEqual(problems, [])
  await context.close()
})

/** Pastes into the field with the focus, as from the clipboard, to which tests have no access. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData("text/plain", ${JSON.stringify(text)})
    const init = { clipboardData, bubbles: true, cancelable: true }
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", init))
  }`)
}

test("without a stream a range that moves with the clock is loaded each minute", async () => {
  const { page, context, asked } = await explore("?q=cpu.total")
  await chart(page).waitFor()
  await page.clock.install()
  await page.route("**/stream?*", disconnect)
  await page.reload()
  await chart(page).waitFor()
  const before = asked.length
  await page.clock.runFor(61_000)
  await chart(page).waitFor()
  await eventually(() => asked.length === before + 1)
  await page.keyboard.press("l")
  await page.waitForURL(/live=0/)
  await page.clock.runFor(121_000)
  assert.equal(asked.length, before + 1)
  await page.getByRole("button", { name: /^Not live/ }).waitFor()
  await context.close()
})

test("a range that moves with the clock is loaded after a cycle of the stream", async () => {
  const { page, context, problems, asked } = await explore("?q=cpu.total")
  await chart(page).waitFor()
  const before = asked.length
  const body = 'event: cycle\nid: 1\ndata: {"start":0}\n\n'
  await page.route("**/stream?*", (route) => {
    return route.fulfill({ contentType: "text/event-stream", body })
  })
  await page.reload()
  await chart(page).waitFor()
  await eventually(() => asked.length > before + 1)
  assert.deepEqual(problems, [])
  await context.close()
})

test("the overview lists all keys of a page with a chart, on one screen", async () => {
  const { page, context, problems } = await explore("?q=cpu.total;top%3D3")
  await chart(page).focus()
  await page.keyboard.press("?")
  const dialog = page.getByRole("dialog", { name: "Keys" })
  await dialog.getByText("Go to Home").waitFor()
  const headings = ["Everywhere", "Chart with focus", "Go to a page"]
  await expect(dialog.getByRole("heading", { level: 3 })).toHaveText(headings)
  for (const action of await dialog.getByRole("definition").all()) {
    await expect(action).toBeInViewport({ ratio: 1 })
  }
  await picture(page, "keys")
  await expectAccessible(page)
  await expectToFit(page)
  assert.deepEqual(problems, [])
  await context.close()
})

test("a chart is read and zoomed by keys alone", async () => {
  const { page, context, problems } = await explore("?q=cpu.total;top%3D3")
  await chart(page).focus()
  await page.keyboard.press("ArrowLeft")
  await page
    .getByRole("status")
    .filter({ hasText: /\d{4}-\d\d-\d\d \d\d:\d\d, web-1 / })
    .waitFor()
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("ArrowDown")
  await page
    .getByRole("status")
    .filter({ hasText: /, web-2 / })
    .waitFor()
  await page.keyboard.press("b")
  await page.waitForURL(/bands=1/)
  await page.keyboard.press("p")
  await page.waitForURL(/pct=lines/)
  await chart(page).focus()
  for (let i = 0; i < 5; i++) await page.keyboard.press("Shift+ArrowLeft")
  await page.keyboard.press("Enter")
  await page.waitForURL(/from=\d{13}/)
  assert.equal(Number(parameter(page, "to")) - Number(parameter(page, "from")), 5 * 300_000)
  await chart(page).focus()
  await page.keyboard.press("Backspace")
  await page.waitForURL((url) => !url.searchParams.has("from"))
  await page.keyboard.press("d")
  await page.getByRole("region", { name: "Values of cpu.total" }).waitFor()
  await page.getByText("1 to 25 of").waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("the legend sorts, finds, and shows one line alone", async () => {
  const { page, context, problems } = await explore("?q=cpu.total")
  await chart(page).waitFor()
  await page.getByRole("button", { name: "name", exact: true }).click()
  await page.locator("th[aria-sort=ascending]").waitFor()
  await expect(rows(page).first()).toHaveText(/^<img src=x/, { useInnerText: true })
  await page.getByPlaceholder("Find a line").fill("web-1")
  const pressed = page.locator("figure tbody [aria-pressed=true]")
  await page.getByRole("button", { name: "web-10", exact: true }).click()
  await expect(pressed).toHaveCount(1)
  await page.getByRole("button", { name: "web-10", exact: true }).click()
  const unpressed = async () => (await rows(page).count()) - (await pressed.count())
  await expect.poll(unpressed).toBe(0)
  assert.deepEqual(problems, [])
  await context.close()
})

test("charts are saved as PNG and CSV, and statistics are a table", async () => {
  const { page, context, problems } = await explore("?q=cpu.total")
  await chart(page).waitFor()
  const picture = await savedExport(page, "PNG")
  assert.match(picture.name, /^cpu.total \d{4}-\d\d-\d\d.png$/)
  assert.equal(picture.bytes.subarray(1, 4).toString(), "PNG")
  assert.ok(picture.bytes.readUInt32BE(16) >= 2000, "Expected a picture of twice the size")
  const csv = await savedExport(page, "CSV")
  const [head, ...lines] = csv.bytes.toString().trimEnd().split("\r\n")
  assert.equal(head, "time,line,unit,actual,low,high")
  assert.equal(lines.length % 20, 0)
  await page.getByText("Table", { exact: true }).click()
  await page.waitForURL(/view=table/)
  await page.getByRole("columnheader", { name: "p95" }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("the server's own answers are drawn, saved and listed", async () => {
  const { page, context, problems, letThrough } = await explore("")
  letThrough()
  await page.getByRole("button", { name: /^cpu.user/ }).click()
  await chart(page).waitFor()
  await page.getByText("20 of 40 series (by max)").waitFor()
  await expect(rows(page)).toHaveCount(20)
  await page.getByRole("button", { name: "Export" }).click()
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV" }).click(),
  ])
  const csv = readFileSync(await download.path(), "utf8")
    .trimEnd()
    .split("\r\n")
  // A line has one value.
  assert.equal(csv.length, 1 + 20)
  assert.match(csv[1]!, /^\d{4}-\d\d-\d\dT[\d:.]+Z,web-\d+,,1,1,1$/)
  await page.getByText("Table", { exact: true }).click()
  // The median of one value of 1, from the endpoint of statistics.
  const median = page.locator("tbody tr").first().locator("td").nth(4)
  await median.filter({ hasText: "1" }).waitFor()
  await page.getByRole("combobox", { name: "by", exact: true }).first().selectOption("type")
  await page.getByRole("row", { name: /SERVER/ }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

for (const look of looks) {
  const { scheme, width } = look
  test(`a long call says since when, and is cancelled, in ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await explore("?q=cpu.total", look)
    await chart(page).waitFor()
    let isHeld = true
    await page.route("**/series/query", async (route) => {
      if (!isHeld) await route.fallback()
    })
    await page.keyboard.press("r")
    const words = page.getByText(/^Waiting for the server since \d\d:\d\d:\d\d$/)
    await words.waitFor()
    await picture(page, `waiting-${scheme}-${width}`)
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("alert").getByText("The request was cancelled").waitFor()
    await expect(words).toHaveCount(0)
    await expectFocus(page)
    await expect(chart(page)).toBeVisible()
    isHeld = false
    await page.getByRole("button", { name: "Retry" }).click()
    await expect(page.getByRole("alert")).toHaveCount(0)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

test("nothing found and an error say why, and lead on", async () => {
  const { page, context } = await explore("?q=cpu.total;top%3Dx&pct=wide")
  await page.getByText("left out: q.top, pct").waitFor()
  await page.route("**/series/query", (route) => {
    const body = route.request().postDataJSON() as AskedSeries
    return route.fulfill({ json: seriesAnswerOf(body, { names: [], unit: "", valueOf }) })
  })
  await page.getByRole("combobox", { name: "Filter" }).fill("tag.env:prod")
  await page.getByText("No series of cpu.total passes the filters.").waitFor()
  await page.getByRole("button", { name: "Clear the filter" }).last().click()
  await page.getByText("There is no series of cpu.total.").waitFor()
  await page.route("**/series/query", refuse("The server is starting"))
  await page.keyboard.press("Escape")
  await page.keyboard.press("r")
  await page.getByRole("alert").getByText("The server is starting").waitFor()
  await page.getByRole("button", { name: "Retry" }).waitFor()
  await context.close()
})

test("names are text, whatever they hold", async () => {
  const { page, context, problems } = await explore("?q=cpu.total&f=%3Cb%3Ex%3C%2Fb%3E")
  await page.getByText("⟨U+202E⟩").first().waitFor()
  await expect(page.locator("img")).toHaveCount(0)
  await expect(page).toHaveTitle("Explore – Tidegauge")
  assert.deepEqual(problems, [])
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await explore("", { scheme, width })
    await page.getByRole("button", { name: /^cpu.total/ }).waitFor()
    await expectAccessible(page)
    await page.getByRole("button", { name: /^cpu.total/ }).click()
    await chart(page).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await page.keyboard.press("t")
    await page.getByRole("dialog", { name: "Time range" }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press("Escape")
    await page.getByText("Table", { exact: true }).click()
    await page.getByRole("columnheader", { name: "p95" }).waitFor()
    await expectAccessible(page)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

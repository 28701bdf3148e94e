/** Marks of events on the charts of Explore in a real browser: seen, pressed, dragged, saved. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { keepPicture, openPage, picture, signIn, type Look } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { boxOf, expect, expectAccessible } from "../support/browser/expect.ts"
import { savedExport } from "../support/browser/exports.ts"
import { callerOf } from "../support/server/caller.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer({
  async prepare(prepared) {
    const timestamp = Date.now()
    const elements = ["web-5", "web-6"].map((id) => {
      return { id, type: "SERVER", samples: [{ metricId: "cpu.total", timestamp, val: 1 }] }
    })
    const reply = await prepared.ingest(elements)
    assert.equal(reply.status, 202, reply.text)
    const hourBefore = timestamp - 3_600_000
    for (const [title, elementId] of [
      ["Deploy 1.2"],
      ["Config", "web-5"],
      ["Elsewhere", "web-6"],
    ]) {
      const event = { title, elementId, timestamp: hourBefore }
      const posted = await callerOf(prepared).post("/events", event)
      assert.equal(posted.status, 201, posted.text)
    }
  },
})

const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

/** Opens the chart of web-5, and waits for its marks. */
async function exploreMarks(look?: Look) {
  const path = "/app/explore?q=cpu.total&f=%22web-5%22"
  const watched = await openPage(browser(), client(), path, look)
  const { page } = watched
  await signIn(page, client())
  // Close ones are joined, with their count.
  const mark = page.getByTitle(/ (Deploy 1\.2, Config|Config, Deploy 1\.2)$/)
  await expect(mark).toHaveText("2")
  return { ...watched, mark }
}

/**
 * Waits until the time that a gesture chose is shown, in which there is no data: a press is lost if
 * the chart is drawn again between it and its release.
 */
async function expectNoPlot(page: Page): Promise<void> {
  await page.waitForURL(/explore.*from=\d{13}&to=\d{13}/)
  await expect(page.locator(".uplot")).toHaveCount(0)
}

test("a chart has marks of what happened to its elements and to everything", async () => {
  const { page, context, problems, mark } = await exploreMarks()
  await expect(page.getByTitle(/Elsewhere/)).toHaveCount(0)
  await picture(page, "explore-marks")
  await expectAccessible(page)
  await mark.click()
  await page.getByRole("button", { name: "Deploy 1.2" }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("the marks of a chart are in its picture, in the colour of their level", async () => {
  const { page, context, problems } = await exploreMarks()
  const { bytes } = await savedExport(page, "PNG")
  keepPicture("marks-export", bytes)
  // Pixels of --info at both sides of the tick, an hour before the end of six, at twice the size.
  const [left, right] = await coloured(page, bytes, [0x3f, 0x74, 0xc9])
  assert.ok(left > 1_600 && right < 2_200 && right - left >= 10, `From ${left} to ${right}`)
  assert.deepEqual(problems, [])
  await context.close()
})

/** The first and the last column of a PNG with a pixel of a colour; from Infinity if none has it. */
function coloured(
  page: Page,
  bytes: Buffer,
  [red, green, blue]: readonly number[],
): Promise<[number, number]> {
  return page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob("${bytes.toString("base64")}"), (one) => one.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }))
    const { width, height } = picture
    const context = new OffscreenCanvas(width, height).getContext("2d")
    context.drawImage(picture, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    let [left, right] = [Infinity, -Infinity]
    for (let i = 0; i < data.length; i += 4) {
      if (data[i] !== ${red} || data[i + 1] !== ${green} || data[i + 2] !== ${blue}) continue
      const x = (i / 4) % width
      left = Math.min(left, x)
      right = Math.max(right, x)
    }
    return [left, right]
  })()`)
}

test("a drag that begins on a mark selects a time, and opens nothing", async () => {
  const { page, context, problems, mark } = await exploreMarks()
  const box = await boxOf(mark)
  const y = box.y + box.height - 2
  await page.mouse.move(box.x + box.width / 2, y)
  await page.mouse.down()
  // And back, so that it ends where it began, but for some pixels.
  for (const x of [-40, -80, -9]) await page.mouse.move(box.x + x, y, { steps: 2 })
  await page.mouse.up()
  await expectNoPlot(page)
  const [from, to] = [Number(parameter(page, "from")), Number(parameter(page, "to"))]
  assert.ok(to > from && to - from < 1_800_000, `Expected a short time: ${to - from} ms`)
  await page.goBack()
  await mark.click()
  await page.getByRole("button", { name: "Deploy 1.2" }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("two fingers on a mark zoom, and one opens it", async () => {
  const { page, context, problems, mark } = await exploreMarks({ scheme: "dark", width: 390 })
  await mark.scrollIntoViewIfNeeded()
  const box = await boxOf(mark)
  const touch = await context.newCDPSession(page)
  const y = box.y + box.height - 2
  const fingers = (apart: number) => [
    { x: box.x + box.width / 2 + 3, y, id: 1 },
    { x: box.x + box.width / 2 + 3 - apart, y, id: 2 },
  ]
  const send = (type: "touchStart" | "touchMove" | "touchEnd", apart = 0) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: apart > 0 ? fingers(apart) : [] })
  await send("touchStart", 6)
  await send("touchMove", 60)
  await send("touchMove", 120)
  await send("touchEnd")
  await expectNoPlot(page)
  await page.goBack()
  await mark.tap()
  await page.getByRole("button", { name: "Deploy 1.2" }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

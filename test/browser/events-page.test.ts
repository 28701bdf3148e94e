/** Events in a real browser: nothing, forty events, annotations, keys, hostile names, axe. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { answerInstead, refuse } from "../support/browser/answers.ts"
import { hostile, openPage, picture, signIn, type Look } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import {
  expect,
  expectAccessible,
  expectToFit,
  expectTotal,
  expectTyped,
} from "../support/browser/expect.ts"
import { looks } from "../support/browser/looks.ts"
import { newUser } from "../support/server/caller.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer()
const minuteMs = 60_000

async function open(query = "", look?: Look) {
  const opened = await openPage(browser(), client(), `/app/events${query}`, look)
  await signIn(opened.page, client())
  await opened.page.getByText("connected", { exact: true }).waitFor()
  return opened
}

/** Fifteen events of the last half minute, and one for each minute before; each tenth is critical. */
async function postEvents(count: number, title: (i: number) => string): Promise<void> {
  const ago = (i: number) => (i < 15 ? i * 2_000 : i * minuteMs)
  const body = Array.from({ length: count }, (_, i) => ({
    type: "INFO",
    title: title(i),
    source: hostile,
    timestamp: Date.now() - ago(i),
    data: { elementId: `web-${i}`, level: i % 10 === 0 ? "CRITICAL" : "INFO", message: hostile },
  }))
  const path = `/ingest/events/${client().apiKey}`
  const posted = await client().send(path, { method: "POST", body })
  assert.equal(posted.status, 202, posted.text)
}

const rows = (page: Page) => page.getByRole("list", { name: "Events" }).getByRole("listitem")

test("with nothing there the page says so, and events appear by themselves", async () => {
  const { page, context, problems } = await open()
  await page.getByText("No event in this range of time.").waitFor()
  await expect(page).toHaveTitle("Events – Tidegauge")
  await picture(page, "events-nothing")
  await expectAccessible(page)
  await postEvents(40, (i) => (i === 3 ? hostile : `Deploy ${i}`))
  await expectTotal(page, "40 events")
  await expect(rows(page)).toHaveCount(40)
  await page.getByRole("img", { name: /^40 events, a bar for each/ }).waitFor()
  await page.getByRole("button", { name: "⟨U+202E⟩txt" }).waitFor()
  await expect(page.locator("img")).toHaveCount(0)
  await expect(page).toHaveTitle("Events – Tidegauge")
  assert.deepEqual(problems, [])
  await context.close()
})

test("levels, search and range are in the address, and a link shows the same", async () => {
  const { page, context } = await open()
  await page.getByRole("button", { name: "Critical 4" }).click()
  await expectTotal(page, "4 events")
  await page.getByRole("searchbox").fill("deploy 30")
  await page.getByRole("button", { name: "Deploy 30" }).waitFor()
  await expectTotal(page, "1 event")
  await page.waitForURL(/level=critical&q=deploy/)
  const address = page.url()
  await page.goto(`${client().url}/app/events?from=now-10m`)
  await expectTotal(page, "15 events")
  await page.goto(address)
  await expectTotal(page, "1 event")
  await page.getByRole("searchbox").fill("nothing like it")
  await page.getByText("No event of this range passes").waitFor()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Clear search and levels" }).click()
  await expectTotal(page, "40 events")
  await context.close()
})

test("by keys alone: move, open what an event holds, write an annotation", async () => {
  const { page, context, problems } = await open()
  await expectTotal(page, "40 events")
  await rows(page).first().waitFor()
  await page.keyboard.press("j")
  await page.keyboard.press("j")
  await page.keyboard.press("Enter")
  await page.getByRole("region", { name: "Deploy 1" }).getByText("⟨U+202E⟩").waitFor()
  await expectAccessible(page)
  await page.keyboard.press("Enter")
  await page.getByRole("region", { name: "Deploy 1" }).waitFor({ state: "detached" })
  await page.getByRole("button", { name: "Write an annotation…" }).press("Enter")
  const dialog = page.getByRole("dialog", { name: "Write an annotation" })
  await expect(dialog.getByLabel("Title")).toBeFocused()
  await page.keyboard.press("Enter")
  await dialog.getByText("An annotation needs a title.").waitFor()
  await expectAccessible(page)
  await expectTyped(page, "New cables", dialog.getByLabel("Title"))
  await dialog.getByLabel("Message").fill("In rack 4")
  await page.keyboard.press("Enter")
  await page.getByText("The annotation is written").waitFor()
  await expect(page.getByRole("button", { name: "Write an annotation…" })).toBeFocused()
  await page.getByRole("button", { name: "New cables" }).waitFor()
  await expectTotal(page, "41 events")
  assert.deepEqual(problems, [])
  await context.close()
})

test("a Read Only user cannot write annotations", async () => {
  await newUser(client(), "reader", "Read Only")
  const { page, context } = await openPage(browser(), client(), "/app/events")
  await page.getByLabel("E-mail").fill(client().user.replace(/^[^@]*/, "reader"))
  await page.getByLabel("Password", { exact: true }).fill("a password of its own")
  await page.keyboard.press("Enter")
  await expectTotal(page, "41 events")
  await expect(page.getByRole("button", { name: "Write an annotation…" })).toHaveCount(0)
  await context.close()
})

test("an answer that fails is explained, and Retry loads it", async () => {
  const { page, context } = await openPage(browser(), client(), "/app/events")
  const calls = "**/events?*"
  const letThrough = await answerInstead(page, calls, (route) => {
    if (new URL(route.request().url()).pathname.startsWith("/app/")) return route.fallback()
    return refuse("Busy")(route)
  })
  await signIn(page, client())
  await page.getByRole("alert").getByText("Busy").waitFor()
  letThrough()
  await page.getByRole("button", { name: "Retry" }).click()
  await page.getByRole("button", { name: "Deploy 1", exact: true }).waitFor()
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await open("", { scheme, width })
    await page.getByRole("button", { name: "Deploy 1", exact: true }).click()
    await page.getByRole("region", { name: "Deploy 1" }).waitFor()
    await picture(page, `events-${scheme}-${width}`)
    await expectToFit(page)
    await expectAccessible(page)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

test("in a narrow window an event has its message and its source before it is opened", async () => {
  for (const width of [700, 390]) {
    const { page, context } = await open("", { width })
    const title = page.getByRole("button", { name: "Deploy 2", exact: true })
    const texts = rows(page)
      .filter({ has: title })
      .getByText(/⟨U\+202E⟩txt$/)
    await expect(texts).toHaveCount(2)
    await expect(texts.first()).toBeVisible()
    await expect(texts.last()).toBeVisible()
    await context.close()
  }
})

test("older events are added by a press, and stay when new ones arrive", async () => {
  await postEvents(300, (i) => `Build ${i}`)
  const { page, context } = await open("?q=build")
  await expectTotal(page, "300 events")
  await expect(rows(page)).toHaveCount(100)
  await page.getByRole("button", { name: "Show older events" }).press("Enter")
  await rows(page).nth(199).waitFor()
  await page.mouse.move(640, 5)
  await postEvents(1, () => "Build new")
  await page.getByRole("button", { name: "Build new" }).waitFor()
  await expect(rows(page)).toHaveCount(201)
  await context.close()
})

test("firings of a policy at one time are one line, which opens to its events", async () => {
  const actions = [{ type: "event", category: 2 }]
  const policy = { name: "Storm", scope: {}, eventConditions: [{ messageRegex: "gale" }], actions }
  assert.equal((await client().post("/policies", { policy })).status, 200)
  const timestamp = Date.now() - 1_000
  const body = Array.from({ length: 24 }, (_, i) => {
    const data = { elementId: `ship-${i}`, level: "INFO", message: "gale" }
    return { type: "INFO", title: `Gale ${i}`, source: "ci", timestamp, data }
  })
  const path = `/ingest/events/${client().apiKey}`
  assert.equal((await client().send(path, { method: "POST", body })).status, 202)
  const { page, context, problems } = await open("?q=Storm")
  await expectTotal(page, "24 events")
  await expect(rows(page)).toHaveCount(1)
  await page.getByText("24 elements").waitFor()
  await picture(page, "events-group")
  await page.keyboard.press("j")
  await page.keyboard.press("Enter")
  const below = page.getByRole("list", { name: "Events of Storm" }).getByRole("listitem")
  await expect(below).toHaveCount(24)
  await page.keyboard.press("j")
  await page.keyboard.press("Enter")
  await page.getByRole("region", { name: "Storm" }).getByText('"gale"').waitFor()
  await picture(page, "events-group-open")
  await expectAccessible(page)
  assert.deepEqual(problems, [])
  await context.close()
})

test("what was yesterday is noted: when, until when, of which element, with tags", async () => {
  const samples = [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }]
  const posted = await client().ingest([{ id: "shop-db-7", type: "DATABASE", samples }])
  assert.equal(posted.status, 202, posted.text)
  const { page, context, problems } = await open("?from=now-2d&tz=Asia/Tokyo&q=Move")
  await page.getByRole("button", { name: "Write an annotation…" }).press("Enter")
  const dialog = page.getByRole("dialog", { name: "Write an annotation" })
  await expectTyped(page, "Move to rack 5", dialog.getByLabel("Title"))
  await dialog.getByLabel("Start", { exact: true }).fill("yesterday 23:00")
  await dialog.getByLabel("End (optional)", { exact: true }).fill("yesterday 22:00")
  const element = dialog.getByRole("combobox", { name: "Element" })
  await element.pressSequentially("db-7")
  await page.getByRole("option", { name: /^shop-db-7/ }).waitFor()
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Enter")
  await expect(element).toHaveValue("shop-db-7")
  await dialog.getByLabel("Tag (optional)").fill("stage:production")
  await page.keyboard.press("Enter")
  await dialog.getByLabel("Tag (optional)").fill("canary")
  await page.keyboard.press("Enter")
  await page.keyboard.press("Enter")
  await dialog.getByText(/^The end, .* 22:00:00, is before the start, .* 23:00:00\.$/).waitFor()
  await picture(page, "annotation-refused")
  await expectAccessible(page)
  await expectToFit(page)
  await dialog.getByLabel("End (optional)", { exact: true }).fill("yesterday 23:30")
  await page.keyboard.press("Enter")
  const row = rows(page).filter({ hasText: "Move to rack 5" })
  await row.getByText("until 23:30").waitFor()
  await expect(row.getByRole("listitem")).toHaveText(["stage:production", "canary"])
  await row.getByRole("link", { name: "shop-db-7" }).waitFor()
  await row.getByRole("button", { name: "Move to rack 5" }).click()
  await row.getByText(/^\d{4}-\d\d-\d\d 23:00:00 until \d{4}-\d\d-\d\d 23:30:00$/).waitFor()
  await picture(page, "annotation-listed")
  await expectAccessible(page)
  assert.deepEqual(problems, [])
  await context.close()
})

/** Alerts in a real browser: nothing, forty incidents, changes by keys, hostile names, axe. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { answerInstead, refuse } from "../support/browser/answers.ts"
import { hostile, openPage, picture, signIn, type Look } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import {
  boxOf,
  expect,
  expectAccessible,
  expectFocus,
  expectToFit,
  expectTotal,
  expectTyped,
} from "../support/browser/expect.ts"
import { looks } from "../support/browser/looks.ts"
import { newUser } from "../support/server/caller.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer()
const incidentCount = 40

async function open(query = "", look?: Look) {
  const opened = await openPage(browser(), client(), `/app/alerts${query}`, look)
  await signIn(opened.page, client())
  await opened.page.getByText("connected", { exact: true }).waitFor()
  return opened
}

async function newPolicy(name: string, messageRegex: string, category: number): Promise<void> {
  const actions = [{ type: "event", category }]
  const policy = { name, scope: {}, eventConditions: [{ messageRegex }], actions }
  const made = await client().post("/policies", { policy })
  assert.equal(made.status, 200, made.text)
}

async function postEvents(from: number, to: number, word: string): Promise<void> {
  const body = Array.from({ length: to - from }, (_, i) => {
    const data = { elementId: `web-${from + i}`, level: "WARNING", message: `sda1 ${word}` }
    return { type: "INFO", title: "sda1", source: "ci", timestamp: Date.now(), data }
  })
  const path = `/ingest/events/${client().apiKey}`
  assert.equal((await client().send(path, { method: "POST", body })).status, 202)
}

/** Forty elements, one with a hostile name, each with an incident of one of two policies. */
async function openIncidents(): Promise<void> {
  const elements = Array.from({ length: incidentCount }, (_, i) => ({
    id: `web-${i}`,
    name: i === 3 ? hostile : `web-${i}`,
    type: "SERVER",
    samples: [{ metricId: "cpu.total", timestamp: Date.now(), val: i }],
  }))
  assert.equal((await client().ingest(elements)).status, 202)
  await newPolicy(`${hostile} policy`, "fails", 3)
  await newPolicy("Disk nearly full", "fills", 2)
  await postEvents(0, 10, "fails")
  await postEvents(10, incidentCount - 1, "fills")
}

const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true })
const selectBox = (page: Page, element: string) =>
  page.getByRole("checkbox", { name: new RegExp(` of ${element}$`) })

const groupButton = (page: Page, name: string, count: number) =>
  page.getByRole("button", { name: `${name} ${count}`, exact: false })

const nonePasses = (page: Page) => page.getByText("No alert passes this search and these levels.")

async function closedCount(): Promise<number> {
  const found = await client().get("/incidents?isClosed=true&limit=0&total=true")
  return found.json<{ total: number }>().total
}

test("with nothing open the page says so, and an alert appears by itself", async () => {
  const { page, context, problems } = await open()
  await page.getByText("No alert is open.").waitFor()
  await expect(page).toHaveTitle("Alerts – Tidegauge")
  await picture(page, "alerts-nothing")
  await expectAccessible(page)
  await openIncidents()
  await expectTotal(page, "39 alerts")
  await postEvents(incidentCount - 1, incidentCount, "fills")
  await expectTotal(page, "40 alerts")
  await groupButton(page, "Disk nearly full", 30).waitFor()
  await link(page, "web-39").waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("names of policies and elements stay texts", async () => {
  const { page, context, problems } = await open("?group=time&q=%3Cimg")
  await expectTotal(page, "10 alerts")
  await page.getByRole("link", { name: /⟨U\+202E⟩txt$/ }).waitFor()
  await expect(page.locator("img")).toHaveCount(0)
  // The title counts the open alerts of all pages, not those that pass.
  await page.getByRole("link", { name: "Alerts: 40 open, the worst is critical" }).waitFor()
  await expect(page).toHaveTitle("(40) Alerts – Tidegauge")
  assert.deepEqual(problems, [])
  await context.close()
})

test("levels, search, state and order are in the address, and a link shows the same", async () => {
  const { page, context } = await open()
  await page.getByRole("button", { name: "Critical 10" }).click()
  await expectTotal(page, "10 alerts")
  await page.getByRole("searchbox").fill("web-4")
  await expectTotal(page, "1 alert")
  await page.getByRole("combobox", { name: "Group by" }).selectOption("Nothing")
  await page.waitForURL(/group=time/)
  await page.getByRole("button", { name: "Since" }).click()
  await page.waitForURL(/order=asc/)
  const address = page.url()
  await page.goto(`${client().url}/app/alerts`)
  await expectTotal(page, "40 alerts")
  await page.goto(address)
  await expectTotal(page, "1 alert")
  await page.getByText("Closed", { exact: true }).click()
  await nonePasses(page).waitFor()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Clear search and levels" }).click()
  await page.getByText("No alert of this range is closed.").waitFor()
  await page.getByRole("button", { name: "Show closed ones too" }).click()
  await expectTotal(page, "40 alerts")
  await context.close()
})

test("by keys alone: move, select, acknowledge with a note, take back, open", async () => {
  const { page, context, problems } = await open("?group=time&q=web-1")
  await expectTotal(page, "11 alerts")
  const focused = page.locator("tr a:focus")
  while ((await focused.count()) === 0) await page.keyboard.press("j")
  await page.keyboard.press("x")
  await page.keyboard.press("j")
  await page.keyboard.press("x")
  await page.getByText("2 selected").first().waitFor()
  await page.keyboard.press("a")
  const dialog = page.getByRole("dialog", { name: "Acknowledge 2 alerts" })
  await expectTyped(page, hostile, dialog.getByLabel("Note"))
  await expectAccessible(page)
  await page.keyboard.press("Enter")
  await page.getByText("Acknowledged 2 alerts").waitFor()
  await expectFocus(page)
  await page.getByRole("radio", { name: "Acknowledged", exact: true }).press("Space")
  await expectTotal(page, "2 alerts")
  await page.getByTitle("⟨U+202E⟩txt").first().waitFor()
  await page.getByRole("checkbox", { name: "Select all that pass" }).press("Space")
  await page.getByRole("button", { name: "Undo" }).press("Enter")
  await nonePasses(page).waitFor()
  await page.getByRole("radio", { name: "Open", exact: true }).press("Space")
  await expectTotal(page, "11 alerts")
  await link(page, "web-1").press("Enter")
  await page.waitForURL(/\/app\/elements\/web-1\?tab=alerts$/)
  assert.deepEqual(problems, [])
  await context.close()
})

test("a group opens to its alerts, and is acknowledged whole by keys alone", async () => {
  const { page, context, problems } = await open()
  const group = groupButton(page, "Disk nearly full", 30)
  await expect(group).toHaveAttribute("aria-expanded", "false")
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(3)
  // The level stands once, chips are whole, and the button counts what has no room.
  await expect(page.getByRole("row").nth(2).getByText("warning")).toHaveCount(1)
  await page.getByRole("button", { name: /^\d+ more of Disk nearly full$/ }).waitFor()
  await picture(page, "alerts-groups")
  const focused = page.locator("tr button:focus").filter({ hasText: "Disk nearly full" })
  while ((await focused.count()) === 0) await page.keyboard.press("j")
  await page.keyboard.press("Enter")
  await expect(group).toHaveAttribute("aria-expanded", "true")
  await expect(page.getByRole("table", { name: "Alerts" })).toHaveAttribute("aria-rowcount", "33")
  await picture(page, "alerts-group-open")
  await expectAccessible(page)
  await page.keyboard.press("a")
  const dialog = page.getByRole("dialog", { name: "Acknowledge 30 alerts" })
  await expectTyped(page, "Disks are ordered", dialog.getByLabel("Note"))
  await page.keyboard.press("Enter")
  await page.getByText("Acknowledged 30 alerts").waitFor()
  await page.getByRole("radio", { name: "Acknowledged", exact: true }).press("Space")
  await expectTotal(page, "30 alerts")
  await page.getByRole("checkbox", { name: "Select 30 alerts of Disk nearly full" }).press("Space")
  await page.getByText("30 selected").first().waitFor()
  await page.getByRole("button", { name: "Undo" }).press("Enter")
  await nonePasses(page).or(page.getByText("No open alert is acknowledged.")).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("alerts are grouped by element too, and open ones sorted by what has an order", async () => {
  const { page, context } = await open("?group=element&q=web-1")
  await expectTotal(page, "11 alerts")
  await link(page, "web-1").waitFor()
  await page.getByRole("combobox", { name: "Group by" }).selectOption("Nothing")
  const sort = (name: string) => page.getByRole("columnheader", { name })
  await sort("Element").getByRole("button").press("Enter")
  await page.waitForURL(/sort=element/)
  await expect(sort("Element")).toHaveAttribute("aria-sort", "ascending")
  await expect(page.locator("[data-row='0']")).toContainText("web-1")
  await sort("Element").getByRole("button").press("Enter")
  await expect(page.locator("[data-row='0']")).toContainText("web-19")
  await page.getByRole("radio", { name: "All", exact: true }).press("Space")
  // Closed ones go by time alone: only this header is a button.
  await expect(page.getByRole("columnheader").getByRole("button")).toHaveCount(1)
  await context.close()
})

test("all that pass are closed after a confirmation, and nothing else", async () => {
  const { page, context, problems } = await open("?group=time&q=web-2")
  await expectTotal(page, "11 alerts")
  await page.getByRole("checkbox", { name: "Select all that pass" }).click()
  await page.getByText("11 selected").first().waitFor()
  await page.getByRole("button", { name: "Close…" }).click()
  const dialog = page.getByRole("dialog", { name: "Close 11 alerts?" })
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused()
  await page.keyboard.press("Enter")
  await expect(page.getByRole("button", { name: "Close…" })).toBeFocused()
  assert.equal(await closedCount(), 0)
  await page.keyboard.press("c")
  await dialog.getByRole("button", { name: "Close", exact: true }).click()
  await page.getByText("Closed 11 alerts").waitFor()
  await nonePasses(page).waitFor()
  await expectFocus(page)
  assert.equal(await closedCount(), 11)
  assert.deepEqual(problems, [])
  await context.close()
})

test("rows that are pointed at stay until the pointer leaves", async () => {
  const { page, context } = await open("?group=time")
  await expectTotal(page, "29 alerts")
  await selectBox(page, "web-39").hover()
  await postEvents(25, 26, "fills")
  await page.getByRole("button", { name: "Alerts have changed: show them" }).waitFor()
  await expectTotal(page, "29 alerts")
  await page.mouse.move(640, 5)
  await expectTotal(page, "30 alerts")
  await context.close()
})

const strip = (page: Page) => page.getByRole("application", { name: /^41 alerts opened in/ })
const violators = (page: Page) => page.getByRole("region", { name: "Top violators" })

test("a strip has the alerts of the range by time, and keys choose its bars", async () => {
  const { page, context, problems } = await open("?from=now-1h")
  await page
    .getByRole("img", { name: /, a bar for each 5 min. Open ones of any time are listed.$/ })
    .waitFor()
  await strip(page).press("End")
  const marked = page.getByRole("status").getByText(/^\d\d:\d\d to \d\d:\d\d: \d+ alerts?$/)
  await marked.waitFor()
  await page.keyboard.press("Shift+Home")
  await page
    .getByRole("status")
    .getByText(/: 41 alerts$/)
    .waitFor()
  await page.keyboard.press("Enter")
  await page.waitForURL(/state=all/)
  await page.waitForURL(/from=\d{13}&to=\d{13}/)
  await expectTotal(page, "41 alerts")
  await strip(page).press("Backspace")
  await page.waitForURL(/from=now-1h/)
  assert.deepEqual(problems, [])
  await context.close()
})

test("a drag over the strip lists all alerts of its time, an empty time has none", async () => {
  const { page, context } = await open("?from=now-1h")
  const { x, y, width, height } = await boxOf(strip(page))
  const middle = y + height / 2
  await page.mouse.move(x + width * 0.1, middle)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.3, middle, { steps: 3 })
  await page.mouse.up()
  await page.waitForURL(/state=all/)
  await page.getByText("No alert was open in this range.").first().waitFor()
  await page.getByText("No alert opened in this range.").waitFor()
  await page.goBack()
  await expectTotal(page, "30 alerts")
  await strip(page).waitFor()
  await context.close()
})

test("the top violators lead to their alerts, by number or by minutes", async () => {
  await postEvents(7, 8, "fills")
  const { page, context, problems } = await open()
  const first = violators(page).getByRole("listitem").first().getByRole("link")
  await expect(first).toHaveText(/^Critical ?web-7 ?2 alerts$/)
  await expect(first).toHaveAttribute("title", /^web-7: 2 alerts · \d/)
  await expect(violators(page).getByRole("listitem")).toHaveCount(5)
  await picture(page, "alerts-violators")
  await first.press("Enter")
  await page.waitForURL(/state=all&element=/)
  await expectTotal(page, "2 alerts")
  await page.getByText("Only web-7").waitFor()
  const asked = page.waitForRequest(/\/incidents\/groups\?.*sort=minutes/)
  await violators(page).getByRole("radio", { name: "Minutes" }).press("Space")
  await asked
  await page.waitForURL(/top=minutes/)
  await expect(first).toHaveText(/\d min$/)
  assert.deepEqual(problems, [])
  await context.close()
})

test("a change while the top violators are on their way asks for them no second time", async () => {
  const { page, context, problems } = await openPage(browser(), client(), "/app/alerts?group=time")
  let asked = 0
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const letThrough = await answerInstead(page, "**/incidents/groups?*", async (route) => {
    asked += 1
    await released
    await route.continue()
  })
  const waits = page.waitForRequest(/\/incidents\/groups\?/)
  await signIn(page, client())
  await waits
  await postEvents(8, 9, "fills")
  await page.getByRole("application", { name: /^43 alerts opened in/ }).waitFor()
  assert.equal(asked, 1)
  letThrough()
  release()
  await expect(violators(page).getByRole("listitem")).toHaveCount(5)
  assert.deepEqual(problems, [])
  await context.close()
})

test("a Read Only user sees no control for changes", async () => {
  await newUser(client(), "reader", "Read Only")
  const { page, context } = await openPage(browser(), client(), "/app/alerts?group=time")
  await page.getByLabel("E-mail").fill(client().user.replace(/^[^@]*/, "reader"))
  await page.getByLabel("Password", { exact: true }).fill("a password of its own")
  await page.keyboard.press("Enter")
  await link(page, "web-39").focus()
  await expect(page.getByRole("checkbox")).toHaveCount(0)
  await page.keyboard.press("a")
  await expect(page.getByRole("dialog")).toHaveCount(0)
  await context.close()
})

test("an answer that fails is explained, and Retry loads it", async () => {
  const { page, context } = await openPage(browser(), client(), "/app/alerts?group=time")
  const letThrough = await answerInstead(page, "**/incidents?*limit=200*", refuse("Busy"))
  await signIn(page, client())
  await page.getByRole("alert").getByText("Busy").waitFor()
  letThrough()
  await page.getByRole("button", { name: "Retry" }).click()
  await link(page, "web-39").waitFor()
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await open("?group=time&state=all", { scheme, width })
    await link(page, "web-39").waitFor()
    await page.getByRole("application", { name: /^43 alerts opened in/ }).waitFor()
    const head = violators(page).getByRole("button", { name: "Top violators" })
    if (width < 640) await head.press("Enter")
    await expect(violators(page).getByRole("listitem")).toHaveCount(5)
    await picture(page, `alerts-${scheme}-${width}`)
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole("combobox", { name: "Group by" }).selectOption("Policy")
    await page.getByRole("button", { name: /^Disk nearly full \d+/ }).waitFor()
    await picture(page, `alerts-groups-${scheme}-${width}`)
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole("combobox", { name: "Group by" }).selectOption("Nothing")
    await selectBox(page, "web-39").click()
    await picture(page, `alerts-selected-${scheme}-${width}`)
    await expectToFit(page)
    await expectAccessible(page)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

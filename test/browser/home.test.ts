/** Home in a real browser: nothing, forty elements, alerts that arrive, keys, hostile names, axe. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Route } from "playwright-core"
import { answerInstead, disconnect } from "../support/browser/answers.ts"
import { hostile, openPage, picture, signIn, type Look } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect, expectAccessible, expectToFit } from "../support/browser/expect.ts"
import { looks } from "../support/browser/looks.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer()

async function open(look?: Look) {
  const opened = await openPage(browser(), client(), "/app/", look)
  await signIn(opened.page, client())
  await opened.page.getByText("connected", { exact: true }).waitFor()
  return opened
}

async function ingest(from: number, to: number): Promise<void> {
  const elements = Array.from({ length: to - from }, (_, i) => ({
    id: `web-${from + i}`,
    name: from + i === 3 ? hostile : `web-${from + i}`,
    type: (from + i) % 3 === 0 ? "CONTAINER" : "SERVER",
    samples: [{ metricId: "cpu.total", timestamp: Date.now(), val: from + i }],
  }))
  const reply = await client().ingest(elements)
  assert.equal(reply.status, 202, reply.text)
}

async function newPolicy(name: string): Promise<void> {
  const policy = {
    name,
    scope: {},
    eventConditions: [{ messageRegex: "fails" }],
    actions: [{ type: "event", category: 3 }],
  }
  const made = await client().post("/policies", { policy })
  assert.equal(made.status, 200, made.text)
}

async function postEvent(elementId: string, title: string): Promise<void> {
  const data = { elementId, level: "CRITICAL", message: `${title} fails` }
  const body = [{ type: "INFO", title, source: "ci", timestamp: Date.now(), data }]
  const path = `/ingest/events/${client().apiKey}`
  assert.equal((await client().send(path, { method: "POST", body })).status, 202)
}

async function deleteElement(id: string): Promise<void> {
  const body = { ids: [id], action: "delete" }
  const reply = await client().post("/elements/search/elementBulk", body)
  assert.equal(reply.status, 200, reply.text)
}

test("with nothing there the page says why and what to do", async () => {
  const { page, context, problems } = await open()
  // The first steps come first, once.
  await page.waitForURL(/\/app\/welcome$/)
  await page.keyboard.press("g")
  await page.keyboard.press("h")
  await page.getByText("No element has sent data yet.").waitFor()
  await page.getByText("No alert is open.").waitFor()
  await expect(page).toHaveTitle("Home – Tidegauge")
  await picture(page, "home-nothing")
  await expectAccessible(page)
  assert.deepEqual(problems, [])
  await context.close()
})

test("elements, an alert and its event are there, hostile names as text", async () => {
  await ingest(0, 40)
  await newPolicy(`${hostile} policy`)
  const { page, context, problems } = await open()
  await page.getByRole("heading", { name: /SERVER 26/ }).waitFor()
  await page.getByRole("heading", { name: /CONTAINER 14/ }).waitFor()
  await page.getByText("40 elements", { exact: true }).waitFor()
  await postEvent("web-3", "sda1")
  await page.getByRole("heading", { name: "Open alerts (1)" }).waitFor()
  await page.getByRole("link", { name: /^<img src=x.*txt$/ }).waitFor()
  await page.getByText("sda1").waitFor()
  await page.getByRole("link", { name: "Alerts: 1 open, the worst is critical" }).waitFor()
  await expect(page).toHaveTitle("(1) Home – Tidegauge")
  const href = () => page.locator("link[rel=icon]").getAttribute("href")
  const icon = async () => decodeURIComponent((await href())!)
  await expect.poll(icon).toMatch(/^data:image\/svg\+xml,.*fill='#ff4d3d'/)
  await expect(page.locator("img")).toHaveCount(0)
  assert.deepEqual(problems, [])
  await context.close()
})

test("events are a line for each policy, with their number; an annotation is a line", async () => {
  for (let i = 0; i < 2; i++) await postEvent("web-3", "sdb2")
  const annotation = { title: "New cables", timestamp: new Date().toISOString() }
  assert.equal((await client().post("/events", annotation)).status, 201)
  const { page, context, problems } = await open()
  const lines = page.getByRole("list", { name: "Events of the last day" }).getByRole("listitem")
  // A policy fires some time after the event that it waits for: lines come in any order.
  await expect(lines).toHaveCount(4)
  for (const line of [/New cables.*everything/, /policy3.*txt/, /sdb22.*txt/, /sda1.*txt/]) {
    await expect(lines.filter({ hasText: line })).toHaveCount(1)
  }
  await page.getByTitle("3 events", { exact: true }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("tiles are read and left by keys alone, each type with one tab stop", async () => {
  const { page, context } = await open()
  const containers = page.getByRole("list", { name: /^CONTAINER: 14 elements/ }).getByRole("link")
  await expect(containers).toHaveCount(14)
  await containers.first().focus()
  const first = page.getByRole("link", { name: /⟨U\+202E⟩txt critical, 1 open alert/ })
  await expect(first).toBeFocused()
  await page.keyboard.press("End")
  await expect(containers.last()).toBeFocused()
  await page.keyboard.press("Tab")
  const servers = page.getByRole("list", { name: /^SERVER: 26 elements/ }).getByRole("link")
  await expect(servers.first()).toBeFocused()
  await page.keyboard.press("Shift+Tab")
  await expect(containers.last()).toBeFocused()
  await page.keyboard.press("Home")
  await page.keyboard.press("ArrowRight")
  await expect(page.getByRole("link", { name: /^web-0 ok/ })).toBeFocused()
  await page.keyboard.press("ArrowLeft")
  await page.keyboard.press("Enter")
  await page.waitForURL(/\/app\/elements\/web-3/)
  await page.keyboard.press("g")
  await page.keyboard.press("h")
  await page.getByRole("heading", { name: "Open alerts (1)" }).waitFor()
  await context.close()
})

test("a tile has the main metric of its type, and two calls give it to all", async () => {
  const element = { id: "bare", type: "BARE", metrics: [{ id: "cpu.total" }] }
  assert.equal((await client().ingest([element])).status, 202)
  const { page, context } = await openPage(browser(), client(), "/app/")
  const bodies: string[] = []
  page.on("request", (request) => {
    const isAsked = /(?:series\/query|elementStatus)$/.test(request.url())
    if (isAsked) bodies.push(request.postData() ?? "")
  })
  await signIn(page, client())
  await page.getByRole("link", { name: "web-7 ok cpu.total 7" }).waitFor()
  await page.getByRole("link", { name: "web-39 ok cpu.total 39" }).waitFor()
  // Without values it says nothing, and no more than its level is read.
  await page.getByRole("link", { name: "bare ok", exact: true }).waitFor()
  // Parts that all pages have are loaded later: they ask for nothing that Home knows.
  await page.getByText(/^cycle \d\d:\d\d closed/).waitFor()
  await page
    .getByText(/^data to \d\d:\d\d:\d\d$/)
    .first()
    .waitFor()
  assert.equal(bodies.length, 3, bodies.join("\n"))
  assert.equal(bodies.filter((body) => body.includes("countsOnly")).length, 0)
  await deleteElement("bare")
  await context.close()
})

test("old data is said to be old, in the summary and in the status line", async () => {
  const { page, context } = await openPage(browser(), client(), "/app/")
  const old = async (route: Route): Promise<void> => {
    const response = await route.fetch()
    const known = (await response.json()) as { serverTime: string; ingest: object }
    const newestSample = new Date(Date.parse(known.serverTime) - 31 * 60_000).toISOString()
    await route.fulfill({ json: { ...known, ingest: { ...known.ingest, newestSample } } })
  }
  const letThrough = await answerInstead(page, "**/status", old)
  await signIn(page, client())
  const summary = page.getByRole("region", { name: "What is wrong now" })
  await summary.getByText(/^data to .*, 31 min old$/).waitFor()
  await page
    .getByRole("contentinfo")
    .getByText(/^data to .*, 31 min old$/)
    .waitFor()
  await picture(page, "home-old-data")
  await expectAccessible(page)
  letThrough()
  await ingest(0, 1)
  await summary.getByText(/^data to \d\d:\d\d:\d\d$/).waitFor()
  await context.close()
})

test("a filter narrows elements and alerts, and one that nothing passes says so", async () => {
  const { page, context } = await open()
  const field = page.getByRole("combobox", { name: "Filter" })
  await field.fill("type:CONTAINER")
  await page.keyboard.press("Enter")
  await page.getByText("14 elements", { exact: true }).waitFor()
  await page.getByRole("heading", { name: "Open alerts (1)" }).waitFor()
  // Calls of events take no filter.
  await page.getByText("Of all elements: the filter does not apply.").waitFor()
  await field.fill("type:NOTHING")
  await page.keyboard.press("Enter")
  await page.getByText("No alert is open.").waitFor()
  await page.getByRole("button", { name: "Clear the filter" }).first().click()
  await page.getByText("40 elements", { exact: true }).waitFor()
  await context.close()
})

test("parts that fail say so, the others stay, and links keep the range", async () => {
  const { page, context } = await openPage(browser(), client(), "/app/?from=now-2d")
  const failing = ["**/status", "**/events/histogram?*"]
  const letThrough = await Promise.all(
    failing.map((calls) => answerInstead(page, calls, disconnect)),
  )
  await signIn(page, client())
  await page.getByText("The time of the data could not be loaded").waitFor()
  await page.getByText("Numbers of events could not be loaded").waitFor()
  await page.getByRole("heading", { name: /SERVER 26/ }).waitFor()
  for (const letOneThrough of letThrough) letOneThrough()
  await page.getByRole("button", { name: "Retry" }).first().click()
  await page.getByText(/samples\/s/).waitFor()
  await page.getByRole("link", { name: "Open alerts (1)" }).click()
  await page.waitForURL(/\/app\/alerts\?from=now-2d$/)
  await context.close()
})

test("without a connection the page says since when, and goes on by itself", async () => {
  const { page, context } = await openPage(browser(), client(), "/app/")
  const letThrough = await answerInstead(page, "**/stream?*", disconnect)
  await signIn(page, client())
  await page.getByRole("heading", { name: "Open alerts (1)" }).waitFor()
  await page.getByText(/^Not connected since /).waitFor()
  letThrough()
  await page.getByText("connected", { exact: true }).waitFor()
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await open({ scheme, width })
    await page.getByRole("heading", { name: "Open alerts (1)" }).waitFor()
    await page.getByRole("heading", { name: /SERVER 26/ }).waitFor()
    await picture(page, `home-${scheme}-${width}`)
    await expectToFit(page)
    await expectAccessible(page)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

test("a fleet of more than 300 is a map of cells, left by keys", async () => {
  await ingest(40, 340)
  const { page, context, problems } = await open()
  await page.getByRole("application", { name: /CONTAINER: 114 elements/ }).focus()
  await page.getByText(/⟨U\+202E⟩txt: critical, 1 open alert/).waitFor()
  await picture(page, "home-map")
  await page.keyboard.press("ArrowRight")
  await page.getByText(/^web-\d+: /).waitFor()
  await page.keyboard.press("ArrowLeft")
  await page.keyboard.press("Enter")
  await page.waitForURL(/\/app\/elements\/web-3/)
  assert.deepEqual(problems, [])
  await context.close()
})

/** Home in a real browser: nothing, forty elements, alerts that arrive, keys, hostile names, axe. */

import assert from "node:assert/strict"
import { test } from "node:test"
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

test("the map is read and left by keys alone", async () => {
  const { page, context } = await open()
  await page.getByRole("application", { name: /CONTAINER: 14 elements/ }).focus()
  await page.getByText(/⟨U\+202E⟩txt: critical, 1 open alert/).waitFor()
  await page.keyboard.press("ArrowRight")
  await page.getByText(/^web-\d+: /).waitFor()
  await page.keyboard.press("ArrowLeft")
  await page.keyboard.press("Enter")
  await page.waitForURL(/\/app\/elements\/web-3/)
  await page.keyboard.press("g")
  await page.keyboard.press("h")
  await page.getByRole("heading", { name: "Open alerts (1)" }).waitFor()
  await context.close()
})

test("a filter narrows the map, and one that nothing passes says so", async () => {
  const { page, context } = await open()
  const field = page.getByRole("combobox", { name: "Filter" })
  await field.fill("type:CONTAINER")
  await page.keyboard.press("Enter")
  await page.getByText("14 elements", { exact: true }).waitFor()
  await field.fill("type:NOTHING")
  await page.keyboard.press("Enter")
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
  await page.getByText("Samples a second and cycles could not be loaded").waitFor()
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

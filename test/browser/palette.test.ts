/** The palette in a real browser: it takes what is typed, on every page and before it is loaded. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { openPage, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { openEventIncident } from "../support/browser/event-incident.ts"
import { expect, expectAccessible, expectTotal, expectTyped } from "../support/browser/expect.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer({
  async prepare(ready) {
    const samples = [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }]
    const elements = Array.from({ length: 40 }, (_, i) => ({
      id: `web-${i}`,
      tags: [{ name: "env", value: i % 2 === 0 ? "test" : "prod" }],
      samples,
    }))
    const posted = await ready.ingest(elements)
    assert.equal(posted.status, 202, posted.text)
    const view = { name: "Shop servers", page: "inventory", query: "f=type%3ASERVER" }
    assert.equal((await ready.post("/views", { view })).status, 200)
    await openEventIncident(ready, "web-1")
  },
})

const field = (page: Page) => page.getByRole("combobox", { name: "Search or jump" })
const opener = (page: Page) => page.getByRole("button", { name: "Search or jump" })
const moduleFile = "**/frame-parts-*.js"

async function open(path: string) {
  const opened = await openPage(browser(), client(), `/app/${path}`)
  await signIn(opened.page, client())
  await opened.page.getByText("connected", { exact: true }).waitFor()
  return opened
}

/** Waits until the module of the palette is there, which is loaded after the first data. */
async function expectLoaded(page: Page): Promise<void> {
  const isLoaded = () =>
    page.evaluate("performance.getEntriesByType('resource').some(e => /frame-parts-/.test(e.name))")
  await expect.poll(isLoaded).toBe(true)
}

test("it takes what is typed on every page, opened by keys and by a press", async () => {
  const { page, context, problems } = await open("")
  for (const path of ["", "explore", "inventory", "alerts"]) {
    await page.goto(`${client().url}/app/${path}`)
    await page.getByText("connected", { exact: true }).waitFor()
    await expectLoaded(page)
    await page.keyboard.press("Control+k")
    await expectTyped(page, "web-7", field(page))
    await page.keyboard.press("Escape")
    await field(page).waitFor({ state: "detached" })
    await opener(page).click()
    await expectTyped(page, "web 7", field(page))
    await page.keyboard.press("Escape")
    await expect(opener(page)).toBeFocused()
  }
  assert.deepEqual(problems, [])
  await context.close()
})

/** The module is on its way until it is let through. */
async function openHeld() {
  const opened = await openPage(browser(), client(), "/app/inventory")
  let letThrough = (): void => {}
  const isHeld = new Promise<void>((resolve) => (letThrough = resolve))
  await opened.page.route(moduleFile, async (route) => {
    await isHeld
    await route.fallback()
  })
  await signIn(opened.page, client())
  await opened.page.getByText("connected", { exact: true }).waitFor()
  return { ...opened, letThrough }
}

test("what is typed before its module is there is kept, and typed on", async () => {
  const { page, context, problems, letThrough } = await openHeld()
  await page.keyboard.press("Control+k")
  await expectTyped(page, "web-", field(page))
  await expectAccessible(page)
  letThrough()
  await page.getByRole("option").first().waitFor()
  await page.keyboard.type("17")
  await expect(field(page)).toHaveValue("web-17")
  assert.deepEqual(problems, [])
  await context.close()
})

test("Enter that is pressed before its module is there opens what is found then", async () => {
  const { page, context, problems, letThrough } = await openHeld()
  await page.keyboard.press("Control+k")
  await expectTyped(page, "web-17", field(page))
  await page.keyboard.press("Enter")
  letThrough()
  await page.getByRole("heading", { name: "web-17" }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("its button closes it, and is seen when it has the focus", async () => {
  const { page, context } = await open("inventory")
  await page.keyboard.press("Control+k")
  await expect(field(page)).toBeFocused()
  await page.keyboard.press("Tab")
  const close = page.getByRole("dialog").getByRole("button", { name: "Close" })
  await expect(close).toBeFocused()
  await expect(close).toBeInViewport({ ratio: 1 })
  await page.keyboard.press("Space")
  await field(page).waitFor({ state: "detached" })
  await context.close()
})

test("a command that goes to a field leaves the focus there", async () => {
  const { page, context } = await open("inventory")
  await expectLoaded(page)
  await page.keyboard.press("Control+k")
  await expectTyped(page, ">filter", field(page))
  await page.keyboard.press("Enter")
  await expectTyped(page, "web", page.getByRole("combobox", { name: "Filter", exact: true }))
  await context.close()
})

test("the palette finds elements, metrics, tags and commands, and opens them", async () => {
  const { page, context, problems } = await open("inventory")
  await page.keyboard.press("Control+k")
  await expectTyped(page, "web-17", field(page))
  const option = (name: string) => page.getByRole("option", { name })
  await option("web-17").waitFor()
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "web-17" }).waitFor()

  await page.keyboard.press("Control+k")
  await option("web-17").waitFor()
  await expectTyped(page, "shop", field(page))
  await option("Shop servers").waitFor()
  await page.keyboard.press("Enter")
  await page.waitForURL(/\/app\/inventory\?f=type%3ASERVER$/)

  await page.keyboard.press("Control+k")
  await expectTyped(page, "#prod", field(page))
  await option("env:prod").click()
  await expectTotal(page, "20 elements")

  await page.keyboard.press("Control+k")
  await expectTyped(page, ">go to profile", field(page))
  await option("Go to Profile").waitFor()
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Profile" }).waitFor()

  await page.keyboard.press("Control+k")
  await expectTyped(page, "no such name", field(page))
  await page.getByText("Nothing has this name.").waitFor()
  await page.keyboard.press("Escape")
  await field(page).waitFor({ state: "detached" })
  assert.deepEqual(problems, [])
  await context.close()
})

/** Orders of the inventory, and its filter while it is typed, in a real browser (F14, F15, F18). */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { openPage, picture, signIn, type Look } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import {
  expect,
  expectAccessible,
  expectToFit,
  expectTotal,
  expectTyped,
} from "../support/browser/expect.ts"
import { useServer } from "../support/server/server.ts"

const elementCount = 300

const browser = useBrowser()
const client = useServer({
  async prepare(ready) {
    const samples = [{ metricId: "cpu.total", timestamp: Date.now() - 600_000, val: 1 }]
    const elements = Array.from({ length: elementCount }, (_, i) => ({
      id: `web-${String(i).padStart(3, "0")}`,
      type: i % 3 === 0 ? "SERVER" : "CONTAINER",
      samples,
    }))
    const posted = await ready.ingest(elements)
    assert.equal(posted.status, 202, posted.text)
  },
})

const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true })

async function inventory(look?: Look) {
  const watched = await openPage(browser(), client(), "/app/inventory", look)
  await signIn(watched.page, client())
  await watched.page.getByRole("table", { name: "Elements" }).waitFor()
  return watched
}

test("of a metric column the hottest elements are first, of any statistic", async () => {
  const timestamp = Date.now()
  const hot = [97, 98, 99].map((val, i) => ({
    id: `web-0${[4, 5, 7][i]}0`,
    type: "CONTAINER",
    samples: [{ metricId: "heat", timestamp, val }],
  }))
  assert.equal((await client().ingest(hot)).status, 202)
  const { page, context, problems } = await inventory()
  const names = page.locator("tbody tr[aria-rowindex] a")
  const first = async () => (await names.allTextContents()).slice(0, 4)
  await page.getByRole("button", { name: "Columns…" }).click()
  const dialog = page.getByRole("dialog", { name: "Columns" })
  const name = dialog.getByRole("combobox", { name: "Name of the tag, attribute or metric" })
  await expectTyped(page, "heat", name)
  await page.keyboard.press("Enter")
  await dialog.getByRole("button", { name: "Remove heat" }).waitFor()
  await expectTyped(page, "he", name)
  // The list closes, the text goes, the dialog closes: nothing is added.
  for (let press = 0; press < 3; press++) await page.keyboard.press("Escape")
  await dialog.waitFor({ state: "detached" })
  await page.waitForURL(/cols=metric\.heat%2Ctype/)
  await expect.poll(first).toEqual(["web-070", "web-050", "web-040", "web-000"])
  const row = page.locator("tr", { has: link(page, "web-070") })
  await row.getByText(/^(now|\d+ s ago)$/).waitFor()
  await page.getByRole("button", { name: "heat, average" }).click()
  await page.waitForURL(/sort=metric\.heat$/)
  await expect.poll(first).toEqual(["web-040", "web-050", "web-070", "web-000"])
  await page.getByRole("button", { name: "heat, 95th percentile" }).click()
  await page.waitForURL(/sort=p95\.heat&desc=1$/)
  await expect.poll(first).toEqual(["web-070", "web-050", "web-040", "web-000"])
  await picture(page, "inventory-hottest")
  assert.deepEqual(problems, [])
  await context.close()
})

test("by last seen those that sent now are first", async () => {
  const sample = { metricId: "cpu.total", timestamp: Date.now(), val: 1 }
  const fresh = { id: "web-071", type: "CONTAINER", samples: [sample] }
  const { page, context } = await inventory()
  await page.getByRole("button", { name: "Last seen" }).click()
  await page.waitForURL(/sort=lastSeen&desc=1$/)
  assert.equal((await client().ingest([fresh])).status, 202)
  await page.getByRole("button", { name: "Refresh", exact: true }).click()
  await page.locator("tbody tr[aria-rowindex='2']", { has: link(page, "web-071") }).waitFor()
  await context.close()
})

test("while a value is typed and suggestions are late, list and counts stay", async () => {
  const { page, context } = await inventory()
  await expectTotal(page, "300 elements")
  let letThrough = (): void => {}
  const awaited = new Promise<void>((resolve) => (letThrough = resolve))
  await page.route("**/search/values*", async (route) => {
    await awaited
    await route.continue()
  })
  const queries: string[] = []
  page.on("request", (request) => {
    if (request.url().endsWith("/elementQuery")) queries.push(request.postData() ?? "")
  })
  const filter = page.getByRole("combobox", { name: "Filter" })
  const asked = page.waitForRequest(/search\/values.*q=SER/)
  await filter.click()
  await page.keyboard.type("type:SER")
  await asked
  await expectTotal(page, "300 elements")
  letThrough()
  await page.getByRole("option", { name: /^SERVER/ }).waitFor()
  await expectTotal(page, "300 elements")
  await page.keyboard.type("VER")
  await expectTotal(page, "100 elements")
  await expect(page.getByRole("button", { name: /^OK / })).toHaveText(/OK100$/)
  assert.deepEqual(
    queries.filter((body) => /"SER"/.test(body)),
    [],
  )
  await context.close()
})

test("on a phone cards have three lines, and are sorted as the heads of the table do", async () => {
  const { page, context, problems } = await inventory({ width: 390 })
  const names = page.locator("tbody tr[aria-rowindex] a")
  const first = async () => (await names.allTextContents())[0]
  await expect.poll(first).toBe("web-000")
  const height = async () => (await page.locator("[data-row='1']").boundingBox())?.height
  await expect.poll(height).toBeLessThan(100)
  await picture(page, "inventory-cards")
  const choice = page.getByRole("combobox", { name: "Sort by" })
  await expect(choice).toHaveValue("name")
  await page.getByRole("button", { name: "Ascending: sort descending" }).tap()
  await page.waitForURL(/\?desc=1$/)
  await expect.poll(first).toBe("web-299")
  await choice.selectOption("Last seen")
  await page.waitForURL(/sort=lastSeen/)
  await choice.selectOption("Name")
  await expect.poll(first).toBe("web-000")
  await page.goBack()
  await expect(choice).toHaveValue("lastSeen")
  await expectToFit(page)
  await expectAccessible(page)
  assert.deepEqual(problems, [])
  await context.close()
})

/** D6: the pages at /docs in a real browser, in light and dark, on a phone and on a desk. */

import assert from "node:assert/strict"
import { mkdirSync } from "node:fs"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { Handbook } from "../../src/http/description/handbook.ts"
import { describedRoutes } from "../../src/http/api/routes/route-table.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect, expectAccessible, expectToFit } from "../support/browser/expect.ts"
import { looks } from "../support/browser/looks.ts"
import { sized } from "../support/run/sizes.ts"
import { adminEmail, adminPassword, useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer()

const everyPage = new Handbook().pages.map(({ name }) => `/${name}`)
const handbookPages = ["", ...sized({ quick: ["/settings"], long: everyPage })]

/** With parameters in path and query, a body, schemas and an answer. */
const opened = ["getMetricsStatistics", "putUsersId"]

async function openPage(path: string, scheme: "light" | "dark", width: number): Promise<Page> {
  const context = await browser().newContext({
    colorScheme: scheme,
    reducedMotion: "reduce",
    viewport: { width, height: 900 },
  })
  const page = await context.newPage()
  await page.goto(client().url + path)
  return page
}

async function openDocs(scheme: "light" | "dark", width: number): Promise<Page> {
  const page = await openPage("/docs/reference", scheme, width)
  await page.locator("details.operation").first().waitFor()
  return page
}

async function openCards(page: Page): Promise<void> {
  for (const id of opened) {
    await page.click(`#${id} > summary`)
    await page.locator(`#${id} div > details > summary`).first().click()
  }
}

async function sendOne(page: Page): Promise<void> {
  await page.fill("#user", adminEmail)
  await page.fill("#password", adminPassword)
  await page.click("#getMetricsStatistics button")
  await page.locator("#getMetricsStatistics .answer", { hasText: "→" }).waitFor()
}

/** Leaves those that are open: at all of them axe-core looks for a second. */
const hideClosedCards = (page: Page): Promise<unknown> =>
  page.evaluate(
    "for (const card of document.querySelectorAll('details.operation')) card.hidden = !card.open",
  )

for (const scheme of ["light", "dark"] as const) {
  test(`axe-core finds nothing on the list in ${scheme}`, async () => {
    const page = await openDocs(scheme, 390)
    await saveShot(page, `list-${scheme}`)
    await expectAccessible(page)
    await page.context().close()
  })
}

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in open cards in ${scheme} at ${width} px`, async () => {
    const page = await openDocs(scheme, width)
    await openCards(page)
    await sendOne(page)
    await hideClosedCards(page)
    await expectToFit(page)
    await saveShot(page, `cards-${scheme}-${width}`)
    await expectAccessible(page)
    await page.context().close()
  })

  test(`axe-core finds nothing on the handbook in ${scheme} at ${width} px`, async () => {
    const page = await openPage("/docs", scheme, width)
    for (const name of handbookPages) {
      const response = await page.goto(`${client().url}/docs${name}`)
      assert.equal(response!.status(), 200)
      await saveShot(page, `handbook${name.replace("/", "-")}-${scheme}-${width}`)
      await expectToFit(page, name)
      await expectAccessible(page, name)
    }
    await page.context().close()
  })
}

test("no card sticks out of 390 px when all are open", async () => {
  const page = await openDocs("light", 390)
  const cards = await page.evaluate(`{
    const cards = [...document.querySelectorAll("details.operation")]
    for (const card of cards) card.open = true
    cards.length
  }`)
  const operations = describedRoutes.flatMap((route) => Object.keys(route.operations))
  assert.equal(cards, operations.length)
  await page.locator(`details.operation:last-of-type button`).last().waitFor()
  await expectToFit(page)
  await page.context().close()
})

test("the answer can be reached by keys behind the button that asks for it", async () => {
  const page = await openDocs("light", 1280)
  await page.click("#getHealthLive > summary")
  await page.focus("#getHealthLive button")
  await page.keyboard.press("Enter")
  await page.locator("#getHealthLive .answer", { hasText: '"live"' }).waitFor()
  await page.keyboard.press("Tab")
  const focused = page.locator("*:focus")
  await expect(focused).toHaveAttribute("aria-label", "Answer of GET /health/live")
  await page.context().close()
})

/** Screenshots of the page: `SHOTS=FOLDER npm test -- browser`. */
async function saveShot(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"]
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

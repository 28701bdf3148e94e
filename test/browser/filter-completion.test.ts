/** The filter bar in a real browser: what is typed is completed, by keys and by the mouse. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { hostile, openPage, picture, signIn, type Look } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import {
  expect,
  expectAccessible,
  expectParameter,
  expectToFit,
  expectTotal,
} from "../support/browser/expect.ts"
import { looks } from "../support/browser/looks.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer({
  async prepare(ready) {
    const elements = Array.from({ length: 30 }, (_, i) => ({
      id: `web-${i}`,
      type: i % 3 === 0 ? "CONTAINER" : "SERVER",
      tags: [
        { name: "env", value: i % 2 === 0 ? "prod" : "test" },
        { name: "release", value: i === 0 ? hostile : "1, 2" },
      ],
      samples: [{ metricId: "cpu.total", timestamp: Date.now() - 600_000, val: 1 }],
    }))
    const posted = await ready.ingest(elements)
    assert.equal(posted.status, 202, posted.text)
  },
})

const field = (page: Page) => page.getByRole("combobox", { name: "Filter" })
const option = (page: Page, name: string | RegExp) => page.getByRole("option", { name })

async function inventory(look?: Look) {
  const watched = await openPage(browser(), client(), "/app/inventory", look)
  await signIn(watched.page, client())
  await watched.page.getByRole("link", { name: "web-1", exact: true }).waitFor()
  return watched
}

test("a field, a tag and its value are completed by keys", async () => {
  const { page, context, problems } = await inventory()
  await page.keyboard.press("/")
  await page.keyboard.type("ta")
  await option(page, /^tag\./).waitFor()
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Enter")
  await expect(field(page)).toHaveValue("tag.")
  await option(page, /^env ?30 elements$/).waitFor()
  await page.keyboard.type("en")
  await option(page, /^release/).waitFor({ state: "detached" })
  await option(page, /^env/).waitFor()
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Enter")
  await expect(field(page)).toHaveValue("tag.env:")
  await option(page, /^prod ?15 elements$/).waitFor()
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Enter")
  await expectTotal(page, "15 elements")
  await expectParameter(page, "f", "tag.env:prod")
  await expect(field(page)).toHaveValue("")
  await expect(page.getByRole("listbox")).toHaveCount(0)
  assert.deepEqual(problems, [])
  await context.close()
})

test("what is marked stays marked when the answer brings another list", async () => {
  const { page, context } = await inventory()
  let answer = (): void => undefined
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/search\/values\?.*q=en/, async (route) => {
    await held
    const values = ["envoy", "env"].map((value) => ({ value, count: 1 }))
    await route.fulfill({ json: { values, total: 2 } })
  })
  await field(page).click()
  await page.keyboard.type("tag.")
  await option(page, /^release/).waitFor()
  await page.keyboard.type("en")
  await option(page, /^release/).waitFor({ state: "detached" })
  await page.keyboard.press("ArrowDown")
  answer()
  await option(page, /^envoy/).waitFor()
  await page.keyboard.press("Enter")
  await expect(field(page)).toHaveValue("tag.env:")
  await context.close()
})

test("a value with signs of the language is taken as it is, by the mouse", async () => {
  const { page, context, problems } = await inventory()
  await field(page).click()
  await page.keyboard.type("-tag.release:")
  await option(page, /^1, 2/).click()
  await expectTotal(page, "1 element")
  await expectParameter(page, "f", '-tag.release:"1, 2"')
  await page.keyboard.type("tag.release:<")
  await option(page, /1 element$/).click()
  await page
    .getByRole("button", { name: /^Remove .* from the filter$/ })
    .nth(1)
    .waitFor()
  await expect(page.getByRole("link", { name: "web-0", exact: true })).toHaveCount(1)
  assert.deepEqual(problems, [])
  await context.close()
})

test("a word finds elements; Escape leaves what is typed, and Enter takes it", async () => {
  const { page, context, problems } = await inventory()
  await field(page).click()
  await page.keyboard.type("web-1")
  await option(page, /^web-1 ?SERVER$/).waitFor()
  await page.keyboard.press("Escape")
  await expect(page.getByRole("listbox")).toHaveCount(0)
  await expect(field(page)).toHaveValue("web-1")
  await page.keyboard.press("Enter")
  await expectTotal(page, "11 elements")
  await expectParameter(page, "f", "web-1")
  assert.deepEqual(problems, [])
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in the list in ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await inventory({ scheme, width })
    await page.keyboard.press("/")
    await expect(field(page)).toBeFocused()
    await page.keyboard.type("tag.release:")
    await option(page, /^1, 2/).waitFor()
    await page.keyboard.press("ArrowDown")
    await picture(page, `filter-completion-${scheme}-${width}`)
    await expectAccessible(page)
    await expectToFit(page)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

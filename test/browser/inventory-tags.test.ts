/** Tags in the inventory: those of people and of collectors, and as many as have room. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { openPage, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect } from "../support/browser/expect.ts"
import { callerOf } from "../support/server/caller.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer({
  async prepare(ready) {
    const elements = ["web-0031", "web-0033"].map((id) => ({
      id,
      type: "SERVER",
      tags: [{ name: "env", value: "prod" }],
      samples: [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }],
    }))
    const posted = await ready.ingest(elements)
    assert.equal(posted.status, 202, posted.text)
  },
})

async function inventory(query: string) {
  const watched = await openPage(browser(), client(), `/app/inventory${query}`)
  await signIn(watched.page, client())
  return watched
}

test("columns have the tags that people set, and those of the collector", async () => {
  const { put } = callerOf(client())
  for (const [name, value] of [
    ["tier", "gold"],
    ["env", "stage"],
  ]) {
    const tag = { serviceTag: { [name!]: value } }
    assert.equal((await put(`/elements/web-0031/tags/${name}`, tag)).status, 204)
  }
  const { page, context, problems } = await inventory("?cols=tags%2Ctag.tier%2Ctag.env&f=web-0031")
  const cells = page
    .locator("tr", { has: page.getByRole("link", { name: "web-0031" }) })
    .locator("td")
  const shown = async () => (await cells.allTextContents()).slice(-3)
  // A collector posts `env:prod`, which the filter finds, too.
  await expect.poll(shown).toEqual(["env:stagetier:goldenv:prod", "gold", "stage, prod"])
  await page.getByRole("link", { name: "web-0031" }).click()
  await page.getByRole("tab", { name: "Details" }).click()
  await page.getByRole("button", { name: "Remove tag env" }).click()
  await page.getByText("env:stage").first().waitFor({ state: "detached" })
  await expect(page.getByText("env:prod")).toHaveCount(2)
  assert.deepEqual(problems, [])
  await context.close()
})

test("tags that have no room are counted, and the others are whole", async () => {
  const { put } = callerOf(client())
  for (let i = 1; i <= 9; i++) {
    const tag = { serviceTag: { [`rack-${i}`]: "r103-basement" } }
    assert.equal((await put(`/elements/web-0033/tags/rack-${i}`, tag)).status, 204)
  }
  const { page, context, problems } = await inventory("?f=web-0033")
  const cell = page.locator("td", { hasText: "rack-1:r103-basement" })
  // Whole pills, and the number of the others: all ten.
  const seen = () =>
    cell.evaluate((holder) => {
      const pills = [...holder.querySelectorAll("[dir=auto]")]
      const list = pills[0]!.parentElement!.getBoundingClientRect()
      const boxes = pills.map((pill) => pill.getBoundingClientRect())
      const whole = boxes.filter(({ top, right }) => top < list.bottom && right <= list.right + 1)
      const count = Number(/\+(\d+)$/.exec(holder.textContent)?.[1] ?? 0)
      const cut = boxes.filter(({ top, bottom }) => top < list.bottom && bottom > list.bottom + 1)
      return { all: whole.length + count, isCounted: count > 0, cut: cut.length }
    })
  await expect.poll(seen).toEqual({ all: 10, isCounted: true, cut: 0 })
  await page.setViewportSize({ width: 1680, height: 800 })
  await expect.poll(seen).toEqual({ all: 10, isCounted: true, cut: 0 })
  assert.deepEqual(problems, [])
  await context.close()
})

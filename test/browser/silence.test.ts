/** A fleet that fell silent, in a real browser (F3): no page looks calm. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Route } from "playwright-core"
import { answerInstead } from "../support/browser/answers.ts"
import { openPage, picture, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect, expectAccessible, expectParameter } from "../support/browser/expect.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer()

/** Opens Home; the server answers that 19,998 elements have been silent for an hour. */
async function open(type: string | null) {
  const opened = await openPage(browser(), client(), "/app/")
  const known = (await client().post("/elements/search/elementStatus", {})).json<object>()
  const silence = { type, silent: 19_998, total: 20_000, since: Date.now() - 3_600_000 }
  const json = { ...known, silences: [silence] }
  const answer = (route: Route) => route.fulfill({ json })
  const letThrough = await answerInstead(opened.page, "**/elementStatus", answer)
  await signIn(opened.page, client())
  return { ...opened, letThrough }
}

test("every page says it, and none is calm, until the elements send again", async () => {
  const samples = [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }]
  const posted = await client().ingest([{ id: "web-1", name: "web-1", type: "SERVER", samples }])
  assert.equal(posted.status, 202, posted.text)
  const { page, problems, letThrough } = await open(null)
  const bar = page.getByRole("status").filter({ hasText: "sent nothing" })
  await expect(bar).toContainText(/^19,998 of 20,000 elements have sent nothing since /)
  await page.getByText(/^No alert is open, but elements that send nothing raise none/).waitFor()
  const summary = page.getByRole("region", { name: "What is wrong now" })
  await expect(summary.getByRole("list").first()).toContainText("no data")
  await picture(page, "home-silence")
  await expectAccessible(page)
  await page.keyboard.press("g")
  await page.keyboard.press("a")
  await page.getByRole("heading", { name: "Alerts" }).waitFor()
  await bar.getByRole("link", { name: "Show them" }).click()
  await page.waitForURL(/\/app\/inventory\?/)
  await expectParameter(page, "f", "status:noData")
  await expect(bar).toBeVisible()
  letThrough()
  await page.reload()
  await page.getByText("connected", { exact: true }).waitFor()
  await expect(bar).toHaveCount(0)
  assert.deepEqual(problems, [])
})

test("a type that is silent as a whole is named, and shown", async () => {
  const { page } = await open("X ray")
  const bar = page.getByRole("status").filter({ hasText: "sent nothing" })
  await expect(bar).toContainText(/^All 19,998 elements of type X ray have sent nothing since /)
  await bar.getByRole("link", { name: "Show them" }).click()
  await expectParameter(page, "f", 'status:noData type:"X ray"')
})

/** A browser under a POSIX locale names a language that Intl refuses: pages work all the same. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { openPage, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect } from "../support/browser/expect.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser({ LC_ALL: "POSIX", LANG: "POSIX", LANGUAGE: "" })
const client = useServer({
  async prepare(ready) {
    const samples = [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }]
    const posted = await ready.ingest([{ id: "web-1", samples }])
    assert.equal(posted.status, 202, posted.text)
  },
})

test("without a locale a chart is drawn, with times and numbers", async () => {
  const path = "/app/explore?q=cpu.total"
  const { page, context, problems } = await openPage(browser(), client(), path, { profile: {} })
  // In a frame of its own, where nothing of ours has put it right.
  const blank = await context.newPage()
  const language = (of: Page) => () => of.evaluate("navigator.language")
  await expect.poll(language(blank)).toBe("en-US@posix")
  await signIn(page, client())
  await page.getByRole("application").first().waitFor()
  await page.locator("figure tbody tr").getByText("web-1", { exact: true }).waitFor()
  await expect.poll(language(page)).toBe("en-US")
  assert.deepEqual(problems, [])
  await context.close()
})

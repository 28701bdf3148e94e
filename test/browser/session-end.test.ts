/** A session that is about to end, in a real browser: a dialog signs in over the page. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { answerInstead } from "../support/browser/answers.ts"
import { openPage, picture, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect, expectAccessible, expectTyped } from "../support/browser/expect.ts"
import { adminPassword, useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer()

interface CurrentSession {
  readonly session: object
}

test("the page says when it ends, and goes on after signing in or closing", async () => {
  const { page, context, problems } = await openPage(browser(), client(), "/app/alerts")
  await signIn(page, client())
  await page.getByText("connected", { exact: true }).waitFor()
  const { created, expires } = { created: Date.now() - 86_000_000, expires: Date.now() + 240_000 }
  await answerInstead(page, "**/sessions/current", async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as CurrentSession
    const session = { ...json.session, created, expires }
    await route.fulfill({ response, json: { ...json, session } })
  })
  await page.reload()
  const dialog = page.getByRole("dialog", { name: "Your session is about to end" })
  await dialog.getByText(/^It ends at \d\d:\d\d\. /).waitFor()
  await picture(page, "session-end")
  await expectAccessible(page)
  await page.keyboard.press("Escape")
  await expect(dialog).toHaveCount(0)
  await page.reload()
  await dialog.waitFor()
  await expectTyped(page, adminPassword, dialog.getByLabel("Password", { exact: true }))
  await page.keyboard.press("Enter")
  await expect(dialog).toHaveCount(0)
  await page.getByText("connected", { exact: true }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

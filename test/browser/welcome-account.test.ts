/** The first step of an administrator whom the first start made: an e-mail and password of one's own. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { openPage, picture } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect, expectAccessible } from "../support/browser/expect.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { adminPassword, startServer, storyProgram } from "../support/server/server.ts"

const browser = useBrowser()
const password = "a password of my own"

test("e-mail and password are chosen, and the page goes on signed in", async () => {
  const folder = makeFolder("tidegauge-first-account")
  const env = { TIDEGAUGE_ADMIN_EMAIL: "admin@tidegauge.local" }
  const server = await startServer({ folder, program: storyProgram(), env })
  const { page, context } = await openPage(browser(), server.client, "/app/welcome")
  const enter = async (email: string, secret: string): Promise<void> => {
    await page.getByLabel("E-mail").fill(email)
    await page.getByLabel("Password", { exact: true }).fill(secret)
    await page.keyboard.press("Enter")
  }
  await enter("admin@tidegauge.local", adminPassword)
  await page.getByRole("heading", { name: "1. Choose your e-mail and password" }).waitFor()
  await page.getByRole("heading", { name: "2. Send data" }).waitFor()
  await picture(page, "welcome-account")
  await expectAccessible(page)
  await page.getByLabel("E-mail").fill("jo@example.com")
  await page.getByLabel("New password").fill("password1234")
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByText(/commonest/).waitFor()
  await page.getByLabel("New password").fill(password)
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByText("E-mail and password are changed").waitFor()
  await page.getByText(/jo@example\.com \(Administrator\)/).waitFor()
  await page.getByRole("heading", { name: "Send data", exact: true }).waitFor()
  await expect(page.getByRole("dialog")).toHaveCount(0)
  const authorization = `Basic ${Buffer.from(`jo@example.com:${password}`).toString("base64")}`
  const reply = await server.client.send("/users/current", { headers: { authorization } })
  assert.equal(reply.status, 200, reply.text)
  await context.close()
  await server.stop()
  removeFolder(folder)
})

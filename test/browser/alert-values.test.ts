/** The value that a condition compared, in the list of alerts and on Home. */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { openPage, picture, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect, expectAccessible, expectToFit } from "../support/browser/expect.ts"
import { fireIncidents, type Fired } from "../support/browser/fired-policy.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"

const browser = useBrowser()
let folder: string
let fired: Fired

before(async () => {
  folder = makeFolder("tidegauge-values")
  fired = await fireIncidents({ folder })
})
after(async () => {
  await fired.server.stop()
  removeFolder(folder)
})

test("an alert has the value that its first condition compared, from the numbers", async () => {
  const { client } = fired.server
  const { page, context, problems } = await openPage(browser(), client, "/app/alerts")
  await signIn(page, client)
  await page.getByRole("combobox", { name: "Group by" }).selectOption("Nothing")
  await page.getByRole("radio", { name: "All", exact: true }).press("Space")
  await expect(page.getByRole("link", { name: /^cpu\.total: 96 > 90.%$/ })).toHaveCount(2)
  await picture(page, "alert-values")
  await expectAccessible(page)
  assert.deepEqual(problems, [])
  await context.close()
})

test("Home draws the course of a listed alert, asked for once", async () => {
  const { client } = fired.server
  const { page, context, problems } = await openPage(browser(), client, "/app/")
  const asked: string[] = []
  page.on("request", (request) => {
    const body = request.url().endsWith("/series/query") ? request.postData() : null
    if (body?.includes(`"width":32,`) === true) asked.push(body)
  })
  await signIn(page, client)
  const spark = page.getByTitle("cpu.total of web-2, the last 3 hours")
  await expect(spark.locator("path")).toHaveAttribute("d", /^M/)
  assert.equal(asked.length, 1, asked.join("\n"))
  await picture(page, "home-sparks")
  assert.deepEqual(problems, [])
  await context.close()
})

test("in a narrow window a row is a card that has all facts of the table", async () => {
  const { client } = fired.server
  const { page, context, problems } = await openPage(browser(), client, "/app/alerts?group=time", {
    width: 390,
  })
  await signIn(page, client)
  const names = ["Element", "Value", "State", "Since", "Duration"]
  await expect(page.locator("[data-row='0'] dt")).toHaveText(names)
  await expect(page.locator("[data-row='0'] dd").nth(1)).toHaveText(/96 > 90.%$/)
  await picture(page, "alert-card")
  await expectToFit(page)
  await expectAccessible(page)
  assert.deepEqual(problems, [])
  await context.close()
})

test("the list says that a policy is muted", async () => {
  const { client } = fired.server
  const { page, context } = await openPage(browser(), client, "/app/alerts")
  await signIn(page, client)
  await page.getByRole("link", { name: /^cpu\.total: 96/ }).waitFor()
  const path = `/policies/${fired.policyId}/mute/86400000`
  const headers = { authorization: client.authorization }
  assert.equal((await client.send(path, { method: "POST", headers })).status, 200)
  await page.keyboard.press("r")
  await page.getByText(/^muted until/).waitFor()
  await context.close()
})

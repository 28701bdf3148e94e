/** The value that a condition compared, in the list of alerts and on Home. */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { openPage, picture, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect, expectAccessible, expectToFit } from "../support/browser/expect.ts"
import { fireIncidents, type Fired } from "../support/browser/fired-policy.ts"
import { callerOf } from "../support/server/caller.ts"
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
  const alerts = page.getByRole("list", { name: "Open alerts" })
  await expect(alerts.getByTitle(/^cpu\.total: 96 > 90.%$/)).toHaveText(/^96.%$/)
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
  const names = ["Element", "Value", "State", "Since"]
  await expect(page.locator("[data-row='0'] dt")).toHaveText(names)
  await expect(page.locator("[data-row='0'] dd").nth(1)).toHaveText(/96 > 90.%$/)
  await page
    .locator("[data-row='0']")
    .getByTitle("Duration")
    .getByText(/^\d+ min$/)
    .waitFor()
  await picture(page, "alert-card")
  await expectToFit(page)
  await expectAccessible(page)
  // A group has no value.
  await page.goto(`${client.url}/app/alerts?state=all`)
  await expect(page.locator("[data-row='0'] dt")).toHaveText(["Element", "State", "Since"])
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

/** Another open alert, whose row has other widths: a long name, no value, acknowledged. */
async function openLongAlert(): Promise<void> {
  const { client } = fired.server
  const { get, post } = callerOf(client)
  const actions = [{ type: "event", category: 3 }]
  const eventConditions = [{ messageRegex: "no space left" }]
  const name = "The file system of a server in the second room has no space left"
  const made = await post("/policies", { policy: { name, scope: {}, eventConditions, actions } })
  assert.equal(made.status, 200, made.text)
  const { epochMillis } = (await client.get("/time")).json<{ epochMillis: number }>()
  const data = { elementId: "web-1", level: "CRITICAL", message: "no space left" }
  const event = { type: "INFO", title: "Disk", source: "agent", timestamp: epochMillis, data }
  const path = `/ingest/events/${client.apiKey}`
  assert.equal((await client.send(path, { method: "POST", body: [event] })).status, 202)
  const open = async () => {
    const { json } = await get("/incidents?isClosed=false&order=desc")
    return json<{ incidents: readonly { incidentId: string }[] }>().incidents
  }
  await expect.poll(async () => (await open()).length).toBe(2)
  const ids = [(await open())[0]!.incidentId]
  assert.equal((await post("/incidents/bulk", { ids, action: "ack" })).status, 200)
}

test("alerts of Home have columns, and two lines each if one has no room", async () => {
  await openLongAlert()
  const { client } = fired.server
  const open = async (width: number) => {
    const opened = await openPage(browser(), client, "/app/", { width })
    await signIn(opened.page, client)
    const rows = opened.page.getByRole("list", { name: "Open alerts" }).getByRole("listitem")
    await expect(rows).toHaveCount(2)
    await rows.getByText("acknowledged").waitFor()
    const edges = (part: number) => async () => {
      const found = await rows.locator(`> :nth-child(${part})`).all()
      const boxes = await Promise.all(found.map((one) => one.boundingBox()))
      return new Set(boxes.map((box) => Math.round(box!.x)))
    }
    return { ...opened, rows, edges }
  }
  const wide = await open(1920)
  const height =
    ({ rows }: typeof wide) =>
    async () =>
      (await rows.first().boundingBox())!.height
  for (const part of [1, 2, 3, 5]) await expect.poll(wide.edges(part)).toHaveProperty("size", 1)
  await expect.poll(height(wide)).toBeLessThan(36)
  await wide.context.close()
  const desk = await open(1280)
  await expect.poll(height(desk)).toBeGreaterThan(44)
  // The name of the policy is whole.
  const policy = desk.rows.first().getByRole("link").first()
  await expect.poll(async () => (await policy.boundingBox())!.width).toBeGreaterThan(200)
  await picture(desk.page, "home-columns-1280")
  await desk.context.close()
  const phone = await open(390)
  await expect.poll(height(phone)).toBeLessThan(60)
  await picture(phone.page, "home-columns-390")
  await expectToFit(phone.page)
  await expectAccessible(phone.page)
  await phone.context.close()
})

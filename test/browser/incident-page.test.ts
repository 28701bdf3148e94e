/** The page of an incident in a real browser: why, cycles, changes by keys, states, axe. */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import type { Page } from "playwright-core"
import { answerInstead, refuse } from "../support/browser/answers.ts"
import { openPage, picture, signIn, type Look } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import {
  boxOf,
  expect,
  expectAccessible,
  expectFocus,
  expectToFit,
  expectTyped,
} from "../support/browser/expect.ts"
import { looks } from "../support/browser/looks.ts"
import { fireIncidents, type Fired } from "../support/browser/fired-policy.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { callerOf, newUser, type TestCaller } from "../support/server/caller.ts"
import { answerOnce } from "../support/time/eventually.ts"

const browser = useBrowser()
const folder = makeFolder("tidegauge-incident")
let fired: Fired

before(async () => {
  const actions = async (admin: TestCaller) => {
    const properties = { name: "<b>mail ops</b>", url: "http://127.0.0.1:9/hook" }
    const notification = { type: "webhook", properties }
    const made = await admin.post("/notifications", { notification })
    const { id } = made.json<{ notification: { id: number } }>().notification
    return [{ type: "notification", id, notifyFrequencyMin: 60, sendOnClear: true }]
  }
  fired = await fireIncidents({ folder, actions, hasReopened: true })
})

after(async () => {
  await fired.server.stop()
  removeFolder(folder)
})

const client = () => fired.server.client

async function open(id: string, look?: Look) {
  const opened = await openPage(browser(), client(), `/app/incidents/${id}`, look)
  await signIn(opened.page, client())
  await opened.page.getByText("connected", { exact: true }).waitFor()
  return opened
}

const cycles = (page: Page) => page.getByRole("table", { name: "Values of each cycle" })
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const charts = (page: Page) => page.getByRole("application")

test("an open alert says why: sentences, charts, cycles, and names stay texts", async () => {
  const { page, context, problems } = await open(fired.openId)
  await page.getByText("For 2 cycles in a row (10 min), all of:").waitFor()
  await page.getByText("The current value of cpu.total is 96\u00a0%; this is above").waitFor()
  await page.getByText("cpu.total > 90 %").waitFor()
  await page.getByText("The current value of requests is 812").waitFor()
  await charts(page).nth(1).waitFor()
  await page.getByText("2 cycles needed").first().waitFor()
  await page.getByText("threshold 90 %").waitFor()
  const firing = cycles(page).getByRole("row", { name: /^The policy fires/ })
  await firing.getByText("does not fire").first().waitFor()
  await firing.getByText("fires", { exact: true }).first().waitFor()
  await page.getByText("they say the same as what was recorded").waitFor()
  await page.getByText(/^\d+ alerts in 7 days, this one among them\./).waitFor()
  const sent = page.getByRole("list", { name: "Notifications" }).getByRole("listitem")
  await sent.getByText(/^<b>mail ops<\/b> fired, waiting/).waitFor()
  await sent.getByText(/127\.0\.0\.1/).waitFor()
  await expect(page.locator("img")).toHaveCount(0)
  const title = `CPU <img src=x onerror="document.title='hacked'"> – Tidegauge`
  // The number of open alerts precedes it as soon as it is known.
  await expect.poll(async () => (await page.title()).slice(-title.length)).toBe(title)
  assert.deepEqual(problems, [])
  await context.close()
})

test("its element tells the alert and the value, and what its policy watches", async () => {
  const { page, context, problems } = await openPage(browser(), client(), "/app/elements/web-2")
  await signIn(page, client())
  await page.getByRole("link", { name: "1 open alert" }).press("Enter")
  const alert = page.getByRole("table", { name: /^Alerts/ }).getByRole("row", { name: /CPU/ })
  await alert.getByText("96 > 90\u00a0%").waitFor()
  await alert.getByText("open", { exact: true }).waitFor()
  const events = page.getByRole("list", { name: "Events", exact: true }).getByRole("listitem")
  await expect(events.first().getByText("policy", { exact: true })).toBeVisible()
  await expect(events.first()).toContainText("96 > 90\u00a0%")
  await picture(page, "element-alerts")
  await expectAccessible(page)
  await expectToFit(page)
  await page.getByRole("tab", { name: "Policies" }).click()
  const policy = page.getByRole("list", { name: /^Policies/ }).getByRole("listitem")
  await policy.getByText("For 2 cycles in a row (10 min), all of:").waitFor()
  await policy.getByText("cpu.total > 90\u00a0%; requests > 100").waitFor()
  await picture(page, "element-policies")
  await expectAccessible(page)
  await expectToFit(page)
  await policy.getByRole("link", { name: /^fires: the alert was opened/ }).click()
  await page.waitForURL(new RegExp(`/app/incidents/${fired.openId}$`))
  assert.deepEqual(problems, [])
  await context.close()
})

test("by keys alone: from the list to an alert, acknowledge with a note, take back", async () => {
  const { page, context, problems } = await openPage(browser(), client(), "/app/alerts")
  await signIn(page, client())
  await page.getByRole("link", { name: /^CPU/ }).press("Enter")
  await page.waitForURL(new RegExp(`/app/incidents/${fired.openId}$`))
  await button(page, "Acknowledge…").waitFor()
  await page.keyboard.press("a")
  const dialog = page.getByRole("dialog", { name: "Acknowledge 1 alert" })
  await expectTyped(page, "<b>On it</b>", dialog.getByLabel("Note"))
  // Keys of the page stay off, also with the focus on nothing.
  await dialog.getByRole("heading").click()
  await page.keyboard.press("?")
  await expect(page.getByRole("dialog")).toHaveCount(1)
  await dialog.getByLabel("Note").focus()
  await expectAccessible(page)
  await page.keyboard.press("Enter")
  await page.getByText("<b>On it</b>").waitFor()
  await page.getByText(/^acknowledged by admin@/).waitFor()
  await button(page, "Undo the acknowledgement").press("Enter")
  await button(page, "Acknowledge…").waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("its policy is muted and sends again, and the link is copied", async () => {
  const { page, context, problems } = await open(fired.openId)
  await button(page, "Mute policy").press("Enter")
  await page.getByRole("menuitem", { name: "For 4 hours" }).press("Enter")
  await page.getByText(/^its policy is muted until/).waitFor()
  await button(page, "Mute policy").press("Enter")
  await page.getByRole("menuitem", { name: "Unmute" }).press("Enter")
  await page.getByText(/^its policy is muted until/).waitFor({ state: "detached" })
  await button(page, "Copy link").press("Enter")
  await page.getByText("Link copied").waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("a reopened alert says since when its condition holds, and what was before that", async () => {
  const [formerId, id] = fired.reopenedIds
  const { json } = await callerOf(client()).get(`/incidents/${id}`)
  const { incident } = json<{ incident: { tsFirstFired: string } }>()
  const timestamp = Date.parse(incident.tsFirstFired) - 100 * 60_000
  const posted = await callerOf(client()).post("/events", { title: "Deploy 1.2", timestamp })
  assert.equal(posted.status, 201, posted.text)
  const { page, context, problems } = await open(id!)
  await page.getByText(/^held since [\d-]* ?\d\d:\d\d$/).waitFor()
  await page.getByRole("list", { name: "Before it" }).getByText("Deploy 1.2").waitFor()
  // A mark of it in both charts.
  await expect(page.getByTitle(/Deploy 1\.2$/)).toHaveCount(2)
  await picture(page, "incident-reopened")
  await expectAccessible(page)
  // A range that a chart is dragged to is replayed, too.
  const box = await boxOf(page.locator(".u-over").first())
  const dragged = page.waitForRequest((request) => {
    if (!request.url().endsWith("/policies/evaluate")) return false
    const { startTime } = request.postDataJSON() as { startTime: string }
    return Date.parse(startTime) < timestamp - 60 * 60_000
  })
  await page.mouse.move(box.x + 20, box.y + box.height / 2)
  await page.keyboard.down("Shift")
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2)
  await page.mouse.up()
  await page.keyboard.up("Shift")
  await dragged
  await page.getByRole("link", { name: "All events of that time" }).click()
  await page.getByRole("button", { name: "Deploy 1.2" }).waitFor()
  await page.goBack()
  await page
    .getByTitle(/Deploy 1\.2$/)
    .first()
    .click()
  await page.getByRole("button", { name: "Deploy 1.2" }).waitFor()
  await page.goBack()
  const former = /^reopened: an earlier alert of .* was closed .* \(by a user\)$/
  await page.getByRole("link", { name: former }).click()
  await page.waitForURL(new RegExp(`/app/incidents/${formerId}$`))
  await page.getByText(/^closed .* \(by a user\), it lasted/).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("a Read Only user reads all of it and sees no control for changes", async () => {
  await newUser(client(), "reader", "Read Only")
  const { page, context } = await openPage(browser(), client(), `/app/incidents/${fired.openId}`)
  await page.getByLabel("E-mail").fill(client().user.replace(/^[^@]*/, "reader"))
  await page.getByLabel("Password", { exact: true }).fill("a password of its own")
  await page.keyboard.press("Enter")
  await cycles(page).waitFor()
  for (const name of ["Acknowledge…", "Close…", "Mute policy"]) {
    await expect(button(page, name)).toHaveCount(0)
  }
  await page.keyboard.press("a")
  await expect(page.getByRole("dialog")).toHaveCount(0)
  await context.close()
})

test("a part that fails says so and leaves the others, and Retry loads it", async () => {
  const { page, context } = await openPage(browser(), client(), `/app/incidents/${fired.openId}`)
  const letEvaluate = await answerInstead(page, "**/policies/evaluate", refuse("Busy"))
  const letEvents = await answerInstead(page, "**/events?*", refuse("Busy"))
  await signIn(page, client())
  const failed = page.getByRole("alert").filter({ hasText: "Busy" })
  await expect(failed).toHaveCount(2)
  await page.getByText("The current value of cpu.total is 96\u00a0%; this is above").waitFor()
  await page.getByText(/^\d+ alerts in 7 days, this one among them\./).waitFor()
  letEvaluate()
  letEvents()
  for (const left of [1, 0]) {
    await failed.getByRole("button", { name: "Retry" }).first().click()
    await expect(failed).toHaveCount(left)
  }
  await cycles(page).waitFor()
  await context.close()
})

test("an address of no alert says so and leads on", async () => {
  const { page, context } = await open("0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10")
  await page.getByText("There is no alert with this address.").waitFor()
  await expectAccessible(page)
  await page.goto(`${client().url}/app/incidents/unknown`)
  await page.getByRole("link", { name: "Go to the alerts" }).click()
  await page.waitForURL(/\/app\/alerts$/)
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await open(fired.openId, { scheme, width })
    await cycles(page).waitFor()
    await charts(page).nth(1).waitFor()
    await expect(page.getByTitle(/Deploy 1\.2$/)).toHaveCount(2)
    await picture(page, `incident-${scheme}-${width}`)
    await expectToFit(page)
    await expectAccessible(page)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

/** Of the policy at web-2, by all that is stored. */
async function replayedIncidents(): Promise<number> {
  const body = { policyId: fired.policyId, elements: ["web-2"], duration: "P1D" }
  const reply = await callerOf(client()).post("/policies/evaluate", body)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ incidents: number }>().incidents
}

test("a value that arrives late is shown next to the one that was recorded", async () => {
  const { json } = await callerOf(client()).get(`/incidents/${fired.openId}`)
  const { incident } = json<{ incident: { tsFirstFired: string } }>()
  const timestamp = Date.parse(incident.tsFirstFired) + 1_000
  const samples = Array.from({ length: 50 }, (_, i) => {
    return { metricId: "cpu.total", timestamp: timestamp + i, val: 10 }
  })
  const late = await client().ingest([{ id: "web-2", type: "SERVER", samples }])
  assert.equal(late.status, 202, late.text)
  // A replay reads what is stored: late values are there after their flush.
  await answerOnce(replayedIncidents, (incidents) => incidents === 0)
  const { page, context } = await open(fired.openId)
  await cycles(page).getByText("was 96 %").first().waitFor()
  await cycles(page).getByText("it fired then").first().waitFor()
  await page.getByText(/^Marked cycles differ from what was recorded/).waitFor()
  await picture(page, "incident-late")
  await expectAccessible(page)
  await context.close()
})

test("an alert is closed after a confirmation, and then can be read", async () => {
  const { page, context, problems } = await open(fired.openId)
  await button(page, "Close…").waitFor()
  await page.keyboard.press("c")
  await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).click()
  await page.getByText(/^closed .*, it lasted/).waitFor()
  await expect(button(page, "Close…")).toHaveCount(0)
  await expectFocus(page)
  await cycles(page).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("an alert whose policy and element are deleted shows what was recorded", async () => {
  const admin = callerOf(client())
  const deleted = await admin.delete(`/policies/${fired.policyId}`)
  assert.ok(deleted.status < 300, deleted.text)
  const body = { ids: ["web-1"], action: "delete" }
  const gone = await admin.post("/elements/search/elementBulk", body)
  assert.ok(gone.status < 300, gone.text)
  const { page, context, problems } = await open(fired.closedId)
  await page.getByText("The policy has been deleted since.").waitFor()
  await page.getByText("The element has been deleted since").waitFor()
  await page.getByText("The current value of cpu.total is 96\u00a0%; this is above").waitFor()
  await expect(button(page, "Mute policy")).toHaveCount(0)
  await expect(page.getByRole("alert")).toHaveCount(0)
  await picture(page, "incident-deleted")
  await expectAccessible(page)
  assert.deepEqual(
    problems.filter((one) => !one.includes("404")),
    [],
  )
  await context.close()
})

/** Every name and text that a person or a collector can fill, on every page: shown, never run. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { hostile, openPage, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { firstIncident } from "../support/browser/event-incident.ts"
import { expect } from "../support/browser/expect.ts"
import { callerOf } from "../support/server/caller.ts"
import type { Client, Reply } from "../support/server/client.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer({ prepare: fill })
let incidentId = ""

function accepted(reply: Reply): void {
  assert.ok(reply.status < 300, reply.text)
}

/** Sends as collectors and people do, with the hostile text in each field that takes a text. */
async function fill(ready: Client): Promise<void> {
  const element = {
    id: "web-1",
    name: hostile,
    type: hostile,
    location: hostile,
    tags: [{ name: hostile, value: hostile }],
    attributes: [{ name: hostile, value: hostile }],
    metrics: [{ id: "cpu.total", name: hostile, unit: hostile }],
    samples: [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }],
    relations: [{ fqn: hostile }],
  }
  const nameless = { ...element, id: hostile, metrics: [] }
  accepted(await ready.ingest([element]))
  accepted(await ready.ingest([nameless]))
  const { post } = callerOf(ready)
  const policy = {
    name: hostile,
    description: hostile,
    scope: {},
    eventConditions: [{ messageRegex: "onerror" }],
    actions: [{ type: "event", category: 3 }],
  }
  accepted(await post("/policies", { policy }))
  const data = { elementId: "web-1", level: "CRITICAL", message: hostile, tags: [hostile] }
  const event = { type: "INFO", title: hostile, source: hostile, timestamp: Date.now(), data }
  const path = `/ingest/events/${ready.apiKey}`
  accepted(await ready.send(path, { method: "POST", body: [event] }))
  const noted = { title: hostile, message: hostile, tags: [{ name: hostile, value: hostile }] }
  accepted(await post("/events", { ...noted, elementId: "web-1" }))
  incidentId = await firstIncident(ready)
  accepted(await post("/views", { view: { name: hostile, page: "inventory", query: "" } }))
}

/** Nothing of the page was made of a text. */
async function assertTextOnly(page: Page, problems: readonly string[], path: string) {
  await expect(page.locator("img[src]"), path).toHaveCount(0)
  await expect(page, path).not.toHaveTitle("hacked")
  assert.deepEqual(problems, [], path)
}

/** Paths below /app/; on each of them the hostile text is in sight. */
const paths = () => [
  "",
  "alerts",
  `incidents/${incidentId}`,
  "inventory",
  `inventory?f=${encodeURIComponent(`name:"${hostile.replaceAll('"', '\\"')}"`)}`,
  "elements/web-1",
  "elements/web-1?tab=alerts",
  "elements/web-1?tab=policies",
  "elements/web-1?tab=relations",
  "elements/web-1?tab=details",
  "explore?q=cpu.total",
  "explore?q=cpu.total&view=table",
  "events",
]

test("on every page names are texts, and their invisible marks are shown", async () => {
  const { page, context, problems } = await openPage(browser(), client(), "/app/")
  await signIn(page, client())
  await page.getByText("connected", { exact: true }).waitFor()
  for (const path of paths()) {
    await page.goto(`${client().url}/app/${path}`)
    await page.getByText("⟨U+202E⟩txt").filter({ visible: true }).first().waitFor()
    await assertTextOnly(page, problems, path)
  }
  await context.close()
})

test("an address that holds a script is a text, too", async () => {
  const { page, context, problems } = await openPage(browser(), client(), "/app/")
  await signIn(page, client())
  await page.getByText("connected", { exact: true }).waitFor()
  const name = encodeURIComponent(hostile)
  const query = new URLSearchParams({ q: hostile, f: hostile, from: hostile, tab: hostile })
  for (const path of [name, `elements/${name}`, "explore", "inventory", "events", "alerts"]) {
    await page.goto(`${client().url}/app/${path}?${query}`)
    await page.getByText("connected", { exact: true }).waitFor()
    await assertTextOnly(page, [], path)
  }
  const scripts = problems.filter((problem) => !problem.includes("status of 4"))
  assert.deepEqual(scripts, [])
  await context.close()
})

test("the first steps show what arrives as texts", async () => {
  const { page, context, problems } = await openPage(browser(), client(), "/app/welcome")
  await signIn(page, client())
  await page.getByText("connected", { exact: true }).waitFor()
  const samples = [{ metricId: hostile, timestamp: Date.now(), val: 1 }]
  accepted(await client().ingest([{ id: "web-3", name: hostile, samples }]))
  await page.getByText("Data is arriving").waitFor()
  await page.getByRole("link", { name: /^Open .*⟨U\+202E⟩txt/ }).waitFor()
  await assertTextOnly(page, problems, "welcome")
  await context.close()
})

test("the palette shows what it finds as texts", async () => {
  const { page, context, problems } = await openPage(browser(), client(), "/app/alerts")
  await signIn(page, client())
  await page.getByText("connected", { exact: true }).waitFor()
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox", { name: "Search or jump" }).fill("<img")
  await page.getByRole("option", { name: "⟨U+202E⟩txt" }).first().waitFor()
  await assertTextOnly(page, problems, "palette")
  await context.close()
})

/** Every page opens in a real browser and says nothing wrong: what `npm test` runs of the browser. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { openPage, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { eventPolicyName, openEventIncident } from "../support/browser/event-incident.ts"
import { expect, expectAccessible, expectToFit } from "../support/browser/expect.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
let incidentId = ""
const client = useServer({
  async prepare(ready) {
    const samples = [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }]
    const elements = Array.from({ length: 40 }, (_, i) => ({ id: `web-${i}`, samples }))
    const posted = await ready.ingest(elements)
    assert.equal(posted.status, 202, posted.text)
    incidentId = await openEventIncident(ready, "web-1")
  },
})

/** Paths below /app/, and the heading of each page. */
const pages = (): readonly (readonly [path: string, title: string])[] => [
  ["", "Home"],
  ["alerts", "Alerts"],
  [`incidents/${incidentId}`, eventPolicyName],
  ["inventory", "Inventory"],
  ["elements/web-1", "web-1"],
  ["elements/web-1?tab=relations", "web-1"],
  ["explore?q=cpu.total", "Explore"],
  ["events", "Events"],
  ["welcome", "Add data"],
  ["settings/profile", "Profile"],
]

test("a person signs in, and every page opens without an error", async () => {
  const { page, context, problems } = await openPage(browser(), client(), "/app/")
  await signIn(page, client())
  await page.getByText("connected", { exact: true }).waitFor()
  for (const [path, title] of pages()) {
    await page.goto(`${client().url}/app/${path}`)
    await page.getByRole("heading", { level: 1, name: title }).waitFor({ state: "attached" })
    await page.getByText("connected", { exact: true }).waitFor()
    // The number of open alerts precedes it as soon as it is known.
    await expect(page).toHaveTitle(new RegExp(`^(\\(1\\) )?${title} – Tidegauge$`))
    await expectToFit(page, path)
    await expectAccessible(page, path)
    assert.deepEqual(problems, [], path)
  }
  await context.close()
})

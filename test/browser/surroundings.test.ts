/** The pages where they are used: below a path of a proxy, behind one that buffers, on a phone. */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { devices, type BrowserContextOptions } from "playwright-core"
import { openPage, picture, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { eventPolicyName, openEventIncident } from "../support/browser/event-incident.ts"
import {
  boxOf,
  expect,
  expectAccessible,
  expectToFit,
  expectTyped,
} from "../support/browser/expect.ts"
import { startProxy } from "../support/browser/proxy.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { freePort } from "../support/network/free-port.ts"
import type { Client } from "../support/server/client.ts"
import { startServer, storyProgram, useServer, type TestServer } from "../support/server/server.ts"

const browser = useBrowser()
const folder = makeFolder("tidegauge-proxied")
const prefix = "/monitor"
let proxied: TestServer | null = null
let publicPort = 0

async function prepare(client: Client): Promise<void> {
  const samples = [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }]
  const elements = Array.from({ length: 40 }, (_, i) => ({ id: `web-${i}`, type: "VM", samples }))
  const posted = await client.ingest(elements)
  assert.equal(posted.status, 202, posted.text)
}

const direct = useServer({ prepare })
before(async () => {
  publicPort = await freePort()
  const flags = ["--base-url", `http://127.0.0.1:${publicPort}${prefix}`]
  proxied = await startServer({ folder, flags, program: storyProgram() })
  await prepare(proxied.client)
})
after(async () => {
  await proxied?.stop()
  removeFolder(folder)
})

/** The client as seen through a proxy: pages ask for nothing that is not below its address. */
const through = (client: Client, url: string): Client => ({ ...client, url })

test("below a path of a proxy every page, file and call is below that path", async () => {
  const end = await startProxy({ port: publicPort, target: proxied!.url, prefix })
  try {
    const client = through(proxied!.client, `http://127.0.0.1:${publicPort}${prefix}`)
    const { page, context, problems } = await openPage(browser(), client, "/")
    await page.waitForURL(/\/monitor\/app\/sign-in/)
    await signIn(page, client)
    await page.getByText("40 elements", { exact: true }).waitFor()
    await page.getByText("connected", { exact: true }).waitFor()
    await page.getByRole("link", { name: "Inventory" }).first().click()
    await page.getByRole("link", { name: "web-1", exact: true }).click()
    await page.waitForURL(/\/monitor\/app\/elements\/web-1/)
    await page.getByRole("link", { name: "cpu.total" }).first().waitFor()
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "web-1" }).waitFor()
    const cookies = await context.cookies()
    assert.deepEqual(
      cookies.map(({ path }) => path),
      [prefix],
    )
    assert.deepEqual(problems, [])
    await context.close()
  } finally {
    end()
  }
})

test("behind a proxy that buffers a page is whole, says so, and loads by itself", async () => {
  const port = await freePort()
  const end = await startProxy({ port, target: direct().url, isBuffering: true })
  try {
    const client = through(direct(), `http://127.0.0.1:${port}`)
    const { page, context, problems } = await openPage(browser(), client, "/app/sign-in")
    await page.clock.install()
    await signIn(page, client)
    await page.getByText("40 elements", { exact: true }).waitFor()
    await page.getByText("connecting", { exact: true }).waitFor()
    // Longer than a stream may be silent.
    await page.clock.runFor(46_000)
    await page.getByText(/^Not connected since /).waitFor()
    const posted = await client.ingest([
      { id: "late", samples: [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }] },
    ])
    assert.equal(posted.status, 202, posted.text)
    await page.clock.runFor(61_000)
    await page.getByText("41 elements", { exact: true }).waitFor()
    assert.deepEqual(problems, [])
    await context.close()
  } finally {
    end()
  }
})

const phone: BrowserContextOptions = { ...devices["Pixel 7"], locale: "en-US" }

test("on a phone all pages fit, are reached by the thumb, and have no errors", async () => {
  const client = direct()
  const { page, context, problems } = await openPage(browser(), client, "/app/", { profile: phone })
  await signIn(page, client)
  const bar = page.getByRole("navigation", { name: "Pages" })
  for (const name of ["Alerts", "Inventory", "Explore", "Events", "Home"]) {
    const link = bar.getByRole("link", { name })
    const thumbPixels = async () => {
      const { height, width } = await boxOf(link)
      return Math.min(height, width)
    }
    await expect.poll(thumbPixels, { message: name }).toBeGreaterThanOrEqual(44)
    await link.tap()
    await page.getByRole("heading", { level: 1, name }).waitFor({ state: "attached" })
    await expectToFit(page, name)
    await expectAccessible(page, name)
  }
  const incident = await openEventIncident(client, "web-1")
  const others = [
    [`incidents/${incident}`, eventPolicyName],
    ["welcome", "Add data"],
    ["settings/profile", "Profile"],
    ["nowhere", "Page not found"],
    ["elements/web-1", "web-1"],
  ] as const
  for (const [path, name] of others) {
    await page.goto(`${client.url}/app/${path}`)
    await page.getByRole("heading", { level: 1, name }).waitFor()
    await page.getByText("connected", { exact: true }).waitFor()
    await expectToFit(page, name)
    await expectAccessible(page, name)
  }
  assert.deepEqual(problems, [])
  await context.close()
})

const opened = [
  ["inventory", "You", "menu"],
  ["inventory", /^Time range/, "dialog"],
  ["inventory", /^Search/, "dialog"],
  ["inventory", "Columns…", "dialog"],
  ["inventory", "Views", "menu"],
  ["explore?q=cpu.total", "Export", "menu"],
  ["events", "Write an annotation…", "dialog"],
] as const

test("on a phone the pages without a place in the bar are in the menu", async () => {
  const { page, context } = await openPage(browser(), direct(), "/app/alerts", { profile: phone })
  await signIn(page, direct())
  for (const name of ["Add data", "Profile"]) {
    await page.getByRole("button", { name: "You" }).tap()
    await page.getByRole("menuitem", { name }).tap()
    await page.getByRole("heading", { level: 1, name }).waitFor()
  }
  await context.close()
})

test("on a phone menus and dialogs lie in the window", async () => {
  const { page, context, problems } = await openPage(browser(), direct(), "/app/", {
    profile: phone,
  })
  await signIn(page, direct())
  await page.getByText("connected", { exact: true }).waitFor()
  for (const [path, name, role] of opened) {
    await page.goto(`${direct().url}/app/${path}`)
    await page.getByRole("button", { name }).tap()
    await page.getByRole(role).waitFor()
    await expectToFit(page, `${path} ${name}`)
    await expectAccessible(page, `${path} ${name}`)
  }
  assert.deepEqual(problems, [])
  await context.close()
})

const fixed = "from=2025-12-31T14:00:00.000Z&to=2026-01-02T16:30:00.000Z&tz=UTC"

test("on a phone the filter is in a sheet, and a range of two times is seen whole", async () => {
  const { page, context, problems } = await openPage(
    browser(),
    direct(),
    `/app/inventory?${fixed}`,
    { profile: phone },
  )
  await signIn(page, direct())
  await page.getByText(/^4[01] elements$/).waitFor()
  const range = page.getByRole("button", { name: /^Time range/ })
  await expect(range).toHaveText(/2025-12-31 14:00 – 2026-01-02 16:30/)
  await picture(page, "phone-range")
  await expectToFit(page)
  await page.getByRole("button", { name: "Filter", exact: true }).tap()
  const sheet = page.getByRole("dialog", { name: "Filter" })
  await expectTyped(page, "web-1", sheet.getByRole("combobox", { name: "Filter" }))
  await picture(page, "phone-filter")
  await expectToFit(page, "sheet")
  await page.keyboard.press("Enter")
  await sheet.getByRole("button", { name: "Close" }).tap()
  await page.getByRole("button", { name: "Filter: web-1", exact: true }).waitFor()
  await page.getByText("11 elements", { exact: true }).waitFor()
  await range.tap()
  await page.getByRole("dialog", { name: "Time range" }).waitFor()
  await picture(page, "phone-range-sheet")
  await page.getByRole("button", { name: "Last 2 days" }).tap()
  await expect(range).toHaveText(/Last 2 days/)
  assert.deepEqual(problems, [])
  await context.close()
})

test("on a phone the panel of the range has the zone, and loads again", async () => {
  const { page, context, problems } = await openPage(browser(), direct(), "/app/events", {
    profile: { ...phone, timezoneId: "Asia/Kolkata" },
  })
  await signIn(page, direct())
  const range = page.getByRole("button", { name: "Time range Last 6 hours", exact: true })
  await range.tap()
  const panel = page.getByRole("dialog", { name: "Time range" })
  await panel.getByRole("button", { name: "Live: after each cycle", pressed: true }).tap()
  await page.waitForURL(/live=0/)
  await panel.getByRole("button", { name: "UTC" }).tap()
  await page.waitForURL(/tz=UTC/)
  const again = page.waitForRequest(/\/events\?/)
  await panel.getByRole("button", { name: "Refresh" }).tap()
  await again
  await expect(panel).toHaveCount(0)
  assert.deepEqual(problems, [])
  await context.close()
})

/** Relations of an element in a real browser: graph and list, by keys, limits, states, axe. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { hostile, openPage, picture, signIn } from "../../support/browser/app-page.ts"
import type { Look } from "../../support/browser/app-page.ts"
import { useBrowser } from "../../support/browser/browser.ts"
import { expect, expectAccessible, expectToFit } from "../../support/browser/expect.ts"
import { looks } from "../../support/browser/looks.ts"
import { callerOf } from "../../support/server/caller.ts"
import type { Client } from "../../support/server/client.ts"
import { useServer } from "../../support/server/server.ts"

const browser = useBrowser()
const client = useServer({ prepare: fill })

const hubMembers = 250
/** Members that are drawn by themselves. */
const drawnMembers = 199

/** A fleet: `relations` are the members of what posts them; disk-0 closes a cycle. */
async function fill(ready: Client): Promise<void> {
  const samples = [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }]
  const element = (id: string, type: string, members: readonly string[], name = id) => {
    return { id, name, type, samples, relations: members.map((fqn) => ({ fqn })) }
  }
  const ids = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${prefix}-${i}`)
  const posted = await ready.ingest([
    element("shop", "CLUSTER", ids("web", 6)),
    element("web-0", "SERVER", ["disk-0", "db-0", "web-0"]),
    ...ids("web", 6)
      .slice(1)
      .map((id) => element(id, "SERVER", ["db-0"])),
    element("db-0", "DATABASE", []),
    element("disk-0", "DISK", ["shop"], hostile),
    element("alone", "SERVER", []),
    element("hub", "CLUSTER", ids("pod", hubMembers)),
    ...ids("pod", hubMembers).map((id) => element(id, "CONTAINER", [])),
  ])
  assert.equal(posted.status, 202, posted.text)
  const body = { ids: ["web-3"], action: "startMaintenance" }
  const changed = await callerOf(ready).post("/elements/search/elementBulk", body)
  assert.ok(changed.status < 300, changed.text)
}

async function open(path: string, look?: Look) {
  const opened = await openPage(browser(), client(), `/app/elements/${path}`, look)
  await signIn(opened.page, client())
  await opened.page.getByText("connected", { exact: true }).waitFor()
  return opened
}

const graph = (page: Page) => page.getByRole("group", { name: "Relations as a graph" })
const node = (page: Page, name: string) => graph(page).getByRole("link", { name })
const list = (page: Page) => page.getByRole("list", { name: "Related elements" })

test("what an element is a member of, and its members, in a graph and a list", async () => {
  const { page, context, problems } = await open("web-0")
  await page.getByRole("tab", { name: "Relations" }).click()
  await node(page, "web-0").waitFor()
  await expect(node(page, "web-0")).toHaveAttribute("aria-current", "page")
  await node(page, "⟨U+202E⟩txt").waitFor()
  await node(page, "web-3 Maintenance").waitFor()
  await page.getByText("9 elements", { exact: true }).waitFor()
  const member = list(page).getByRole("listitem").filter({ hasText: "web-5" })
  await expect(member).toHaveText(/SERVER · 2 steps · member of shop/)
  await expect(page.locator("img")).toHaveCount(0)
  await expect(page).not.toHaveTitle("hacked")
  assert.deepEqual(problems, [])
  await context.close()
})

test("by keys alone: arrows move, Home goes back, Enter opens", async () => {
  const { page, context, problems } = await open("web-0?tab=relations&steps=1")
  await node(page, "web-0").waitFor()
  await expect(graph(page).locator("[tabindex='0']")).toHaveCount(1)
  await page.getByRole("radio", { name: "1" }).focus()
  await page.keyboard.press("Tab")
  const focused = page.locator("*:focus")
  await expect(focused).toHaveText(/^web-0/)
  await page.keyboard.press("ArrowRight")
  await expect(focused).not.toHaveText(/^web-0/)
  await page.keyboard.press("Home")
  await expect(focused).toHaveText(/^web-0/)
  await page.goto(`${client().url}/app/elements/web-1?tab=relations&steps=1`)
  await node(page, "web-1").focus()
  await page.keyboard.press("ArrowLeft")
  await expect(focused).toHaveText(/^shop/)
  await page.keyboard.press("Enter")
  await page.waitForURL(/\/app\/elements\/shop\?tab=relations/)
  await node(page, "web-5").waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("fewer steps show fewer elements, and are in the address", async () => {
  const { page, context } = await open("web-0?tab=relations")
  await node(page, "web-5").waitFor()
  await page.getByRole("radio", { name: "1" }).check({ force: true })
  await node(page, "web-5").waitFor({ state: "detached" })
  await page.waitForURL(/steps=1/)
  await page.getByText("4 elements", { exact: true }).waitFor()
  await context.close()
})

test("of many members the first are drawn, and the others are one node", async () => {
  const { page, context, problems } = await open("hub?tab=relations")
  await page.getByText(`${drawnMembers + 1} of ${hubMembers + 1} elements`).waitFor()
  await page.getByText(/^The nearest are shown, the others are joined by type/).waitFor()
  const joined = `${hubMembers - drawnMembers} × CONTAINER`
  await graph(page).getByText(joined).waitFor()
  await list(page).getByText(joined).waitFor()
  await expect(graph(page).getByRole("link")).toHaveCount(drawnMembers + 1)
  await picture(page, "relations-hub")
  await expectAccessible(page)
  assert.deepEqual(problems, [])
  await context.close()
})

test("an element without relations says so, and how they are sent", async () => {
  const { page, context, problems } = await open("alone?tab=relations")
  await page.getByText(/^No element is within 2 relations of alone\./).waitFor()
  await page.getByRole("link", { name: /^How elements are sent/ }).waitFor()
  await picture(page, "relations-none")
  await expectAccessible(page)
  assert.deepEqual(problems, [])
  await context.close()
})

test("the layout is loaded with the tab, not with the page", async () => {
  const { page, context } = await open("web-0")
  const files = () =>
    page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
  const isLoaded = async () => String(await files()).includes("element-parts")
  await expect.poll(isLoaded).toBe(false)
  await page.getByRole("tab", { name: "Relations" }).click()
  await node(page, "shop").waitFor()
  await expect.poll(isLoaded).toBe(true)
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await open("web-0?tab=relations", { scheme, width })
    await node(page, "web-5").waitFor({ state: "attached" })
    await picture(page, `relations-${scheme}-${width}`)
    await expectToFit(page)
    await expectAccessible(page)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

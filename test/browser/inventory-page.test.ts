/** Inventory, element and palette in a real browser: find, sort, select, change, open; by keys. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { answerInstead, refuse } from "../support/browser/answers.ts"
import { hostile, openPage, picture, signIn, type Look } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import {
  expect,
  expectAccessible,
  expectFocus,
  expectToFit,
  expectTotal,
  expectTyped,
} from "../support/browser/expect.ts"
import { looks } from "../support/browser/looks.ts"
import { callerOf, newUser } from "../support/server/caller.ts"
import { useServer } from "../support/server/server.ts"

const elementCount = 3_000
/** Drawn at most: those in sight, and some around them. */
const drawnRowsMax = 80

const browser = useBrowser()
const client = useServer({
  async prepare(ready) {
    const samples = ["cpu.total", "cpu.user", "mem.used"].map((metricId) => ({
      metricId,
      timestamp: Date.now() - 600_000,
      val: 1,
    }))
    const elements = Array.from({ length: elementCount }, (_, i) => ({
      id: `web-${String(i).padStart(4, "0")}`,
      ...(i === 0 && { name: hostile, location: hostile }),
      type: i % 3 === 0 ? "SERVER" : "CONTAINER",
      tags: [{ name: "env", value: i % 2 === 0 ? hostile : "prod" }],
      attributes: [{ name: hostile, value: hostile }],
      samples,
    }))
    const posted = await ready.ingest(elements)
    assert.equal(posted.status, 202, posted.text)
    const { post } = callerOf(ready)
    const change = { action: "startMaintenance", ids: ["web-0001", "web-0002"] }
    assert.equal((await post("/elements/search/elementBulk", change)).status, 200)
    const view = { name: "Shop servers", page: "inventory", query: "f=type%3ASERVER" }
    assert.equal((await post("/views", { view })).status, 200)
    await newUser(ready, "reader", "Read Only")
  },
})

const table = (page: Page) => page.getByRole("table", { name: "Elements" })
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true })

async function open(path: string, look?: Look) {
  const watched = await openPage(browser(), client(), `/app/${path}`, look)
  await signIn(watched.page, client())
  return watched
}

async function inventory(query = "", look?: Look) {
  const watched = await open(`inventory${query}`, look)
  await table(watched.page).waitFor()
  return watched
}

test("of a long list the rows in sight are drawn, and others when scrolled to", async () => {
  const { page, context, problems } = await inventory()
  await expectTotal(page, "3,000 elements")
  await link(page, "web-0001").waitFor()
  await expect(table(page)).toHaveAttribute("aria-rowcount", String(elementCount + 1))
  const rows = page.locator("tbody tr[aria-rowindex]")
  await expect.poll(() => rows.count()).toBeLessThan(drawnRowsMax)
  const region = page.getByRole("region", { name: "Elements" })
  await region.evaluate((holder) => holder.scrollTo(0, holder.scrollHeight))
  await link(page, "web-2999").waitFor()
  await expect.poll(() => rows.count()).toBeLessThan(drawnRowsMax)
  await expect(page).toHaveTitle("Inventory – Tidegauge")
  assert.deepEqual(problems, [])
  await context.close()
})

test("a list that is loaded again keeps its rows and its place", async () => {
  const { page, context, problems } = await inventory()
  const region = page.getByRole("region", { name: "Elements" })
  await region.evaluate((holder) => holder.scrollTo(0, holder.scrollHeight / 2))
  await link(page, "web-1500").waitFor()
  const again = page.waitForResponse(/elementQuery/)
  await page.keyboard.press("r")
  await again
  await link(page, "web-1500").waitFor()
  await region.evaluate((holder) => holder.scrollTo(0, 0))
  await link(page, "web-0001").waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("order, levels and filter are in the address, and a link shows the same", async () => {
  const { page, context } = await inventory()
  await page.getByRole("button", { name: "Name" }).click()
  await page.waitForURL(/\?desc=1$/)
  await link(page, "web-2999").waitFor()
  await page.getByRole("button", { name: "Maintenance 2" }).click()
  await expectTotal(page, "2 elements")
  await page.waitForURL(/level=maintenance/)
  const address = page.url()
  await page.goBack()
  await expectTotal(page, "3,000 elements")
  await page.goto(address)
  await expectTotal(page, "2 elements")
  await expect(page.locator("tbody tr[aria-rowindex]")).toHaveCount(2)
  await page.getByRole("button", { name: "Maintenance 2" }).click()
  await page.getByRole("combobox", { name: "Filter" }).fill("type:SERVER")
  await expectTotal(page, "1,000 elements")
  await page.waitForURL(/f=type%3ASERVER/)
  await context.close()
})

test("columns are chosen, of metrics too, and a link shows the same ones", async () => {
  const { page, context, problems } = await inventory()
  await page.getByRole("button", { name: "Columns…" }).click()
  const dialog = page.getByRole("dialog", { name: "Columns" })
  const name = dialog.getByRole("combobox", { name: "Name of the tag, attribute or metric" })
  await expectTyped(page, "cpu.tot", name)
  await page.getByRole("option", { name: "cpu.total" }).click()
  await dialog.getByText("cpu.total avg, p95").waitFor()
  await expect(name).toBeFocused()
  await dialog.getByRole("checkbox", { name: "Tags" }).click()
  await dialog.getByRole("checkbox", { name: "Created" }).click()
  await dialog.getByLabel("Kind of column").selectOption("attr")
  await name.fill(hostile)
  await page.keyboard.press("Enter")
  await dialog.getByRole("button", { name: "Remove Attribute <img" }).waitFor()
  await expectAccessible(page)
  await dialog.getByRole("button", { name: "Done" }).click()
  const row = page.locator("tr", { has: link(page, "web-0001") })
  await row.locator("svg path[d^=M]").last().waitFor({ state: "attached" })
  await row.getByTitle("average 1, 95th percentile 1").waitFor()
  await page.waitForURL(
    /cols=metric\.cpu\.total%2Ctype%2C.*created.*sort=metric\.cpu\.total&desc=1/,
  )
  await page.reload()
  await row.getByTitle("average 1, 95th percentile 1").waitFor()
  await expect
    .poll(() => table(page).locator("th").allTextContents())
    .toEqual([
      "Level",
      "Name",
      "cpu.totalavg ↓p95",
      "Type",
      "Open alerts",
      "Collected",
      "Last seen",
      "Location",
      "Created",
      "Attribute <img src=x onerror=\"document.title='hacked'\">⟨U+202E⟩txt",
    ])
  await expect(page).not.toHaveTitle("hacked")
  await expectToFit(page)
  await picture(page, "inventory-columns")
  assert.deepEqual(problems, [])
  await context.close()
})

test("by level the worst are first, and the order is in the address", async () => {
  const { page, context } = await inventory()
  await page.getByRole("button", { name: "Level" }).click()
  await page.waitForURL(/sort=level&desc=1/)
  await page.locator("tbody tr[aria-rowindex='2']", { hasText: "Maintenance" }).waitFor()
  await context.close()
})

test("parts of a link that cannot be read are named, and the rest is shown", async () => {
  const { page, context } = await inventory("?sort=colour&level=maintenance&from=never")
  await page.getByText("Parts of this link could not be read").waitFor()
  await page.getByText(/left out: sort, time range$/).waitFor()
  await page.getByRole("button", { name: /^Maintenance \d/, pressed: true }).waitFor()
  await context.close()
})

test("the map has a cell for each element, by keys too", async () => {
  const { page, context, problems } = await inventory()
  await page.getByText("Map", { exact: true }).click()
  await page.waitForURL(/view=map/)
  const map = page.getByRole("application", { name: "Map of 3,000 elements, the worst first" })
  await map.focus()
  await page.getByText(/^\S+: maintenance$/).waitFor()
  await picture(page, "inventory-map")
  await expectAccessible(page)
  await expect.poll(() => page.locator("*").count()).toBeLessThan(400)
  await page.keyboard.press("End")
  await page.keyboard.press("ArrowRight")
  await page.keyboard.press("Enter")
  await page.getByRole("tab", { name: "Metrics" }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("a view is saved, opened, renamed and deleted", async () => {
  const { page, context, problems } = await inventory("?f=type%3ASERVER&sort=level&desc=1")
  const views = page.getByRole("button", { name: "Views" })
  await views.click()
  await page.getByRole("menuitem", { name: "Save this view…" }).click()
  const saving = page.getByRole("dialog", { name: "Save this view" })
  await expect(saving.getByLabel("Name")).toBeFocused()
  await page.keyboard.press("Enter")
  await saving.getByText("A view needs a name.").waitFor()
  await expectTyped(page, hostile, saving.getByLabel("Name"))
  await expectAccessible(page)
  await page.keyboard.press("Enter")
  await saving.waitFor({ state: "detached" })
  await expect(views).toBeFocused()
  await expectTotal(page, "1,000 elements")
  await page.goto(`${client().url}/app/inventory`)
  await views.click()
  await page.getByRole("menuitem", { name: "<img src=x" }).click()
  await page.waitForURL(/f=type%3ASERVER&sort=level&desc=1$/)
  await views.click()
  await page.getByRole("menuitem", { name: "Manage views…" }).click()
  const managing = page.getByRole("dialog", { name: "Views of this page" })
  await managing.getByRole("button", { name: "Rename <img" }).click()
  await expect(managing.getByLabel("New name of <img")).toBeFocused()
  await page.keyboard.press("Control+a")
  await expectTyped(page, "Worst servers", managing.getByLabel("New name of <img"))
  await page.keyboard.press("Enter")
  await expect(managing.getByRole("link", { name: "Worst servers" })).toBeFocused()
  await expectAccessible(page)
  await picture(page, "inventory-views")
  await managing.getByRole("button", { name: "Delete Worst servers" }).click()
  await managing.getByRole("link", { name: "Worst servers" }).waitFor({ state: "detached" })
  await expect(managing.getByRole("link", { name: "Shop servers" })).toBeFocused()
  await page.keyboard.press("Escape")
  await expect(views).toBeFocused()
  await expect(page).not.toHaveTitle("hacked")
  assert.deepEqual(problems, [])
  await context.close()
})

test("a filter that nothing passes names each term that can be removed", async () => {
  const { page, context } = await open("inventory?f=type%3ANONE")
  await page.getByText("No element passes this filter.").waitFor()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Remove type:NONE", exact: true }).click()
  await expectTotal(page, "3,000 elements")
  await context.close()
})

test("selected elements are tagged, maintained and deleted", async () => {
  const { page, context, problems } = await inventory()
  await page.getByRole("checkbox", { name: "Select web-0010" }).click()
  await page.getByRole("checkbox", { name: "Select web-0013" }).click({ modifiers: ["Shift"] })
  await page.getByText("4 selected").first().waitFor()
  await page.getByRole("button", { name: "Tag…" }).click()
  const dialog = page.getByRole("dialog", { name: "Tags of 4 elements" })
  await expect(dialog.getByLabel("Name")).toBeFocused()
  await page.keyboard.press("Enter")
  await dialog.getByText("A tag needs a name.").waitFor()
  await expectTyped(page, "owner", dialog.getByLabel("Name"))
  await dialog.getByLabel("Value").fill("ops")
  await page.keyboard.press("Enter")
  await page.getByText("Changed 4 elements").waitFor()
  const tags = await client().get("/elements/web-0012/tags")
  assert.deepEqual(tags.json<{ serviceTags: object }>().serviceTags, { owner: "ops" })
  const row = page.locator("tr", { has: link(page, "web-0012") })
  await row.getByText("owner:ops", { exact: true }).waitFor()

  await page.getByRole("button", { name: "Maintenance" }).click()
  await page.getByRole("menuitem", { name: "For 4 hours" }).click()
  await page.getByRole("button", { name: "Clear", exact: true }).click()
  await page.getByRole("button", { name: "Maintenance 6" }).waitFor()

  await page.getByRole("checkbox", { name: "Select web-0020" }).click()
  await page.getByRole("button", { name: "Delete…" }).click()
  await page.getByRole("dialog").getByText("Their values are kept").waitFor()
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click()
  await expectTotal(page, "2,999 elements")
  await expectFocus(page)
  assert.equal((await client().get("/elements/web-0020")).status, 404)
  const element = { id: "web-0020", type: "CONTAINER", samples: [] }
  assert.equal((await client().ingest([element])).status, 202)
  assert.deepEqual(problems, [])
  await context.close()
})

test("all that pass are selected with one press, also those that were not fetched", async () => {
  const { page, context } = await inventory("?f=type%3ASERVER")
  await page.getByRole("checkbox", { name: "Select all that pass" }).click()
  await page.getByText("1,000 selected").first().waitFor()
  await page.getByRole("checkbox", { name: "Select all that pass" }).click()
  await page.getByRole("button", { name: /^Maintenance \d/ }).waitFor()
  await context.close()
})

test("by keys alone: move, select, open, and back", async () => {
  const { page, context } = await inventory("?f=type%3ASERVER")
  await link(page, "web-0003").waitFor()
  await page.keyboard.press("j")
  await page.keyboard.press("j")
  await page.locator("tr:has(a:focus)", { hasText: "web-0003" }).waitFor()
  await page.keyboard.press("x")
  await page.getByText("1 selected").first().waitFor()
  await page.keyboard.press("ArrowDown")
  await page.locator("a:focus", { hasText: "web-0006" }).waitFor()
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "web-0006" }).waitFor()
  await page.goBack()
  await link(page, "web-0003").waitFor()
  await context.close()
})

test("an element shows its parts, and names stay texts", async () => {
  const { page, context, problems } = await open("elements/web-0000")
  await page.getByRole("heading", { name: "<img src=x" }).waitFor()
  await page.getByRole("link", { name: "cpu.total" }).waitFor()
  await page.getByRole("tab", { name: "Summary" }).focus()
  await page.keyboard.press("ArrowRight")
  await page.getByRole("tree", { name: "Names of metrics" }).waitFor()
  await page.getByRole("tab", { name: "Metrics" }).focus()
  await page.keyboard.press("ArrowRight")
  await page.getByText("No policy has fired in the last 14 days.").waitFor()
  await page.waitForURL(/tab=alerts$/)
  await page.keyboard.press("ArrowRight")
  await page.getByText("No policy watches this element.").waitFor()
  await page.keyboard.press("End")
  await page.getByRole("button", { name: "Add tag" }).waitFor()
  await expect(page.locator("dd", { hasText: "⟨U+202E⟩" })).toHaveCount(2)
  await expect(page).not.toHaveTitle("hacked")
  assert.deepEqual(problems, [])
  await context.close()
})

test("metrics of an element are found by tree, words and shape, all in the address", async () => {
  const { page, context, problems } = await open("elements/web-0004?tab=metrics")
  const metric = (name: string) => page.getByRole("link", { name, exact: true })
  await metric("mem.used").waitFor()
  await picture(page, "element-metrics")
  await page.getByRole("treeitem", { name: "cpu" }).focus()
  await page.keyboard.press("ArrowRight")
  await page.keyboard.press("ArrowDown")
  await page.locator("[role=treeitem]:focus", { hasText: "total" }).waitFor()
  await page.keyboard.press("ArrowLeft")
  await page.keyboard.press("Enter")
  await page.waitForURL(/under=cpu$/)
  await metric("mem.used").waitFor({ state: "detached" })
  await page.getByRole("searchbox", { name: "Filter metrics" }).fill("user")
  await page.getByText("1 of 3 metrics").waitFor()
  await page.getByText("Table", { exact: true }).click()
  await page.getByRole("row", { name: /cpu\.user/ }).waitFor()
  await page.getByText("Large", { exact: true }).click()
  await metric("cpu.user").click()
  await page.waitForURL(/metric=cpu\.user/)
  await page.getByText("Learned bands").waitFor()
  await page.getByRole("link", { name: "web-0001", exact: true }).waitFor()
  await page.getByText("From every sample").click()
  await page.getByText("Median").waitFor()
  await expectAccessible(page)
  await picture(page, "element-metric")
  await page.getByRole("link", { name: "← All metrics" }).click()
  await page.getByText("1 of 3 metrics").waitFor()
  await page.getByRole("searchbox", { name: "Filter metrics" }).fill("nothing")
  await page.getByText("No metric has these words in its name.").waitFor()
  await page.getByRole("button", { name: "Show all" }).click()
  await metric("mem.used").waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("tags of an element are added and removed, and its checks have the time left", async () => {
  const check = `/check/${client().apiKey}/heartbeat/web-0007/600`
  assert.equal((await client().send(check, { method: "POST" })).status, 202)
  const { page, context, problems } = await open("elements/web-0007?tab=details")
  await page.getByText(/^check heartbeat: 9 min left$/).waitFor()
  await page.getByRole("button", { name: "Add tag" }).click()
  await page.getByText("A tag needs a name.").waitFor()
  await page.getByLabel("Name").fill(hostile)
  await page.getByLabel("Value").fill(hostile)
  await page.keyboard.press("Enter")
  const remove = page.getByRole("button", { name: "Remove tag <img" })
  await remove.waitFor()
  await picture(page, "element-details")
  await remove.click()
  await remove.waitFor({ state: "detached" })
  await expect(page).not.toHaveTitle("hacked")
  assert.deepEqual(problems, [])
  await context.close()
})

test("a broken link to an element says so", async () => {
  const { page, context } = await open("elements/web-0007?tab=nothing")
  await page.getByText(/left out: tab$/).waitFor()
  await context.close()
})

test("an element that does not exist leads to the inventory", async () => {
  const { page, context } = await open("elements/nothing")
  await page.getByText("There is no element nothing.").waitFor()
  await expectAccessible(page)
  await page.getByRole("link", { name: "Go to the inventory" }).click()
  await table(page).waitFor()
  await context.close()
})

test("a Read Only user sees no control for changes", async () => {
  const { page, context } = await openPage(browser(), client(), "/app/inventory")
  const email = client().user.replace(/^[^@]*/, "reader")
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Password", { exact: true }).fill("a password of its own")
  await page.keyboard.press("Enter")
  await link(page, "web-0001").waitFor()
  await expect(page.getByRole("checkbox")).toHaveCount(0)
  await link(page, "web-0001").click()
  await page.getByRole("link", { name: "Explore", exact: true }).last().waitFor()
  await expect(page.getByRole("button", { name: "Delete…" })).toHaveCount(0)
  await context.close()
})

test("an answer that fails is explained, and Retry loads it", async () => {
  const { page, context } = await openPage(browser(), client(), "/app/inventory")
  const queries = "**/elements/search/elementQuery"
  const letThrough = await answerInstead(page, queries, refuse("Too many queries wait"))
  await signIn(page, client())
  await page.getByRole("alert").getByText("Too many queries wait").waitFor()
  letThrough()
  await page.getByRole("button", { name: "Retry" }).click()
  await table(page).waitFor()
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await inventory("", { scheme, width })
    await link(page, "web-0001").waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await picture(page, `inventory-${scheme}-${width}`)
    await page.getByRole("checkbox", { name: "Select web-0001" }).click()
    await expectAccessible(page)
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Search or jump" }).fill("web")
    await page.getByRole("option").first().waitFor()
    await expectAccessible(page)
    await page.keyboard.press("Escape")
    await link(page, "web-0001").click()
    await page.getByRole("link", { name: "cpu.total" }).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole("tab", { name: "Details" }).click()
    await page.getByRole("button", { name: "Add tag" }).waitFor()
    await expectAccessible(page)
    await page.getByRole("tab", { name: "Metrics" }).click()
    await page.getByRole("link", { name: "cpu.total" }).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await picture(page, `element-${scheme}-${width}`)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

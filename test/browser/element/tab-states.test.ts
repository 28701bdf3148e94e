/** Each tab of an element in its states: a call that fails, nothing, Read Only, foreign, axe. */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import type { Page } from "playwright-core"
import { sendToOwner } from "../../../src/control/control-socket.ts"
import { answerInstead, refuse } from "../../support/browser/answers.ts"
import { openPage, picture, signIn } from "../../support/browser/app-page.ts"
import type { Look } from "../../support/browser/app-page.ts"
import { useBrowser } from "../../support/browser/browser.ts"
import { expect, expectAccessible, expectToFit } from "../../support/browser/expect.ts"
import { looks } from "../../support/browser/looks.ts"
import { makeFolder, removeFolder } from "../../support/machine/folder.ts"
import { callerOf, newUser } from "../../support/server/caller.ts"
import type { Client } from "../../support/server/client.ts"
import { startServer, storyProgram, type TestServer } from "../../support/server/server.ts"

interface Tab {
  readonly name: string
  /** Paths of a call without which it shows nothing. */
  readonly call: string
  /** A part of what it shows of web-1. */
  readonly shown: (page: Page) => ReturnType<Page["locator"]>
  /** Its sentence about an element without anything. */
  readonly nothing: RegExp
}

const tabs: readonly Tab[] = [
  {
    name: "summary",
    call: "**/series/query",
    shown: (page) => page.getByRole("link", { name: "cpu.total" }),
    nothing: /^There are no values in this window/,
  },
  {
    name: "metrics&size=table",
    call: "**/elements/*/metrics",
    shown: (page) => page.getByRole("table", { name: "Metrics" }).getByText("cpu.total"),
    nothing: /^This element has sent no metric yet/,
  },
  {
    name: "alerts",
    call: "**/incidents?*",
    shown: (page) => page.getByRole("list", { name: "Events" }).getByText("Deploy 1.2"),
    nothing: /^No event in the last 14 days/,
  },
  {
    name: "policies",
    call: "**/elements/*/policies",
    shown: (page) => page.getByRole("list", { name: /^Policies/ }).getByText("CPU too high"),
    nothing: /^No policy watches this element/,
  },
  {
    name: "relations",
    call: "**/relationships?*",
    shown: (page) => page.getByRole("link", { name: /^web-2/ }).first(),
    nothing: /^No element is within 2 relations of bare/,
  },
]

const browser = useBrowser()
const folder = makeFolder("tidegauge-element-tabs")
let server: TestServer | null = null
const client = () => server!.client
/** Of an element in another account. */
let foreignId = ""

before(async () => {
  server = await startServer({ folder, program: storyProgram() })
  await fill(client())
  foreignId = await fillAnotherAccount(client())
  await newUser(client(), "reader", "Read Only")
})

after(async () => {
  await server?.stop()
  removeFolder(folder)
})

async function fill(ready: Client): Promise<void> {
  const samples = [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }]
  const attributes = [{ name: "rack", value: "7" }]
  const posted = await ready.ingest([
    { id: "web-1", type: "SERVER", samples, attributes, relations: [{ fqn: "web-2" }] },
    { id: "web-2", type: "SERVER", samples },
    { id: "bare", type: "BARE" },
  ])
  assert.equal(posted.status, 202, posted.text)
  const { post } = callerOf(ready)
  const conditions = [{ metric: "cpu.total", analytic: "actual", operator: ">", level: 90 }]
  const scope = { elementTypes: ["SERVER"] }
  const policy = { name: "CPU too high", scope, duration: 300, conditions }
  const made = await post("/policies", { policy })
  assert.equal(made.status, 200, made.text)
  const noted = await post("/events", { title: "Deploy 1.2", elementId: "web-1" })
  assert.equal(noted.status, 201, noted.text)
  const tags = [{ name: "owner", value: "ops" }]
  const body = { ids: ["web-1"], action: "setTags", tags }
  const tagged = await post("/elements/search/elementBulk", body)
  assert.ok(tagged.status < 300, tagged.text)
}

/** Posts an element as another account does; resolves to its id. */
async function fillAnotherAccount(ready: Client): Promise<string> {
  const [email, password] = ["two@example.com", "the second password"]
  const words = ["account", "create", "--name", "Two", "--email", email, "--password", password]
  const made = await sendToOwner(folder, words)
  assert.equal(made?.status, 0, made?.text)
  const key = /API key +([0-9a-f]{32})/.exec(made.text)![1]!
  const samples = [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }]
  const body = [{ id: "theirs", samples }]
  assert.equal((await ready.send(`/ingest/${key}`, { method: "POST", body })).status, 202)
  const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`
  const { json } = await callerOf(ready, authorization).get("/elements/theirs")
  return json<{ element: { id: string } }>().element.id
}

async function open(path: string, look?: Look) {
  const opened = await openPage(browser(), client(), `/app/elements/${path}`, look)
  await signIn(opened.page, client())
  await opened.page.getByText("connected", { exact: true }).waitFor()
  return opened
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name })

for (const { name, call, shown } of tabs) {
  test(`${name}: a call that fails is shown, Retry loads, the head stays`, async () => {
    const { page, context } = await open("bare")
    for (const status of [403, 503]) {
      const letThrough = await answerInstead(page, call, refuse("The server says why", status))
      await page.goto(`${client().url}/app/elements/web-1?tab=${name}&from=now-${status}m`)
      const problem = page.getByRole("alert").filter({ hasText: "The server says why" })
      await problem.waitFor()
      await heading(page, "web-1").waitFor()
      await expectAccessible(page)
      letThrough()
      await problem.getByRole("button", { name: "Retry" }).click()
      await shown(page).waitFor()
      await problem.waitFor({ state: "detached" })
    }
    await context.close()
  })
}

test("details: a change that fails is shown, and the page stays", async () => {
  const { page, context } = await open("web-1?tab=details")
  const call = "**/elements/search/elementBulk"
  await page.route(call, refuse("The server says why", 403))
  await page.getByRole("button", { name: "Remove tag owner" }).click()
  await page.getByText("The server says why").waitFor()
  await page.getByRole("button", { name: "Remove tag owner" }).waitFor()
  await context.close()
})

test("every tab of an element without anything says so", async () => {
  const { page, context, problems } = await open("bare")
  for (const { name, nothing } of tabs) {
    await page.goto(`${client().url}/app/elements/bare?tab=${name}`)
    await page.getByText(nothing).waitFor()
    await picture(page, `element-bare-${name}`)
    await expectAccessible(page, name)
  }
  await page.goto(`${client().url}/app/elements/bare?tab=details`)
  await page.getByText("It has no tags.").waitFor()
  await page.getByText("No attributes were sent.").waitFor()
  await expectAccessible(page)
  assert.deepEqual(problems, [])
  await context.close()
})

test("Read Only users read every tab, and see no control that changes something", async () => {
  const { page, context, problems } = await openPage(browser(), client(), "/app/elements/web-1")
  await page.getByLabel("E-mail").fill(client().user.replace(/^[^@]*/, "reader"))
  await page.getByLabel("Password", { exact: true }).fill("a password of its own")
  await page.keyboard.press("Enter")
  for (const { name, shown } of tabs) {
    await heading(page, "web-1").waitFor()
    await page.goto(`${client().url}/app/elements/web-1?tab=${name}`)
    await shown(page).waitFor()
  }
  await page.goto(`${client().url}/app/elements/web-1?tab=details`)
  await page.getByText("rack").waitFor()
  for (const name of ["Maintenance", "Delete…", "Add tag", "Remove tag owner"]) {
    await expect(page.getByRole("button", { name }), name).toHaveCount(0)
  }
  await expectAccessible(page)
  assert.deepEqual(problems, [])
  await context.close()
})

test("an element of another account is as unknown as one that does not exist", async () => {
  const { page, context } = await open("web-1")
  const unknown = "0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10"
  for (const id of [foreignId, "theirs", unknown]) {
    for (const tab of ["summary", "relations", "details"]) {
      await page.goto(`${client().url}/app/elements/${id}?tab=${tab}`)
      await page.getByText(`There is no element ${id}. It may have been deleted.`).waitFor()
      await expect(page.getByRole("tab")).toHaveCount(0)
    }
  }
  await expectAccessible(page)
  await page.getByRole("link", { name: "Go to the inventory" }).click()
  await page.waitForURL(/\/app\/inventory/)
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing on any tab in ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await open("web-1", { scheme, width })
    const details = { name: "details", shown: (on: Page) => on.getByText("rack") }
    for (const { name, shown } of [...tabs, details]) {
      await page.goto(`${client().url}/app/elements/web-1?tab=${name}`)
      await shown(page).waitFor()
      await expectToFit(page, name)
      await expectAccessible(page, name)
    }
    assert.deepEqual(problems, [])
    await context.close()
  })
}

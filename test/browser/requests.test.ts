/** Requests of first loads with an empty cache: each costs, and a round trip if it waits. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { BrowserContextOptions } from "playwright-core"
import { openPage, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { openEventIncident } from "../support/browser/event-incident.ts"
import { expect } from "../support/browser/expect.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer({
  async prepare(ready) {
    const timestamp = Date.now()
    const metrics = ["cpu.total", "memory.used"]
    const samples = metrics.map((metricId) => ({ metricId, timestamp, val: 1 }))
    const elements = Array.from({ length: 40 }, (_, i) => ({ id: `web-${i}`, samples }))
    const posted = await ready.ingest(elements)
    assert.equal(posted.status, 202, posted.text)
    await openEventIncident(ready, "web-1")
  },
})

type SignedIn = NonNullable<BrowserContextOptions["storageState"]>

async function signedIn(): Promise<SignedIn> {
  const { page, context } = await openPage(browser(), client(), "/app/sign-in")
  await signIn(page, client())
  await page.getByText("connected", { exact: true }).waitFor()
  return context.storageState()
}

interface Sent {
  /** Path with its query, below the address of the server. */
  readonly path: string
  /** By the clock of the browser. */
  readonly ms: number
}

/** Opens a page below /app/ in a new profile, which loads no code ahead; `sent` goes on growing. */
async function load(storageState: SignedIn, path: string) {
  const context = await browser().newContext({ locale: "en-US", storageState })
  const page = await context.newPage()
  const savesData = "{ value: { saveData: true } }"
  await page.addInitScript(`Object.defineProperty(navigator, "connection", ${savesData})`)
  const sent: Sent[] = []
  const devTools = await context.newCDPSession(page)
  devTools.on("Network.requestWillBeSent", ({ request, timestamp }) => {
    sent.push({ path: request.url.slice(client().url.length), ms: timestamp * 1_000 })
  })
  await devTools.send("Network.enable")
  await page.goto(`${client().url}/app/${path}`)
  return { page, sent }
}

const listed = (sent: readonly Sent[]) => sent.map(({ path }) => path).join("\n")

/** The document, its styles, the script before the first paint, entry, page, session, stream, series. */
const chartRequestsMax = 8
/** Loaded after the first data of a page, which a slow machine may draw after that. */
const isOfFrame = ({ path }: Sent) =>
  /\/(?:frame-parts|shared)-\w+\.js$|^\/incidents\?|\/elementStatus$|^\/status$/.test(path)

test("Explore draws its first chart after few requests", async () => {
  const { page, sent } = await load(await signedIn(), "explore?q=cpu.total")
  const marked = () =>
    page.evaluate(() => performance.getEntriesByName("tidegauge:chart")[0]?.startTime ?? null)
  await expect.poll(marked).not.toBe(null)
  const drawnMs = (await marked())!
  const startMs = Math.min(...sent.map(({ ms }) => ms))
  const before = sent.filter((one) => one.ms - startMs <= drawnMs && !isOfFrame(one))
  assert.ok(
    before.some(({ path }) => path.startsWith("/series/query")),
    listed(sent),
  )
  assert.ok(before.length <= chartRequestsMax, listed(before))
  // The script of the page is asked for together with the entry, not by it.
  const session = before.findIndex(({ path }) => path.startsWith("/sessions/"))
  const scripts = before.slice(0, session).filter(({ path }) => /-page-\w+\.js$/.test(path))
  assert.equal(scripts.length, 1, listed(before))
})

/**
 * Of the whole load, with what the frame asks for after it: two scripts, the number of alerts,
 * silences, and the status of the server. Two more than there are leave room for a call that a page
 * needs.
 */
const wholeLoads = { "": 19, alerts: 17, "elements/web-1": 21 } as const

test("Home, Alerts and Element take few requests in all", async () => {
  const state = await signedIn()
  for (const [path, max] of Object.entries(wholeLoads)) {
    const { page, sent } = await load(state, path)
    await expect(page).toHaveTitle(/^\(1\) /)
    const silences = () => sent.filter((one) => one.path.endsWith("/elementStatus")).length
    await expect.poll(silences).toBeGreaterThan(0)
    assert.ok(sent.length <= max, `${path}: ${sent.length}\n${listed(sent)}`)
    await page.context().close()
  }
})

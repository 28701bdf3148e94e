/** Pages whose code cannot be loaded: the server is away, or has another build by now. */

import assert from "node:assert/strict"
import { afterEach, test } from "node:test"
import type { Page } from "playwright-core"
import { answerInstead, disconnect } from "../support/browser/answers.ts"
import { signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect } from "../support/browser/expect.ts"
import { startProxy } from "../support/browser/proxy.ts"
import { freePort } from "../support/network/free-port.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer()

const exploreScript = "**/app/explore-page-*.js"

interface Options {
  readonly url: string
  readonly savesData: boolean
  /** Files that cannot be loaded until they are let through. */
  readonly missing?: string
}

/** The profile, with the other pages to be loaded; nothing is loaded ahead for who saves data. */
async function open({ url, savesData, missing }: Options) {
  const context = await browser().newContext({ locale: "en-US" })
  const page = await context.newPage()
  const value = `{ value: { saveData: ${savesData} } }`
  await page.addInitScript(`Object.defineProperty(navigator, "connection", ${value})`)
  const letThrough = missing === undefined ? null : await answerInstead(page, missing, disconnect)
  await page.goto(`${url}/app/settings/profile`)
  await signIn(page, client())
  await page.getByText("connected", { exact: true }).waitFor()
  await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor()
  return { page, letThrough: () => letThrough?.() }
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name })
/** The state of the stream within five seconds of its end, and after them. */
const lost = (page: Page) => page.getByText(/^(connecting$|Not connected since )/)
const pressLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click()

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A proxy that can be ended and started again, at an address that stays. */
async function proxied() {
  const port = await freePort()
  const start = async () => {
    const end = await startProxy({ port, target: client().url })
    ends.push(end)
    return end
  }
  return { url: `http://127.0.0.1:${port}`, start }
}

test("Retry loads a page whose code failed; by itself the document reloads once", async () => {
  const options = { url: client().url, savesData: true, missing: exploreScript }
  const { page, letThrough } = await open(options)
  let documents = 0
  page.on("request", (request) => (documents += request.isNavigationRequest() ? 1 : 0))
  const again = page.waitForEvent("load")
  await pressLink(page, "Explore")
  // The server answers, so a new document is tried; its first page fails, and waits.
  await again
  await page.getByRole("alert").getByText("The page could not be loaded").waitFor()
  await page.getByText("connected", { exact: true }).waitFor()
  letThrough()
  await page.getByRole("button", { name: "Retry" }).click()
  await heading(page, "Explore").waitFor()
  assert.equal(documents, 2)
  await page.context().close()
})

test("a page that failed loads by itself when the server is there again", async () => {
  const { url, start } = await proxied()
  const end = await start()
  const { page } = await open({ url, savesData: true })
  end()
  await lost(page).waitFor()
  await pressLink(page, "Explore")
  await page.getByText("The page could not be loaded").waitFor()
  // The document stays while there is no server to load it from.
  await page.getByRole("button", { name: "Retry" }).click()
  await page.getByText("The server cannot be reached").waitFor()
  await page.getByText(/^Not connected since /).waitFor()
  await start()
  await heading(page, "Explore").waitFor()
  await page.context().close()
})

test("another build is offered, and loaded by itself if a page needs it", async () => {
  const { url, start } = await proxied()
  const end = await start()
  const { page } = await open({ url, savesData: true })
  const restoreIndex = await answerInstead(page, "**/app/", async (route) => {
    await route.fulfill({ contentType: "text/html", body: `<script src="main-OTHER.js"></script>` })
  })
  await page.getByLabel("New password").fill("something typed")
  end()
  await page.getByText(/^Not connected since /).waitFor()
  await start()
  const reload = page.getByRole("button", { name: "New version · Reload" })
  await reload.waitFor()
  await expect(page.getByLabel("New password")).toHaveValue("something typed")
  restoreIndex()
  await reload.click()
  await heading(page, "Profile").waitFor()
  await expect(page.getByLabel("New password")).toHaveValue("")
  await page.getByText("connected", { exact: true }).waitFor()
  await expect(reload).toHaveCount(0)

  // Its file is gone: the server answers the page in its place.
  const restoreScript = await answerInstead(page, exploreScript, async (route) => {
    restoreScript()
    await route.fulfill({ contentType: "text/html", body: "<!doctype html>" })
  })
  await pressLink(page, "Explore")
  await heading(page, "Explore").waitFor()
  await page.context().close()
})

test("the code of the other pages is loaded ahead, and needs no server later", async () => {
  const { url, start } = await proxied()
  const end = await start()
  const { page } = await open({ url, savesData: false })
  const loaded = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map(({ name }) => /(?:explore-page|element-parts|frame-parts)/.exec(name)?.[0])
        .filter((name) => name !== undefined)
        .sort(),
    )
  await expect.poll(loaded).toEqual(["element-parts", "explore-page", "frame-parts"])
  end()
  await lost(page).waitFor()
  await pressLink(page, "Explore")
  await heading(page, "Explore").waitFor()
  await page.context().close()
})

test("another part that cannot be loaded has a button in the status line", async () => {
  const options = { url: client().url, savesData: true, missing: "**/app/frame-parts-*.js" }
  const { page, letThrough } = await open(options)
  await page.keyboard.press("Control+k")
  await page.getByText("A part of the pages could not be loaded").first().waitFor()
  await page.getByRole("dialog").waitFor({ state: "detached" })
  letThrough()
  const again = page.waitForEvent("load")
  await page
    .getByRole("button", { name: "A part of the page could not be loaded · Reload" })
    .click()
  await again
  await heading(page, "Profile").waitFor()
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox", { name: "Search or jump" }).waitFor()
  await page.context().close()
})

/** First steps in a real browser: from nothing to data that arrives, by pasting what is shown. */

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { answerInstead, disconnect } from "../support/browser/answers.ts"
import { openPage, picture, signIn, type Look } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect, expectAccessible, expectToFit, textOf } from "../support/browser/expect.ts"
import { looks } from "../support/browser/looks.ts"
import { newUser } from "../support/server/caller.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer()

async function open(path = "/app/welcome", look?: Look) {
  const opened = await openPage(browser(), client(), path, look)
  await signIn(opened.page, client())
  await opened.page.getByText("connected", { exact: true }).waitFor()
  return opened
}

/** Runs what the page shows in a shell. */
async function paste(page: Page): Promise<void> {
  const code = await textOf(page.getByRole("region", { name: "curl" }), /\/ingest\/[0-9a-f]{32}/)
  const shell = spawn("bash", ["-c", code.replace(/^curl/, "curl -sS --noproxy '*'")])
  const [status] = (await once(shell, "close")) as [number]
  assert.equal(status, 0)
}

test("an empty account begins with the first steps, and sees its first data come", async () => {
  const { page, context, problems } = await open("/app/")
  await page.waitForURL(/\/app\/welcome$/)
  await page.getByRole("heading", { name: "Send your first data", level: 1 }).waitFor()
  await page.getByText("Waiting for data…").waitFor()
  await picture(page, "welcome-waiting")
  await page.getByText("YOUR-API-KEY").waitFor()
  await page.getByRole("button", { name: "Make a key for this page" }).click()
  await page.getByText(/^The key is in the text below/).waitFor()
  await paste(page)
  await page.getByText("Data is arriving").waitFor()
  await page.getByText("The newest element is my-server, with 1 metric.").waitFor()
  await page.getByText(/^All together: 1 sample in 1 request .* “first steps”; 1 element/).waitFor()
  await page.getByText("42 %").waitFor()
  await paste(page)
  await page.locator("li svg path[d*='L']").waitFor({ state: "attached" })
  const samples = [{ metricId: "cpu.total", timestamp: Date.now(), val: 7 }]
  assert.equal((await client().ingest([{ id: "second", samples }])).status, 202)
  await page.getByText("The newest element is second, with 1 metric.").waitFor()
  await page.getByText(/^All together: 3 samples in 3 requests .*; 2 elements by now/).waitFor()
  await picture(page, "welcome-arriving")
  await expectAccessible(page)
  await page.getByRole("link", { name: "Open second" }).click()
  await page.getByRole("heading", { name: "second", level: 1 }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test("former keys are listed, another one is made on purpose, and revoked", async () => {
  const { page, context, problems } = await open()
  const keys = page.getByRole("table", { name: "Keys with the name “first steps”" })
  const made = keys.getByRole("button", { name: /^Revoke the key of/ })
  await expect(made).toHaveCount(1)
  await expect(keys.getByText("never")).toHaveCount(0)
  await page.getByText("YOUR-API-KEY").first().waitFor()
  await page.getByRole("button", { name: "Make another key" }).press("Enter")
  await expect(keys.getByRole("row").filter({ hasText: "(in the text below)" })).toHaveCount(1)
  await page.getByText(/\/ingest\/[0-9a-f]{32}/).waitFor()
  await expect(made).toHaveCount(2)
  await picture(page, "welcome-keys")
  await expectAccessible(page)
  await expectToFit(page)
  await made.nth(1).press("Enter")
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).press("Enter")
  await page.getByText("The key is revoked").waitFor()
  await expect(made).toHaveCount(1)
  await expect(page.getByRole("region", { name: "curl" })).toContainText("YOUR-API-KEY")
  await expect(keys.getByText("(in the text below)")).toHaveCount(0)
  assert.deepEqual(problems, [])
  await context.close()
})

test("each tab has its text, chosen by keys, and it is copied", async () => {
  const { page, context } = await open()
  await page.getByRole("heading", { name: "Add data", level: 1 }).waitFor()
  await page.getByText("Waiting for more data…").waitFor()
  await page.getByRole("tab", { name: "curl" }).focus()
  await page.keyboard.press("End")
  await page.getByRole("region", { name: "collectd" }).getByText("write_http").first().waitFor()
  await page.keyboard.press("ArrowLeft")
  const java = page.getByRole("region", { name: "Java agent" })
  const { url } = client()
  const lines = `netuitive.api.url = ${url}\nnetuitive.api.key = YOUR-API-KEY`
  await expect.poll(() => java.textContent()).toBe(`netuitive.api = yes\n${lines}`)
  await page.getByRole("button", { name: "Copy", exact: true }).click()
  await page.getByText("Copied").waitFor()
  await context.close()
})

test("the page is reached from the navigation, by keys and from an empty Home", async () => {
  const { page, context } = await open("/app/explore")
  await page.getByRole("link", { name: "Add data" }).click()
  await page.getByRole("heading", { name: "Add data", level: 1 }).waitFor()
  await page.keyboard.press("g")
  await page.keyboard.press("h")
  await page.getByRole("heading", { name: /SERVER 1/ }).waitFor()
  await page.keyboard.press("g")
  await page.keyboard.press("w")
  await page.getByRole("heading", { name: "Add data", level: 1 }).waitFor()
  await context.close()
})

test("what was refused last is shown", async () => {
  const path = "/ingest/00000000000000000000000000000000"
  assert.equal((await client().send(path, { method: "POST", body: [] })).status, 403)
  const { page, context } = await open()
  await page.getByText(/^Trouble\? The last refused request, .*: 403, /).waitFor()
  await context.close()
})

test("without a status the page says so, and tries again", async () => {
  const { page, context } = await openPage(browser(), client(), "/app/welcome")
  const letThrough = await answerInstead(page, "**/status", disconnect)
  await signIn(page, client())
  await page.getByText("The server's status could not be loaded").waitFor()
  letThrough()
  await page.getByRole("button", { name: "Retry" }).click()
  await page.getByText("Waiting for more data…").waitFor()
  await context.close()
})

test("Read Only users see what they can look at, and no key", async () => {
  await newUser(client(), "reader", "Read Only")
  const { page, context, problems } = await openPage(browser(), client(), "/app/welcome")
  await page.getByLabel("E-mail").fill(client().user.replace(/^[^@]*/, "reader"))
  await page.getByLabel("Password", { exact: true }).fill("a password of its own")
  await page.keyboard.press("Enter")
  await page.getByText("You may read everything, and change nothing.").waitFor()
  await expect(page.getByRole("tab")).toHaveCount(0)
  await expectAccessible(page)
  assert.deepEqual(problems, [])
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in ${scheme} at ${width} px`, async () => {
    const { page, context, problems } = await open("/app/welcome", { scheme, width })
    await page.getByText("Waiting for more data…").waitFor()
    await picture(page, `welcome-${scheme}-${width}`)
    await expectToFit(page)
    await expectAccessible(page)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

/** A server that answers with errors while a page loads, in a real browser (F28). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { answerInstead, refuse } from "../support/browser/answers.ts"
import { openPage, picture, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect, expectAccessible, expectToFit } from "../support/browser/expect.ts"
import { looks } from "../support/browser/looks.ts"
import { useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer()

for (const look of looks) {
  const { scheme, width } = look
  test(`the page says what is wrong and goes on by itself, in ${scheme} at ${width}`, async () => {
    const { page, context } = await openPage(browser(), client(), "/app/alerts", look)
    await signIn(page, client())
    await page.getByText("connected", { exact: true }).waitFor()
    const sentence = "The store is being carried over"
    const letThrough = await answerInstead(page, "**/sessions/current", refuse(sentence))
    let documents = 0
    page.on("request", (request) => (documents += request.isNavigationRequest() ? 1 : 0))
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "The server answered 503" }).waitFor()
    await page.getByText("Tidegauge", { exact: true }).waitFor()
    await page.getByText(sentence).waitFor()
    await page.getByText(`Server: ${client().url}`).waitFor()
    await page.getByText(/^Next try in \d+ seconds?$/).waitFor()
    await page.getByRole("button", { name: "Retry now" }).waitFor()
    await picture(page, `start-${scheme}-${width}`)
    await expectToFit(page)
    await expectAccessible(page)
    letThrough()
    await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor({ state: "attached" })
    await expect(page.getByRole("button", { name: "Retry now" })).toHaveCount(0)
    assert.equal(documents, 1)
    await context.close()
  })
}

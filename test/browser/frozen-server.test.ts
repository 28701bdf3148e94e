/** A server that freezes, in a real browser (F13): the page says it, and looks like it. */

import assert from "node:assert/strict"
import { after, afterEach, before, test } from "node:test"
import { openPage, picture, signIn } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import { expect, expectAccessible, expectToFit } from "../support/browser/expect.ts"
import { looks } from "../support/browser/looks.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { startServer, storyProgram, type TestServer } from "../support/server/server.ts"

const browser = useBrowser()
const folder = makeFolder("tidegauge-frozen")
let server: TestServer

before(async () => {
  server = await startServer({ folder, program: storyProgram() })
  const elements = ["web-1", "web-2", "web-3"].map((id) => {
    return { id, type: "VM", samples: [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }] }
  })
  const posted = await server.client.ingest(elements)
  assert.equal(posted.status, 202, posted.text)
})
// A server that is frozen takes no other signal.
afterEach(() => server.signal("SIGCONT"))
after(async () => {
  await server.stop()
  removeFolder(folder)
})

for (const look of looks) {
  const { scheme, width } = look
  test(`rows are dimmed until the server answers, in ${scheme} at ${width} px`, async () => {
    const { client } = server
    const { page, context, problems } = await openPage(browser(), client, "/app/inventory", look)
    await signIn(page, client)
    await page.getByRole("link", { name: "web-1", exact: true }).waitFor()
    await page.getByText("connected", { exact: true }).waitFor()
    server.signal("SIGSTOP")
    const ascending = { name: "Ascending: sort descending" }
    const head = width < 640 ? ascending : { name: "Name", exact: true }
    await page.getByRole("button", head).click()
    await page.waitForURL(/\?desc=1$/)
    const table = page.getByRole("table", { name: "Elements" })
    const busy = page.locator("[aria-busy=true]").filter({ has: table })
    await expect(busy).toHaveCount(1)
    await page.getByText(/^The server has not answered since \d\d:\d\d:\d\d$/).waitFor()
    await expect(page.getByRole("main")).toHaveAttribute("data-silent", "true")
    await expect(page.getByText("Waiting for the server")).toHaveCount(0)
    await picture(page, `frozen-${scheme}-${width}`)
    await expectToFit(page)
    await expectAccessible(page)
    server.signal("SIGCONT")
    await page.getByText("connected", { exact: true }).waitFor()
    await expect(busy).toHaveCount(0)
    await expect(page.getByRole("main")).not.toHaveAttribute("data-silent", "true")
    await expect(page.locator("tbody a").first()).toHaveText("web-3")
    assert.deepEqual(problems, [])
    await context.close()
  })
}

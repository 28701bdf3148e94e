/** A1: pages of other sites in a real browser that holds an administrator's Basic credentials. */

import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { after, before, test } from "node:test"
import type { BrowserContext, Response } from "playwright-core"
import { useBrowser } from "../support/browser/browser.ts"
import { expect } from "../support/browser/expect.ts"
import { adminEmail, adminPassword, useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer()

/** Scripts of the pages of the other site, by path; `to` is the server. */
const evil: Readonly<Record<string, (to: string) => string>> = {
  "/form": (to) => formOf(to),
  "/fetch": (to) => blindFetch(`${to}/users`, bodyOf("fetch")),
  "/password": (to) => blindFetch(`${to}/users/1/password?newPassword=one-of-their-own`),
  "/frame": (to) =>
    `<iframe sandbox="allow-forms allow-scripts" srcdoc='${formOf(to).replaceAll("'", "&#39;")}'>`,
}

const bodyOf = (name: string) =>
  `{"user":{"email":"${name}@evil.example","roles":["Administrator"],"password":"a-good-long=one"}}`

/** A form of plain text sends "name=value". */
function formOf(to: string): string {
  const [name, value] = bodyOf("form")
    .split("=")
    .map((text) => text.replaceAll('"', "&quot;"))
  return `<form method="post" enctype="text/plain" action="${to}/users">
    <input name="${name}" value="${value}"></form><script>document.forms[0].submit()</script>`
}

/** Sends without leave to read the answer. */
function blindFetch(url: string, body: string | null = null): string {
  const init = { method: "POST", mode: "no-cors", credentials: "include", body }
  return `<script>fetch(${JSON.stringify(url)}, ${JSON.stringify(init)})</script>`
}

let elsewhere: Server | null = null
before(async () => {
  elsewhere = createServer(({ url = "" }, response) => {
    const content = evil[url]?.(client().url) ?? ""
    response.setHeader("Content-Type", "text/html").end(`<!doctype html><body>${content}`)
  }).listen(0, "127.0.0.1")
  await once(elsewhere, "listening")
})
after(() => elsewhere?.close())

/** A site of another name, and one of the same with another port; the server is on 127.0.0.1. */
function evilSites(): string[] {
  const { port } = elsewhere!.address() as AddressInfo
  return [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
}

/** A browser that was signed in: it adds the credentials to all it sends to the server. */
async function signedIn(): Promise<BrowserContext> {
  const httpCredentials = { username: adminEmail, password: adminPassword }
  const context = await browser().newContext({ httpCredentials })
  const page = await context.newPage()
  assert.equal((await page.goto(`${client().url}/users`))?.status(), 200)
  return context
}

async function users(): Promise<string[]> {
  const reply = await client().get("/users")
  return reply.json<{ users: { email: string }[] }>().users.map(({ email }) => email)
}

/** Responses of the server to requests of cross-site pages. */
async function visit(context: BrowserContext, address: string): Promise<Response> {
  const page = await context.newPage()
  const answered = page.waitForResponse(
    (response) => response.url().startsWith(client().url) && response.request().method() === "POST",
  )
  await page.goto(address, { waitUntil: "commit" })
  return answered
}

test("no page of another site makes a user in a signed-in browser (A1)", async () => {
  const context = await signedIn()
  for (const site of evilSites()) {
    for (const path of Object.keys(evil)) {
      const response = await visit(context, site + path)
      assert.equal(response.status(), 403, `${site}${path}`)
      const origin = await response.request().headerValue("origin")
      assert.equal(origin, path === "/frame" ? "null" : site)
    }
  }
  await context.close()
  // Asked for with the password that the administrator had.
  assert.deepEqual(await users(), [adminEmail])
})

test("the server's own page still sends what is typed into it", async () => {
  const context = await browser().newContext()
  const page = await context.newPage()
  await page.goto(`${client().url}/docs`)
  await page.getByRole("link", { name: "API reference" }).click()
  await expect(page).toHaveURL(`${client().url}/docs/reference`)
  await page.fill("#user", adminEmail)
  await page.fill("#password", adminPassword)
  await page.click("#postDashboards > summary")
  await page.fill("#postDashboards textarea", `{"dashboard":{"name":"From the page"}}`)
  await page.click("#postDashboards button")
  const answer = page.locator("#postDashboards .answer")
  await answer.filter({ hasText: "→ 200" }).waitFor()
  await expect(answer).toHaveText(/"name": "From the page"/)
  await context.close()
})

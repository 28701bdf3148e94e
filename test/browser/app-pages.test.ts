/** The pages at /app/ in a real browser: sign in, profile, keys, both themes, phone and desk. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { openPage, signIn as signInAs, type Look } from "../support/browser/app-page.ts"
import { useBrowser } from "../support/browser/browser.ts"
import {
  expect,
  expectAccessible,
  expectFocus,
  expectToFit,
  expectTyped,
} from "../support/browser/expect.ts"
import { looks } from "../support/browser/looks.ts"
import { callerOf } from "../support/server/caller.ts"
import { adminEmail, adminPassword, useServer } from "../support/server/server.ts"

const browser = useBrowser()
const client = useServer()

const open = (path: string, look?: Look) => openPage(browser(), client(), path, look)
const signIn = (page: Page) => signInAs(page, client())

test("a page without a session leads to the sign-in, which leads back to it", async () => {
  const { page, context, problems } = await open("/app/settings/profile?theme=x")
  await page.waitForURL(/\/app\/sign-in\?next=/)
  await signIn(page)
  await page.waitForURL(/\/app\/settings\/profile\?theme=x$/)
  await page.getByRole("heading", { name: "Profile" }).waitFor()
  await expect(page).toHaveTitle("Profile – Tidegauge")
  assert.deepEqual(problems, [])
  await context.close()
})

test("the address of the service leads to the first page", async () => {
  const { page, context, problems } = await open("/")
  await page.waitForURL(/\/app\/sign-in/)
  await signIn(page)
  // It has no element: the first steps come first.
  await page.waitForURL(/\/app\/welcome$/)
  await page.getByRole("link", { name: "Home" }).click()
  await page.getByText("No element has sent data yet.").waitFor()
  await expect(page).toHaveURL((url) => url.pathname === "/app/")
  assert.deepEqual(problems, [])
  await context.close()
})

test("wrong credentials are answered in one sentence next to the form", async () => {
  const { page, context } = await open("/app/sign-in")
  await expectTyped(page, adminEmail, page.getByLabel("E-mail"))
  await page.getByLabel("Password", { exact: true }).fill("not the password")
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("alert").getByText("The e-mail or the password is wrong").waitFor()
  await context.close()
})

test("a sign-in link works in an open tab, also after one that did not", async () => {
  const { get, post } = callerOf(client())
  const { user } = (await get("/users/current")).json<{ user: { id: number } }>()
  const { link } = (await post(`/users/${user.id}/link`)).json<{ link: string }>()
  const { page, context } = await open("/app/sign-in")
  await page.getByLabel("E-mail").waitFor()
  // Nothing but the fragment changes: the document stays, as when a link is pasted.
  await page.goto(`${page.url()}#${"0".repeat(43)}`)
  await page.getByRole("alert").getByText("tidegauge user link EMAIL").waitFor()
  await expect(page).toHaveURL(/\/app\/sign-in$/)
  await page.goto(`${page.url()}#${link}`)
  await page.waitForURL(/\/app\/welcome$/)
  await context.close()
})

test("a chosen theme stays in another browser, and is there before the first paint", async () => {
  const first = await open("/app/settings/profile")
  await signIn(first.page)
  await first.page.getByLabel("Theme").selectOption("dark")
  await first.page.getByText("Saved").waitFor()
  await first.page.reload({ waitUntil: "commit" })
  await first.page.locator("html[data-theme=dark]").waitFor()
  await first.context.close()
  const second = await open("/app/settings/profile")
  await signIn(second.page)
  await second.page.locator("html[data-theme=dark]").waitFor()
  await second.page.getByLabel("Theme").selectOption("system")
  await second.page.getByText("Saved").waitFor()
  await second.context.close()
})

test("a session that ends elsewhere asks again over the page, which keeps its fields", async () => {
  const { page, context } = await open("/app/settings/profile")
  await signIn(page)
  await page.getByLabel("New password").fill("something typed")
  await context.clearCookies()
  await page.getByLabel("Density").selectOption("compact")
  const dialog = page.getByRole("dialog")
  await dialog.waitFor()
  await expectTyped(page, adminPassword, dialog.getByLabel("Password", { exact: true }))
  await page.keyboard.press("Enter")
  await dialog.waitFor({ state: "detached" })
  await expect(page.getByLabel("New password")).toBeFocused()
  await expect(page.getByLabel("New password")).toHaveValue("something typed")
  await context.close()
})

test("all can be done by keys: skip to the page, overview, menu, sign out", async () => {
  const { page, context } = await open("/app/settings/profile")
  await signIn(page)
  await page.getByRole("heading", { name: "Profile" }).waitFor()
  await page.getByRole("link", { name: "Skip to the page" }).press("Enter")
  await expect(page.getByRole("main")).toBeFocused()
  await expect(page).toHaveURL(/\/app\/settings\/profile$/)
  await page.keyboard.press("?")
  await page.getByRole("dialog", { name: "Keys" }).waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await expectFocus(page)
  await page.getByRole("button", { name: "You" }).focus()
  await page.keyboard.press("Enter")
  await page.locator("[role=menuitem]:focus", { hasText: "Add data" }).waitFor()
  await page.keyboard.press("p")
  await page.locator("[role=menuitem]:focus", { hasText: "Profile" }).waitFor()
  await page.keyboard.press("s")
  await page.locator("[role=menuitem]:focus", { hasText: "Sign out" }).waitFor()
  await page.keyboard.press("Enter")
  await page.waitForURL(/\/app\/sign-in/)
  await context.close()
})

for (const { scheme, width } of looks) {
  test(`axe-core finds nothing in ${scheme} at ${width} px`, async () => {
    const { page, context } = await open("/app/settings/profile", { scheme, width })
    await page.getByLabel("E-mail").waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await signIn(page)
    await page.getByText("this browser").waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await page.goto(`${client().url}/app/nothing/here`)
    await page.getByText("No page has the address").waitFor()
    await expectToFit(page)
    await context.close()
  })
}

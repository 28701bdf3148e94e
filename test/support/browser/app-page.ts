/** The pages at /app/ in a browser of the tests: opened, watched for what may not happen. */

import { mkdirSync, writeFileSync } from "node:fs"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import type { Client } from "../server/client.ts"
import { adminPassword } from "../server/server.ts"

export interface Watched {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of the console, violations of the policy, requests to other origins. */
  readonly problems: string[]
}

export interface Look {
  readonly scheme?: "light" | "dark"
  /** Of the window; below 640 px it is that of a phone, with touch. */
  readonly width?: number
  /** In place of the window, the language and the like. */
  readonly profile?: BrowserContextOptions
}

/** Opens a path of the service in a browser profile of its own; the caller closes the context. */
export async function openPage(
  browser: Browser,
  client: Client,
  path: string,
  { scheme = "light", width = 1280, profile }: Look = {},
): Promise<Watched> {
  const isPhone = width < 640
  const viewport = { width, height: isPhone ? 844 : 800 }
  const device = { viewport, isMobile: isPhone, hasTouch: isPhone, locale: "en-US" }
  // Colours that fade are read half way by axe-core.
  const still = { colorScheme: scheme, reducedMotion: "reduce" } as const
  const context = await browser.newContext({ ...still, ...(profile ?? device) })
  const page = await context.newPage()
  const problems: string[] = []
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text())
  })
  page.on("pageerror", (error) => problems.push(error.message))
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(client.url) && !url.startsWith("blob:")) problems.push(url)
  })
  await page.goto(client.url + path)
  return { page, context, problems }
}

/** Signs in as the administrator on the page of the sign-in. */
export async function signIn(page: Page, { user }: Client): Promise<void> {
  await page.getByLabel("E-mail").fill(user)
  await page.getByLabel("Password", { exact: true }).fill(adminPassword)
  await page.keyboard.press("Enter")
}

/** A name from outside, which must stay a text, with its mark visible. */
export const hostile = `<img src=x onerror="document.title='hacked'">\u202etxt`

/** With a folder in TIDEGAUGE_PICTURES the pages are kept as pictures, to be looked at. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env["TIDEGAUGE_PICTURES"] === undefined) return
  keepPicture(name, await page.screenshot({ fullPage: true }))
}

/** Likewise one that a page made. */
export function keepPicture(name: string, bytes: Buffer): void {
  const folder = process.env["TIDEGAUGE_PICTURES"]
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${name}.png`, bytes)
}

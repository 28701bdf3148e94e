/**
 * A real browser for tests of pages: Chromium without a window, from a package, which talks to this
 * machine only. The package brings the libraries that a system without a desktop lacks.
 */

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { after, afterEach, before } from "node:test"
import { chromium, type Browser, type Page } from "playwright-core"
import { rootFolder } from "../project-paths.ts"

const require = createRequire(import.meta.url)

/** The last four keep it from calling anyone, and it knows no other host than those of the tests. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]

/**
 * Starts a browser with a temporary profile that it removes; the caller closes it. `more` is added
 * to its environment.
 */
export async function openBrowser(more: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const executablePath = await unpacked()
  const LD_LIBRARY_PATH = join(dirname(executablePath), "al2023/lib")
  const env = { ...process.env, LD_LIBRARY_PATH, ...more }
  return chromium.launch({ executablePath, args: flags, headless: true, env })
}

/**
 * The browser of the tests of a file. Of a test that fails, the pages that are open are kept as
 * pictures with what their consoles say, in build/browser-failures/; then they are closed.
 */
export function useBrowser(more: Readonly<Record<string, string>> = {}): () => Browser {
  let browser: Browser | null = null
  before(async () => {
    browser = await openBrowser(more)
  })
  afterEach(async (test) => {
    const hasPassed = "passed" in test && test.passed === true
    const contexts = browser?.contexts() ?? []
    const pages = contexts.flatMap((context) => context.pages())
    if (!hasPassed) {
      await Promise.all(pages.map((page, i) => keepFailure(page, `${test.name} ${i}`)))
    }
    await Promise.all(contexts.map((context) => context.close()))
  })
  after(() => browser?.close())
  return () => browser!
}

async function keepFailure(page: Page, name: string): Promise<void> {
  const folder = join(rootFolder, "build/browser-failures", name.replace(/[^\w.-]+/g, "-"))
  mkdirSync(folder, { recursive: true })
  const messages = await page.consoleMessages()
  const errors = await page.pageErrors()
  const lines = [page.url(), ...messages.map((one) => one.text()), ...errors.map(String)]
  writeFileSync(join(folder, "console.txt"), `${lines.join("\n")}\n`)
  await page.screenshot({ path: join(folder, "page.png") }).catch(() => undefined)
}

/**
 * Path of the program. It is unpacked next to the package at the first use (190 MB, 2 s), under
 * another name first, since two test processes may do so concurrently.
 */
async function unpacked(): Promise<string> {
  const folder = join(
    rootFolder,
    "node_modules/.cache/tidegauge-chromium",
    `${packageVersion()}-libraries`,
  )
  const program = join(folder, "chromium")
  if (existsSync(program)) return program
  const { default: packed } = await import("@sparticuz/chromium")
  mkdirSync(dirname(folder), { recursive: true })
  const unpacking = mkdtempSync(join(dirname(folder), "unpacking-"))
  // The package unpacks into the folder for temporary files, wherever that is.
  const former = { ...process.env }
  try {
    process.env["TMPDIR"] = unpacking
    // Only there does the package unpack the system libraries, too.
    process.env["AWS_EXECUTION_ENV"] = "AWS_Lambda_nodejs22.x"
    assertInside(await packed.executablePath(), unpacking)
  } finally {
    for (const name of ["TMPDIR", "AWS_EXECUTION_ENV", "LD_LIBRARY_PATH"]) {
      const value = former[name]
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
  try {
    renameSync(unpacking, folder)
  } catch (error) {
    rmSync(unpacking, { recursive: true, force: true })
    // Another process was first.
    if (!existsSync(program)) throw error
  }
  return program
}

function packageVersion(): string {
  const entry = require.resolve("@sparticuz/chromium")
  let folder = dirname(entry)
  while (basename(folder) !== "chromium") folder = dirname(folder)
  const { version } = require(join(folder, "package.json")) as { version: string }
  return version
}

function assertInside(path: string, folder: string): void {
  if (dirname(path) !== folder) throw new Error(`Expected ${path} in ${folder} (${tmpdir()})`)
}

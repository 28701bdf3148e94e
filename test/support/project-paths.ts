/**
 * Where tests find the checkout, the program, and what they start as children or threads. Tests run
 * in two forms: all of them as bundles (`npm test`, see test/run.ts), or one file as its source
 * (`node --import tsx --test test/…`). What they start is a bundle in both, since sources take two
 * seconds to start; a file that runs as its source makes the bundles that it asks for.
 */

import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(import.meta.url)
const isSource = here.endsWith(".ts")

/** The checkout. Bundles are as deep in it as this file, see `makeBundleFolder`. */
export const rootFolder = fileURLToPath(new URL("../..", import.meta.url))

let own: string | null = null

/** The folder of this bundle, or one of this process that is removed with it. */
function bundleFolder(): string {
  if (!isSource) return dirname(here)
  if (own !== null) return own
  const folder = (own = makeBundleFolder())
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A new folder inside the checkout, where node finds the packages; the caller removes it. */
export function makeBundleFolder(): string {
  const parent = join(rootFolder, "scratch")
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, "bundle-"))
}

/** Node's arguments that start the program as it is delivered. */
export function deliveredProgram(): readonly string[] {
  const path = join(bundleFolder(), "main.js")
  if (isSource && !existsSync(path)) buildProgram(bundleFolder())
  return [path]
}

/**
 * The bundle of a module that a test starts as a child or as a thread, next to the program's own;
 * `entry` is its path from the checkout, a literal in the call, which test/run.ts finds.
 */
export function bundleOf(entry: string): string {
  const path = join(bundleFolder(), `${bundleName(entry)}.js`)
  if (isSource && !existsSync(path)) buildProgram(bundleFolder(), [entry])
  assert.ok(existsSync(path), `Expected bundleOf("${entry}") in a test's code, as one string`)
  return path
}

/** All bundles are in one folder. */
export function bundleName(entry: string): string {
  return entry.replace(/\.ts$/, "").replaceAll("/", "-")
}

/** Builds the program as `npm run build` does, and with it what else is named, into a folder. */
export function buildProgram(folder: string, others: readonly string[] = []): void {
  const more = others.map((entry) => `${bundleName(entry)}=${entry}`)
  runScript(["src/build/server.ts", "--out", folder, ...more])
  runScript(["src/build/web.ts", "--quick", "--out", join(folder, "web")])
}

function runScript(argv: readonly string[]): void {
  execFileSync(process.execPath, ["--import", "tsx", ...argv], { cwd: rootFolder })
}

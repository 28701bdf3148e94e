/**
 * All tests, as `npm test` runs them: bundled together, then run by `node --test`, two processes at
 * a time. `npm test -- api/find query` runs the files whose paths contain a word; with `--long`
 * (`npm run test:long`) only those that have a long size, in that size. Without a word the tests in
 * a real browser are left to `npm run browser`, but for their smoke. A file that fails runs once
 * more, alone, if what it starts may be at fault. What came of each test is written to
 * `--outcomes FILE`.
 */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import {
  bundleTests,
  childrenOf,
  entriesOf,
  reporterIn,
  separateEntriesOf,
  textOf,
  type Entry,
} from "./support/run/bundles.ts"
import { failureText, outcomesText, readOutcomes, type Outcome } from "./support/run/outcomes.ts"
import { testsToRunAgain } from "./support/run/second-run.ts"
import { sizeVariable } from "./support/run/sizes.ts"
import { buildProgram, makeBundleFolder, rootFolder } from "./support/project-paths.ts"

/** One for each core of the machine that the suite is measured on. */
const processesAtOnce = 2
/**
 * A file that takes longer is ended and named: one that hung once held up a run for 90 minutes
 * without a word. Ten times what the longest takes on two cores.
 */
const fileMsMax = 10 * 60_000
/** If more fail, it is the program or the machine. */
const secondRunsMax = 2

/** Their browser is a program for this platform alone. */
const hasBrowser = process.platform === "linux" && process.arch === "x64"

const { values, positionals: words } = parseArgs({
  options: { long: { type: "boolean", default: false }, outcomes: { type: "string" } },
  allowPositionals: true,
})
if (values.long) process.env[sizeVariable] = "long"

/** The files that this run is about; a message on stderr says what is left out. */
function chosenFiles(sources: readonly string[]): string[] {
  const isOfBrowser = (path: string) => path.startsWith("test/browser/")
  const isOfAll = (path: string) => !isOfBrowser(path) || path.endsWith("/smoke.test.ts")
  const isNamed = (path: string) => words.some((word) => path.includes(word))
  const isChosen = words.length === 0 ? isOfAll : isNamed
  const hasLongSize = (path: string) => /from ".*\/(?:sizes|looks)\.ts"/.test(textOf(path))
  const chosen = sources.filter((path) => path.endsWith(".test.ts") && isChosen(path))
  const skipped = hasBrowser ? [] : chosen.filter(isOfBrowser)
  if (skipped.length > 0) {
    const platform = `${process.platform} ${process.arch}`
    console.error(`SKIPPED: ${skipped.join(", ")}: there is no browser for ${platform}`)
  }
  const tests = chosen.filter((path) => !skipped.includes(path))
  if (tests.length === 0 && skipped.length > 0) process.exit()
  return values.long ? tests.filter(hasLongSize) : tests
}

interface Finished {
  readonly status: number
  readonly outcomes: readonly Outcome[]
}

/** Runs bundles; resolves to what came of their tests and the exit status. */
async function run(entries: readonly Entry[], concurrency: number): Promise<Finished> {
  const outcomesFile = join(folder, "outcomes.jsonl")
  const reporters = [
    ["spec", "stdout"],
    [reporterIn(folder), outcomesFile],
  ].flatMap(([reporter, to]) => [
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${to}`,
  ])
  const limits = [`--test-concurrency=${concurrency}`, `--test-timeout=${fileMsMax}`]
  const flags = ["--enable-source-maps", "--test", ...limits, ...reporters]
  const files = entries.map(({ name }) => join(folder, `${name}.js`))
  const child = spawn(process.execPath, [...flags, ...files], { cwd: rootFolder, stdio: "inherit" })
  // It ends what it started; then the bundles go.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal))
  const [status] = (await once(child, "close")) as [number | null]
  return { status: status ?? 1, outcomes: readOutcomes(outcomesFile) }
}

/** Runs these files; resolves to what came of their tests, and the exit status. */
async function runAll(tests: readonly string[]): Promise<Finished> {
  const entries = entriesOf(tests)
  const metafile = await bundleTests(folder, entries)
  buildProgram(folder, [...new Set(sources.flatMap(childrenOf))])
  const first = await run(entries, processesAtOnce)
  const places = [...new Set(first.outcomes.filter(isFailed).map(({ file }) => file))]
  if (first.status === 0 || places.length > secondRunsMax) return first
  const again = testsToRunAgain(places, tests, metafile.inputs)
  if (again.length === 0) return first
  console.log(`\nOnce more, alone: ${again.join(", ")}`)
  const separate = separateEntriesOf(again)
  await bundleTests(folder, separate)
  const second = await run(separate, 1)
  if (second.status !== 0) return first
  const outcomes = first.outcomes.map((one): Outcome => {
    return isFailed(one) ? { ...one, result: "flaky" } : one
  })
  return { status: 0, outcomes }
}

const isFailed = ({ result }: Outcome): boolean => result === "failed"

const sources = readdirSync(join(rootFolder, "test"), { recursive: true, encoding: "utf8" })
  .map((name) => `test/${name.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".ts"))
  .sort()
const tests = chosenFiles(sources)
// Without files `node --test` searches for tests itself: a mistyped word ran for ten minutes.
if (tests.length === 0) {
  console.error(`No path of a file test/**/*.test.ts contains ${words.join(" or ")}`)
  process.exit(1)
}
const folder = makeBundleFolder()
try {
  const { status, outcomes } = await runAll(tests)
  process.exitCode = status
  if (values.outcomes !== undefined) writeFileSync(values.outcomes, outcomesText(outcomes))
  for (const one of outcomes) if (one.result === "flaky") console.log(failureText(one))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

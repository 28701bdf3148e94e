/** What CI runs: the gate before each landing, and the parts of the night. */

import { nodeLines, outcomesFile, type Command, type NodeLine, type Stage } from "./stage.ts"

const [oldest, ...others] = nodeLines
const newest = nodeLines.at(-1)!

/** Binaries of Node, a browser and the executable's parts are for this platform alone. */
const isWhole = process.platform === "linux" && process.arch === "x64"

const npm = (script: string, ...argv: string[]): Command => {
  return ["npm", "run", "--silent", script, ...argv]
}

/** Tests of test/, those whose paths contain a word. */
const suite = (script: string, ...words: string[]): Command => {
  return npm(script, "--", "--outcomes", outcomesFile, ...words)
}

/** Tests of a file that is no part of test/. */
const testsOf = (file: string): Command => {
  return ["node", "--import", "tsx", ".ci/gate/run-tests.ts", file, outcomesFile]
}

/** Folders that depend on V8, sockets and the native library: what differs between lines. */
const storyFolders = ["store", "http", "engine", "runtime", "wire", "codec"]

const serverOn = (line: NodeLine): Stage => {
  return { name: `built server on Node ${line}`, line, commands: [[".ci/real-server", "--built"]] }
}

const suiteOn = (line: NodeLine): Stage => {
  return { name: `npm test on Node ${line}`, line, commands: [suite("test")] }
}

const types: Stage = { name: "types", commands: [npm("typecheck")] }
const lint: Stage = { name: "lint", commands: [npm("lint")] }
const start: Stage = {
  name: `npm start on Node ${oldest}`,
  line: oldest,
  commands: [[".ci/real-server"]],
}
const story: Stage = {
  name: `store, sockets, wire format on Node ${oldest}`,
  line: oldest,
  commands: [suite("test", ...storyFolders.map((one) => `test/${one}/`))],
}
const pages: Stage = {
  name: `pages in a browser on Node ${oldest}`,
  line: oldest,
  commands: [suite("browser")],
}
const testExecutables = testsOf(".ci/package/executable.test.ts")
const executable: Stage = {
  name: "single executable",
  commands: [npm("package", "--", "--arch", "x64"), testExecutables],
}

/** At most ten minutes on two idle cores. */
export const gateStages: readonly Stage[] = isWhole
  ? [types, lint, start, ...others.map(serverOn), suiteOn(newest), story, pages, executable]
  : [types, lint, onCaller(start), onCaller(suiteOn(newest))]

function onCaller({ name, commands }: Stage): Stage {
  return { name: name.replace(/ on Node \d+$/, ` on ${process.version}`), commands }
}

/** A mirror of Debian keeps the newest packages only: if pinned ones are gone (75), those are pinned. */
const imageOfTheDay =
  "npm run --silent package:image || { [[ $? == 75 ]] &&" +
  " npm run --silent package:image:lock && npm run --silent package:image; }"

/** A whole number below 2³², new for each run; `TIDEGAUGE_SEED` draws the same again. */
export type Seed = number

const seeded = (what: string, script: string, seed: Seed): Stage => {
  const env = { TIDEGAUGE_SEED: String(seed) }
  return { name: `${what}, seed ${seed}`, line: newest, env, commands: [suite(script)] }
}

/** Each takes less than 40 minutes on two idle cores. */
export const nightlyStages = (seeds: readonly Seed[]): readonly Stage[] => [
  ...nodeLines.filter((line) => line !== newest).map(suiteOn),
  { name: "all pages in all looks", line: oldest, commands: [suite("test:long", "test/browser/")] },
  ...seeds.map((seed) => seeded("drawn cases", "test", seed)),
  ...seeds.slice(0, 1).map((seed) => seeded("long sizes", "test:long", seed)),
  { name: "same bytes in two folders", commands: [npm("package:check")] },
  { name: "executables", commands: [testExecutables] },
  { name: "Debian package in a fresh root", commands: [testsOf(".ci/package/deb/deb.test.ts")] },
  {
    name: "Kubernetes manifests",
    commands: [npm("prepackage:manifests:test"), testsOf(".ci/manifests/manifests.test.ts")],
  },
  {
    name: "image with Debian's packages of the day",
    commands: [["bash", "-c", imageOfTheDay], testsOf(".ci/package/image/image.test.ts")],
  },
  { name: "faults", commands: [npm("faults")] },
  { name: "CPU beside the pinned build", commands: [npm("bench:pinned")] },
]

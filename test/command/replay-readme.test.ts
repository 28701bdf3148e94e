/** The section of the handbook about `replay`, pasted into a shell, and the history that it replays. */

import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { replayExample } from "../../bench/bands/replay-example.ts"
import { fences, section } from "../support/project/markdown.ts"
import { deliveredProgram, rootFolder } from "../support/project-paths.ts"
import { quoted } from "../support/project/tour.ts"

const page = section(
  readFileSync(join(rootFolder, "src/docs/analytics.md"), "utf8"),
  /^## Replay your own past/,
)

/** The reader has built the program in this folder; the test's build is in another one. */
const fromElsewhere = [
  `node() { shift; command node ${deliveredProgram().map(quoted).join(" ")} "$@"; }`,
  "set -o pipefail\n",
].join("\n")

/** `…` matches anything; long lines are broken for the reader only. */
function patternOf(shown: string): RegExp {
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  const unbroken = shown.trim().replace(/\n {2}/g, "")
  return new RegExp(`^${unbroken.split("…").map(literal).join(".*")}$`, "s")
}

const blocks = fences(page)
const commands = blocks.flatMap(({ language, text }, i) =>
  language === "sh" ? [{ command: text, shown: blocks[i + 1]!.text }] : [],
)

test("every command of the section prints what the page shows", () => {
  assert.equal(commands.length, 3)
  for (const { command, shown } of commands) {
    const script = fromElsewhere + command
    const run = spawnSync("bash", ["-c", script], { cwd: rootFolder, encoding: "utf8" })
    assert.equal(run.status, 0, run.stderr)
    assert.match(run.stdout.trim(), patternOf(shown), command)
  }
})

test("data/replay/cpu.csv is what its generator makes, and small", () => {
  const text = readFileSync(join(rootFolder, "data/replay/cpu.csv"), "utf8")
  assert.equal(text, replayExample())
  assert.ok(text.length <= 150_000)
})

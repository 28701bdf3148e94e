import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { test } from "node:test"
import { bundleOf } from "../support/project-paths.ts"

test("of series that come and go, a store knows those of two days", () => {
  const program = ["--expose-gc", bundleOf("bench/churn.ts")]
  const flags = [...program, "--size", "tiny", "--hours", "54"]
  const report = execFileSync(process.execPath, flags, { encoding: "utf8", stdio: "pipe" })
  assert.match(report, /^Machine: .* cores/)
  const rows = [...report.matchAll(/^\| (\d+) +\| (\S+) +\| (\S+) +\| (\S+) +\|/gm)]
  const last = rows.at(-1)!.slice(1).map(Number)
  const [hour, numbered, known, replica] = last as [number, number, number, number]
  assert.deepEqual([hour, known], [54, replica])
  assert.ok(known < 0.8 * numbered, `${known} of ${numbered}`)
})

/** Outcomes of tests: a reporter writes a line of JSON for each; test/run.ts and CI read them. */

import { readFileSync } from "node:fs"

export interface TestOutcome {
  readonly result: "passed" | "failed" | "skipped"
  /** Path from the checkout. */
  readonly file: string
  readonly line: number
  readonly name: string
  /** The begin of the error of a test that failed; else empty. */
  readonly error: string
}

/** A test that failed, in a file that passed the second time. */
export interface FlakyOutcome extends Omit<TestOutcome, "result"> {
  readonly result: "flaky"
}

export type Outcome = TestOutcome | FlakyOutcome

export function readOutcomes(path: string): Outcome[] {
  const lines = readFileSync(path, "utf8").split("\n")
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Outcome)
}

export function outcomesText(outcomes: readonly Outcome[]): string {
  return outcomes.map((one) => `${JSON.stringify(one)}\n`).join("")
}

/** The test, its place, and the begin of its error, as lines. */
export function failureText({ result, file, line, name, error }: Outcome): string {
  const mark = result === "flaky" ? "FLAKY" : "✖"
  const lines = error.split("\n").filter((one) => one.trim() !== "")
  return [`${mark} ${file}:${line} ${name}`, ...lines.map((one) => `    ${one}`)].join("\n")
}

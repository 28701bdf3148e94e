/** What a run of CI prints at its end: a table of stages, then what was flaky, then what was red. */

import { tableText } from "../../src/command/text/table-text.ts"
import { failureText, type Outcome } from "../../test/support/run/outcomes.ts"
import type { StageResult } from "./stage.ts"

export const verdictOf = ({ status }: StageResult): "green" | "RED" => {
  return status === 0 ? "green" : "RED"
}

export const countOf = (outcomes: readonly Outcome[], result: Outcome["result"]): number => {
  return outcomes.filter((one) => one.result === result).length
}

/** Lines of a whole run; the last ones name each red stage with its tests. */
export function reportText(results: readonly StageResult[]): string {
  const columns = ["stage", "verdict", "seconds", "tests", "flaky"]
  const rows = results.map((one) => [
    one.stage.name,
    verdictOf(one),
    String(one.seconds),
    String(one.outcomes.length),
    String(countOf(one.outcomes, "flaky")),
  ])
  const all = results.flatMap(({ outcomes }) => outcomes)
  const passed = countOf(all, "passed") + countOf(all, "flaky")
  const others = `${countOf(all, "failed")} failed, ${countOf(all, "skipped")} skipped`
  const flaky = all.filter(({ result }) => result === "flaky").map(failureText)
  const red = results.filter(({ status }) => status !== 0).map(redText)
  return [tableText(columns, rows), `${passed} passed, ${others}`, ...flaky, ...red].join("\n")
}

function redText({ stage, status, outcomes }: StageResult): string {
  const failed = outcomes.filter(({ result }) => result === "failed").map(failureText)
  return [`RED: ${stage.name}: status ${status}`, ...failed].join("\n")
}

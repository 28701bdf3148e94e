/** A reporter of `node:test`: a line of JSON for each test, see outcomes.ts. */

import { relative } from "node:path"
import type { TestEvent } from "node:test/reporters"
import { rootFolder } from "../project-paths.ts"
import { outcomesText, type TestOutcome } from "./outcomes.ts"

/** The first two lines of an assertion are the same for all. */
const errorLinesMax = 6

type Finished = Extract<TestEvent, { type: "test:pass" | "test:fail" }>["data"]
type Failed = Extract<TestEvent, { type: "test:fail" }>["data"]

export default async function* outcomes(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const { type, data } = event
    if (type === "test:pass" && data.details.type !== "suite") {
      const isLeftOut = data.skip !== undefined || data.todo !== undefined
      yield outcomesText([outcomeOf(data, isLeftOut ? "skipped" : "passed")])
    }
    if (type === "test:fail" && !isOfSubtest(data)) {
      yield outcomesText([{ ...outcomeOf(data, "failed"), error: beginOf(data.details.error) }])
    }
  }
}

function outcomeOf({ name, file, line }: Finished, result: TestOutcome["result"]): TestOutcome {
  const path = file === undefined ? "" : relative(rootFolder, file)
  return { result, file: path, line: line ?? 1, name, error: "" }
}

/** A test that failed only because one of its own did. */
function isOfSubtest({ details: { error } }: Failed): boolean {
  return "failureType" in error && error.failureType === "subtestsFailed"
}

function beginOf({ message }: Error): string {
  const lines = message.split("\n").filter((one) => one.trim() !== "")
  return lines.slice(0, errorLinesMax).join("\n")
}

/** A reporter of `node:test`: failed tests only, each with its place and the begin of its error. */

import { relative } from "node:path"
import type { TestEvent } from "node:test/reporters"
import { rootFolder } from "../project-paths.ts"

/** The first two lines of an assertion are the same for all. */
const errorLinesMax = 6

type Failure = Extract<TestEvent, { type: "test:fail" }>["data"]

export default async function* failures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === "test:fail" && !isOfSubtest(data)) yield textOf(data)
  }
}

/** A test that failed only because one of its own did. */
function isOfSubtest({ details: { error } }: Failure): boolean {
  return "failureType" in error && error.failureType === "subtestsFailed"
}

function textOf({ name, file, line, details: { error } }: Failure): string {
  const place = file === undefined ? "" : `${relative(rootFolder, file)}:${line ?? 1} `
  const lines = error.message.split("\n").filter((one) => one.trim() !== "")
  const shown = lines.slice(0, errorLinesMax).map((one) => `    ${one}\n`)
  return `✖ ${place}${name}\n${shown.join("")}`
}

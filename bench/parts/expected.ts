/** Expected answers of the parts: a change that computes something else must change them. */

import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { BenchSize } from "./populations.ts"
import type { PartFigures } from "./suite.ts"

const path = fileURLToPath(new URL("./expected.json", import.meta.url))

type Expected = Readonly<Partial<Record<BenchSize, Readonly<Record<string, string>>>>>

function readExpected(): Expected {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Expected) : {}
}

/** "same", "changed" or, for a part without a kept answer, "new". */
export function compareAnswer(size: BenchSize, part: PartFigures): "same" | "changed" | "new" {
  const hash = readExpected()[size]?.[part.name]
  return hash === undefined ? "new" : hash === part.hash ? "same" : "changed"
}

/** Keeps the answers of one size as the expected ones. */
export function renewAnswers(size: BenchSize, parts: readonly PartFigures[]): void {
  const hashes = Object.fromEntries(parts.map(({ name, hash }) => [name, hash]))
  const expected = { ...readExpected(), [size]: hashes }
  writeFileSync(path, `${JSON.stringify(expected, null, 2)}\n`)
}

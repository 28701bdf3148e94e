/** The work of a server, as process-work-child.ts writes it and as tests read it. */

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Counts } from "./work-file.ts"

export const workFileVariable = "WORK_FILE"

/** Of one message, by what becomes of them: both threads have them, or the receiver alone. */
export interface Bytes {
  copied: number
  moved: number
  /** In memory that both threads see. */
  shared: number
}

export type WorkLine =
  | { readonly kind: "thread"; readonly thread: string }
  | { readonly kind: "message"; readonly thread: string; readonly bytes: Readonly<Bytes> }
  | { readonly kind: "compression"; readonly how: string }

export class ProcessWork {
  readonly env: Readonly<Record<string, string>>
  private readonly path: string
  private taken = 0

  /** Lines are kept in `folder`. */
  constructor(folder: string) {
    this.path = join(folder, "work.jsonl")
    this.env = { [workFileVariable]: this.path }
  }

  /** Lines since the last call of `take`. */
  newLines(): WorkLine[] {
    if (!existsSync(this.path)) return []
    const texts = readFileSync(this.path, "utf8").split("\n").slice(this.taken, -1)
    return texts.map((text) => JSON.parse(text) as WorkLine)
  }

  /** As `newLines`, which begin after these then. */
  take(): WorkLine[] {
    const lines = this.newLines()
    this.taken += lines.length
    return lines
  }
}

export function addLine(line: WorkLine, counts: Counts): void {
  if (line.kind === "thread") counts.add(`thread ${line.thread}`)
  else if (line.kind === "compression") counts.add(`compressed by ${line.how}`)
  else {
    for (const [what, count] of Object.entries(line.bytes)) {
      if (count > 0) counts.add(`bytes ${what} by ${line.thread}`, count)
    }
  }
}

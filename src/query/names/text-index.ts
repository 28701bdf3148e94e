/**
 * Texts by number, to be searched for parts. Lines of 4,096 numbers are one string, which the
 * engine searches at a gigabyte a second; testing a million strings one by one takes 100 ms.
 *
 *   chunk   "\ncpu.total\ncpu.user\n"     starts: 1, 11     owners: 17, 18
 *
 * A chunk with new or changed texts is built again when it is searched next: 0.5 ms. A text of 40
 * characters takes 48 bytes.
 */

import { smallestOf } from "../../base/iterables.ts"
import type { QueryBudget } from "../../base/query-budget.ts"
import { comparable } from "./rank.ts"

const numbersPerChunk = 4_096
/** Lines that tell how common a part is. */
const sampledLinesMax = 256

interface Chunk {
  readonly text: string
  /** Where each line starts, ascending. */
  readonly starts: Int32Array
  /** The number that each line belongs to. */
  readonly owners: Int32Array
}

/** Where a text was found; false ends the scan. */
type Visit = (owner: number, line: string) => boolean

export class TextIndex {
  private readonly owners: number[] = []
  /** Null if it must be built. */
  private readonly chunks: (Chunk | null)[] = []
  private readonly textsOf: (owner: number) => readonly string[]

  /** `textsOf` reads the texts of a number. */
  constructor(textsOf: (owner: number) => readonly string[]) {
    this.textsOf = textsOf
  }

  get count(): number {
    return this.owners.length
  }

  /** Adds a number; returns its position, for `markChanged`. */
  add(owner: number): number {
    const position = this.owners.push(owner) - 1
    this.markChanged(position)
    return position
  }

  /** The texts of the number at this position are others now. */
  markChanged(position: number): void {
    this.chunks[Math.floor(position / numbersPerChunk)] = null
  }

  /** Visits each line with `part`, comparable; returns false if `visit` ended the scan. */
  scan(part: string, visit: Visit, budget: QueryBudget): boolean {
    for (let i = 0; i < this.chunks.length; i++) {
      budget.check()
      if (!scanChunk(this.chunkAt(i), part, visit)) return false
    }
    return true
  }

  /**
   * The one of some parts that is likely in the fewest lines, by a look at the first chunk: of
   * "endpoint 77" a million names may have the longer word, and a scan by the other takes a tenth.
   */
  rarest(parts: readonly string[]): string {
    const [first] = parts
    if (parts.length < 2 || this.chunks.length === 0) return first ?? ""
    const counts = parts.map((part) => {
      let count = 0
      scanChunk(this.chunkAt(0), part, () => ++count < sampledLinesMax)
      return count
    })
    return parts[counts.indexOf(smallestOf(counts))]!
  }

  /** Builds one chunk that must be built; false if there is none. */
  buildNext(): boolean {
    const next = this.chunks.indexOf(null)
    if (next < 0) return false
    this.chunkAt(next)
    return true
  }

  private chunkAt(i: number): Chunk {
    const known = this.chunks[i]
    if (known != null) return known
    const from = i * numbersPerChunk
    const chunk = build(this.owners.slice(from, from + numbersPerChunk), this.textsOf)
    this.chunks[i] = chunk
    return chunk
  }
}

function build(numbers: readonly number[], textsOf: (owner: number) => readonly string[]): Chunk {
  const lines: string[] = []
  const owners: number[] = []
  for (const owner of numbers) {
    for (const text of textsOf(owner)) {
      lines.push(comparable(text))
      owners.push(owner)
    }
  }
  const starts = new Int32Array(lines.length)
  let at = 1
  lines.forEach((line, i) => {
    starts[i] = at
    at += line.length + 1
  })
  return { text: `\n${lines.join("\n")}\n`, starts, owners: Int32Array.from(owners) }
}

function scanChunk({ text, starts, owners }: Chunk, part: string, visit: Visit): boolean {
  let line = 0
  let at = text.indexOf(part)
  while (at >= 0 && line < starts.length) {
    // A part that begins with the end of a line belongs to the next one.
    line = lineAt(starts, text[at] === "\n" ? at + 1 : at, line)
    const start = starts[line]!
    const end = line + 1 < starts.length ? starts[line + 1]! - 1 : text.length - 1
    if (!visit(owners[line]!, text.slice(start, end))) return false
    line++
    // From the end of the line, which a part may begin with.
    at = text.indexOf(part, end)
  }
  return true
}

/** The last line from `from` on that starts at or before `at`. */
function lineAt(starts: Int32Array, at: number, from: number): number {
  let [low, high] = [from, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (starts[middle]! <= at) low = middle
    else high = middle - 1
  }
  return low
}

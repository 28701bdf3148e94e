/**
 * Held answer: a finished answer whose parts are reserved in the answer memory until the connection
 * has taken them.
 */

import type { AnswerParts } from "../../wire/json.ts"

const decoder = new TextDecoder()

export class ReservedAnswer {
  readonly byteCount: number
  readonly partCount: number
  /** In order; null once it was taken. */
  private readonly parts: (Uint8Array | null)[]
  private readonly releaseBytes: (bytes: number) => void

  /** `discard` is called once for each part with its bytes. */
  constructor(parts: AnswerParts, giveBack: (bytes: number) => void) {
    this.parts = [...parts]
    this.partCount = parts.length
    this.releaseBytes = giveBack
    this.byteCount = parts.reduce((sum, part) => sum + part.byteLength, 0)
  }

  /**
   * The parts, one after the other. Each is given back when the next one is asked for, so the
   * caller asks when it has got rid of it; a caller that ends early releases the rest.
   */
  *take(): Generator<Uint8Array, void> {
    for (let i = 0; i < this.parts.length; i++) {
      const part = this.parts[i]
      if (part == null) continue
      yield part
      this.releasePart(i)
    }
  }

  /** Gives back every part that was not taken; more calls change nothing. */
  release(): void {
    for (let i = 0; i < this.parts.length; i++) this.releasePart(i)
  }

  /** The value that the JSON of the answer is of; gives back all of it. */
  json(): unknown {
    try {
      return JSON.parse(decoder.decode(Buffer.concat([...this.take()])))
    } finally {
      this.release()
    }
  }

  private releasePart(i: number): void {
    const part = this.parts[i]
    if (part == null) return
    this.parts[i] = null
    this.releaseBytes(part.byteLength)
  }
}

/** Text of an export, as UTF-8 pieces. */

import type { WriteBytes } from "../row-writer.ts"

/** Longer text is turned into bytes: a rope of many small parts costs memory. */
const pieceCharacters = 256 * 1024

export class TextOutput {
  private text = ""
  private readonly pieces: Buffer[] = []
  private readonly write: WriteBytes

  constructor(write: WriteBytes) {
    this.write = write
  }

  add(text: string): void {
    this.text += text
    if (this.text.length >= pieceCharacters) this.cut()
  }

  async drain(): Promise<void> {
    for (const piece of this.pieces.splice(0)) await this.write(piece)
  }

  async end(): Promise<void> {
    if (this.text !== "") this.cut()
    await this.drain()
  }

  private cut(): void {
    this.pieces.push(Buffer.from(this.text, "utf8"))
    this.text = ""
  }
}

/** Server-sent events: pieces of a stream to messages. */

export interface StreamMessage {
  /** Null for a message that cannot be resumed after. */
  readonly id: string | null
  readonly event: string
  /** JSON, as it was sent. */
  readonly data: unknown
}

/** Longer texts without an end are no messages of ours: they are dropped. */
const charactersMax = 1_000_000

export class EventParser {
  private rest = ""

  /** The messages that are complete with this piece; those without JSON are left out. */
  push(piece: string): StreamMessage[] {
    const parts = (this.rest + piece).split("\n\n")
    this.rest = parts.pop() ?? ""
    if (this.rest.length > charactersMax) this.rest = ""
    return parts.flatMap((part) => {
      const fields = new Map(part.split("\n").map(fieldOf))
      const event = fields.get("event")
      const data = parsed(fields.get("data"))
      if (event === undefined || data === undefined) return []
      return [{ id: fields.get("id") ?? null, event, data }]
    })
  }
}

function fieldOf(line: string): readonly [string, string] {
  const at = line.indexOf(":")
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, "")]
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

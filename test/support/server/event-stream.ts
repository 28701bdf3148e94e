/** A client of `GET /stream`: the messages of one connection, as they come. */

import { get, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http"
import { eventually } from "../time/eventually.ts"

export interface StreamMessage {
  readonly id: number | null
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

export class EventStreamClient {
  readonly messages: StreamMessage[] = []
  status = 0
  isEnded = false
  private text = ""
  private readonly request: ClientRequest
  private response: IncomingMessage | null = null

  constructor(url: URL, headers: OutgoingHttpHeaders) {
    this.request = get(url, { headers, agent: false }, (response) => {
      this.response = response
      this.status = response.statusCode!
      response.setEncoding("utf8")
      response.on("data", (piece: string) => this.receive(piece))
      response.on("error", () => {})
      response.on("close", () => (this.isEnded = true))
    })
    this.request.on("error", () => (this.isEnded = true))
  }

  /** Waits for a message of this event that passes; returns the first. */
  async next(
    event: string,
    isWanted: (data: StreamMessage["data"]) => boolean = () => true,
  ): Promise<StreamMessage> {
    const find = () => this.messages.find((one) => one.event === event && isWanted(one.data))
    await eventually(() => find() !== undefined)
    return find()!
  }

  /** Reads no more, as a browser that sleeps. */
  pause(): void {
    this.response?.pause()
  }

  close(): void {
    this.request.destroy()
  }

  private receive(piece: string): void {
    this.text += piece
    const blocks = this.text.split("\n\n")
    this.text = blocks.pop()!
    for (const block of blocks) {
      const fields = new Map(
        block.split("\n").map((line) => {
          const at = line.indexOf(": ")
          return [line.slice(0, at), line.slice(at + 2)] as const
        }),
      )
      const [id, event, data] = [fields.get("id"), fields.get("event"), fields.get("data")]
      if (event === undefined || data === undefined) continue
      const parsed = JSON.parse(data) as StreamMessage["data"]
      this.messages.push({ id: id === undefined ? null : Number(id), event, data: parsed })
    }
  }
}

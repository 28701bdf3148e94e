/** An event stream to one client: server-sent events on a connection that node:http holds. */

import type { ServerResponse } from "node:http"

/** Where the messages of one stream go. */
export interface EventSink {
  /** Bytes that the client has not read yet, as far as this process holds them. */
  readonly unreadBytes: number
  write(text: string): void
  /** Ends the stream after what was written. */
  end(): void
  /** Cuts a client off that does not read. */
  cut(): void
  /** Calls back once, when the connection is closed by either side; immediately if it is already. */
  onClose(callback: () => void): void
}

/** Without buffering by nginx, and without a second request on the connection. */
const streamHeaders = {
  "Content-Type": "text/event-stream",
  "X-Accel-Buffering": "no",
  Connection: "close",
} as const

/** Sends the head of a stream. */
export function openEventSink(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
): EventSink {
  outgoing.writeHead(200, { ...headers, ...streamHeaders })
  outgoing.flushHeaders()
  // "close" follows an error.
  outgoing.on("error", () => {})
  // A browser that leaves ends its side alone. Otherwise its stream counts until the next write.
  outgoing.socket?.once("end", () => void outgoing.end())
  return {
    get unreadBytes() {
      return outgoing.writableLength
    },
    write: (text) => {
      if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.write(text)
    },
    end: () => void outgoing.end(),
    cut: () => void outgoing.destroy(),
    onClose: (callback) => {
      // A client may leave while it is authenticated, before its stream begins.
      if (outgoing.closed) callback()
      else outgoing.once("close", callback)
    },
  }
}

/**
 * Leaving: tells that a client has left while its answer is made.
 *
 * A connection that was reset says so itself. If a client only ended its side, it may still read:
 * some end it behind their request. Only writing tells: such a client is sent the interim answer
 * 102, which every client of HTTP/1.1 passes by (RFC 9110, 15.2), and one that has left resets the
 * connection.
 */

import type { IncomingMessage, ServerResponse } from "node:http"

/** Nearly all answers are written before the first look. */
const probeEveryMs = 250

/** Aborted when the connection closes before the answer is written. */
export function disconnectSignal(incoming: IncomingMessage, outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const looking = setInterval(() => probe(incoming, outgoing), probeEveryMs).unref()
  const closed = () => {
    clearInterval(looking)
    if (!outgoing.writableEnded) controller.abort()
  }
  if (outgoing.closed) closed()
  else outgoing.once("close", closed)
  return controller.signal
}

/** The first probe has a client that left reset the connection, the second finds that it did. */
function probe(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = incoming
  // A client of HTTP/1.0 knows no interim answers.
  if (!socket.readableEnded || outgoing.headersSent || incoming.httpVersion === "1.0") return
  outgoing.writeProcessing()
}

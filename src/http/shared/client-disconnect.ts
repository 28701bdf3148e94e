/**
 * Client disconnect: detects that a client disconnects while its response is being made.
 *
 * A reset connection emits "close". A client that only ended its side may still read: some do so
 * after their request. Only a write can decide, so such a client is sent the interim response 102,
 * which every HTTP/1.1 client ignores (RFC 9110, 15.2); one that has left resets the connection.
 */

import type { IncomingMessage, ServerResponse } from "node:http"

/** Nearly all responses are written before the first probe. */
const probeEveryMs = 250

/** Returns a signal that aborts if the connection closes before the response is written. */
export function disconnectSignal(incoming: IncomingMessage, outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const probes = setInterval(() => {
    // A stream of events may go on for days.
    if (outgoing.headersSent) clearInterval(probes)
    else probe(incoming, outgoing)
  }, probeEveryMs).unref()
  const closed = () => {
    clearInterval(probes)
    if (!outgoing.writableEnded) controller.abort()
  }
  if (outgoing.closed) closed()
  else outgoing.once("close", closed)
  return controller.signal
}

/** The first probe makes a client that left reset the connection; the second detects the reset. */
function probe(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = incoming
  // HTTP/1.0 has no interim responses.
  if (!socket.readableEnded || incoming.httpVersion === "1.0") return
  outgoing.writeProcessing()
}

/** Listener: the Hono app as a request listener of node:http, with our shape of errors. */

import { getRequestListener } from "@hono/node-server"
import type { HttpBindings } from "@hono/node-server"
import type { Hono } from "hono"
import { invalid } from "../base/errors.ts"
import type { Clock } from "../base/clock.ts"
import { webResponseOf } from "./api/send-reply.ts"
import { errorResponseOf } from "./shared/errors.ts"
import { reply } from "./shared/reply.ts"
import { requestIdHeader, type RequestIds } from "./shared/request-ids.ts"
import { refuseRewritten } from "./shared/request-target.ts"
import type { IncomingMessage, ServerResponse } from "node:http"

export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export function createListener(
  app: Hono<{ Bindings: HttpBindings }>,
  { clock, requestIds }: { clock: Clock; requestIds: RequestIds },
): Listener {
  // The listener does not say whose error it is.
  const errorContext = () => ({ nowMs: clock.nowMs(), requestId: requestIds.of({}) })
  const listener = getRequestListener(app.fetch as Parameters<typeof getRequestListener>[0], {
    // For HTTP/1.0 requests, which may have no Host.
    hostname: "localhost",
    overrideGlobalObjects: false,
    errorHandler(error) {
      const isUnreadable = error instanceof Error && error.name === "RequestError"
      const problem = isUnreadable ? invalid("Expected a readable URL and Host header") : error
      return webResponseOf(errorResponseOf(problem, errorContext(), requestIds))
    },
  })
  return async (request, response) => {
    try {
      refuseRewritten(request.url ?? "")
    } catch (error) {
      // The node handler has set it.
      const requestId = String(response.getHeader(requestIdHeader) ?? requestIds.of({}))
      const context = { nowMs: clock.nowMs(), requestId }
      return reply(response, errorResponseOf(error, context, requestIds))
    }
    await listener(request, response)
  }
}

/** Routes about the server itself: health, its own figures, its clock. */

import { formatInstant } from "../../../base/iso8601.ts"
import { text } from "../../../wire/answer.ts"
import { liveAnswer, readyAnswer, timeAnswer } from "../../../wire/description/server-answers.ts"
import { notReadyResponse } from "../../shared/errors.ts"
import { json, type Handler, type Route } from "../../shared/route.ts"

const section = "System"

const ready: Handler = async (call, { health, version }) => {
  const problems = health()
  if (problems.length === 0) return json({ status: "ready", version })
  const answer = notReadyResponse(problems, call.nowMs)
  return json(answer.body, answer.status)
}

const time: Handler = async ({ nowMs }, { version }) => {
  return json({ epochMillis: nowMs, iso8601: formatInstant(nowMs), version })
}

export const systemRoutes: readonly Route[] = [
  {
    path: "/metrics/internal",
    section,
    operations: {
      GET: {
        summary: "The server's own figures, in Prometheus text form",
        // A scraper on the same machine needs no password.
        access: "local",
        response: {
          status: 200,
          description: "Text exposition format",
          schema: text,
          type: "text/plain",
        },
        handle: async (_, { metrics }) => ({
          status: 200,
          text: await metrics.text(),
          headers: { "Content-Type": metrics.contentType },
        }),
      },
    },
  },
  {
    path: "/health/live",
    section,
    operations: {
      GET: {
        summary: "Whether the process runs",
        access: "anyone",
        response: {
          status: 200,
          description: "It does",
          schema: liveAnswer,
          example: { status: "live" },
        },
        handle: async () => json({ status: "live" }),
      },
    },
  },
  {
    path: "/health/ready",
    section,
    operations: {
      GET: {
        summary: "Whether the server can serve now; 503 with the reasons where it cannot",
        access: "anyone",
        response: {
          status: 200,
          description: "It can",
          schema: readyAnswer,
          example: { status: "ready", version: "0.1.0" },
        },
        handle: ready,
      },
    },
  },
  {
    path: "/time",
    section,
    operations: {
      GET: {
        summary: "The server's clock; agents compare theirs with the Date header",
        access: "anyone",
        response: {
          status: 200,
          description: "The instant as epoch milliseconds and as ISO 8601; the server's version",
          schema: timeAnswer,
          example: {
            epochMillis: 1_767_571_200_000,
            iso8601: "2026-01-05T00:00:00.000Z",
            version: "0.1.0",
          },
        },
        handle: time,
      },
    },
  },
]

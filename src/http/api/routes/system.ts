/** Routes of the server itself: metrics, health, clock. */

import { formatInstant } from "../../../base/iso8601.ts"
import type { BackupFigures } from "../../../model/backup-figures.ts"
import { text } from "../../../wire/answer.ts"
import { liveAnswer, readyAnswer, timeAnswer } from "../../../wire/description/server-answers.ts"
import { notReadyResponse } from "../../shared/errors.ts"
import { json, ok, route, type Handler, type Route } from "../../shared/route.ts"

const section = "System"

const ready: Handler = async (call, { health, backups, version }) => {
  const problems = health()
  if (problems.length === 0) return json({ status: "ready", version, ...backupState(backups()) })
  const answer = notReadyResponse(problems, call)
  return json(answer.body, answer.status)
}

/** Without the reason of a failure, which names the vault: the endpoint needs no credentials. */
function backupState(figures: BackupFigures | null) {
  if (figures === null) return {}
  const { lastSuccessMs, problem, failures } = figures
  const last = lastSuccessMs === null ? {} : { lastSuccess: formatInstant(lastSuccessMs) }
  return { backup: { ...last, failing: problem !== null, failures } }
}

const time: Handler = async ({ nowMs }, { version, status: { speed } }) => {
  return json({ epochMillis: nowMs, iso8601: formatInstant(nowMs), version, speed })
}

export const systemRoutes: readonly Route[] = [
  route(section, "/metrics/internal", {
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
  }),
  route(section, "/health/live", {
    GET: {
      summary: "Whether the process runs",
      access: "anyone",
      response: ok("It does", liveAnswer, { status: "live" }),
      handle: async () => json({ status: "live" }),
    },
  }),
  route(section, "/health/ready", {
    GET: {
      summary: "Whether the server can serve now; 503 with the reasons if it cannot",
      access: "anyone",
      response: ok("It can", readyAnswer, { status: "ready", version: "0.1.0" }),
      handle: ready,
    },
  }),
  route(section, "/time", {
    GET: {
      summary: "The server's clock; agents compare theirs with the Date header",
      access: "anyone",
      response: ok(
        "The instant as epoch milliseconds and as ISO 8601; the server's version",
        timeAnswer,
        {
          epochMillis: 1_767_571_200_000,
          iso8601: "2026-01-05T00:00:00.000Z",
          version: "0.1.0",
          speed: 1,
        },
      ),
      handle: time,
    },
  }),
]

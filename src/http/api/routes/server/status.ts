/** Route of the server's status (spec/status §1), which every page shows a part of. */

import { formatInstant } from "../../../../base/iso8601.ts"
import { cycleMs } from "../../../../model/resolution.ts"
import type { Principal } from "../../../../accounts/accounts.ts"
import { serverStatusAnswer } from "../../../../wire/description/server-answers.ts"
import type { OperatorStatus } from "../../../live/server-status.ts"
import { servedProtocols } from "../../../ingest/ingest-request.ts"
import { json, ok, route, type Handler, type Route, type RouteDeps } from "../../../shared/route.ts"

const status: Handler = async ({ tenant, nowMs, identity }, deps) => {
  const { version, status: server, activity, elapsedMs } = deps
  const { startedMs, isSimulated: simulated, speed } = server
  const { counts, operator } = await server.figures(tenant)
  return json({
    version,
    started: formatInstant(startedMs),
    serverTime: formatInstant(nowMs),
    clock: { simulated, speed },
    ...settingsOf(deps),
    protocols: servedProtocols,
    cycle: cycleOf(deps),
    counts,
    ingest: ingestOf(activity.of(tenant), elapsedMs()),
    ...(isOperator(identity!) ? { server: operatorOf(operator, deps) } : {}),
  })
}

/** Administrators of the first account run the server. */
function isOperator({ tenant, role }: Principal): boolean {
  return tenant === 0 && role === "Administrator"
}

function ingestOf(activity: ReturnType<RouteDeps["activity"]["of"]>, elapsedMs: number) {
  const perSecond = activity.samplesPerSecond(elapsedMs)
  return { samplesPerSecond: Math.round(perSecond * 100) / 100, ...activity.times() }
}

function settingsOf({ status: server }: RouteDeps) {
  const settings = server.settings()
  const { baseUrl, retentionMs } = settings
  const limits = {
    bodyBytes: settings.bodyBytesMax,
    series: settings.seriesMax,
    newSeriesPerMinute: settings.newSeriesPerMinuteMax,
    textBytes: settings.textBytesMax,
    diskBytes: settings.diskQuotaBytes,
    eventsPerMinute: settings.eventsPerMinute,
    queryMs: settings.queryTimeoutMs,
  }
  return { baseUrl, retentionMs, limits }
}

function cycleOf({ status: server }: RouteDeps) {
  const { closedUpToMs, tookMs, lagMs } = server.cycle()
  return { lastClosed: formatInstant(closedUpToMs - cycleMs), tookMs, lagMs }
}

function operatorOf(
  { isReadOnly: readOnly, ...figures }: OperatorStatus,
  { health, activity }: RouteDeps,
) {
  const { lastRefused } = activity
  return {
    ...figures,
    readOnly,
    problems: health(),
    lastRefused:
      lastRefused === null
        ? null
        : {
            time: formatInstant(lastRefused.timeMs),
            status: lastRefused.status,
            reason: lastRefused.reason,
          },
  }
}

const example = {
  version: "0.1.0",
  started: "2026-01-04T00:00:00.000Z",
  serverTime: "2026-01-05T00:07:00.000Z",
  baseUrl: "https://tidegauge.example.org",
  clock: { simulated: false, speed: 1 },
  retentionMs: {
    ZERO: 1_296_000_000,
    PT5M: 7_776_000_000,
    PT1H: 34_128_000_000,
    PT24H: 157_680_000_000,
  },
  limits: {
    bodyBytes: 16_777_216,
    series: 1_000_000,
    newSeriesPerMinute: 1_000_000,
    textBytes: 536_870_912,
    diskBytes: 0,
    eventsPerMinute: 6000,
    queryMs: 10_000,
  },
  protocols: servedProtocols,
  cycle: { lastClosed: "2026-01-05T00:00:00.000Z", tookMs: 120, lagMs: 0 },
  counts: { elements: 40, series: 960 },
  ingest: {
    samplesPerSecond: 16,
    lastSample: "2026-01-05T00:06:59.000Z",
    newestSample: "2026-01-05T00:06:58.000Z",
  },
}

export const statusRoutes: readonly Route[] = [
  route("System", "/status", {
    GET: {
      summary:
        "Version, clock, limits, cycles and ingest; more for administrators of the first account",
      access: "reader",
      response: ok("The status as of now", serverStatusAnswer, example),
      handle: status,
    },
  }),
]

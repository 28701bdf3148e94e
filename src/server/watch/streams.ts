/** Composes the streams of pages. */

import type { Accounts } from "../../accounts/accounts.ts"
import type { Clock } from "../../base/clock.ts"
import type { Config } from "../../config/config.ts"
import { ingestFigures, StreamFeed, StreamHub, type IngestActivity } from "../../http/http.ts"
import { repeat } from "../../runtime/timers.ts"

interface StreamsDeps {
  readonly config: Pick<Config, "clock">
  readonly clock: Clock
  readonly accounts: Pick<Accounts, "onStandingChange">
  readonly activity: IngestActivity
  /** Bound before a stream is opened. */
  readonly services: { readonly value: { readonly health: { reasons(): readonly string[] } } }
}

export function createStreams({ config, clock, accounts, activity, services }: StreamsDeps) {
  const elapsedMs = (): number => performance.now()
  const hub = new StreamHub({
    clock,
    speed: config.clock?.speed ?? 1,
    elapsedMs,
    startedMs: Math.floor(performance.timeOrigin),
    repeat,
    ingest: ingestFigures(activity, elapsedMs),
    problems: () => services.value.health.reasons(),
  })
  let isDue = false
  // A disabled account changes the standing of all its users together.
  accounts.onStandingChange(() => {
    if (!isDue) setImmediate(() => ((isDue = false), hub.recheck()))
    isDue = true
  })
  return hub
}

/** Passes what the services of a server report to its streams. */
export function createFeed({
  streams: hub,
  accounts,
}: {
  readonly streams: StreamHub
  readonly accounts: Pick<Accounts, "tenantUuid">
}): StreamFeed {
  return new StreamFeed({ hub, tenantUuid: (tenant) => accounts.tenantUuid(tenant) })
}

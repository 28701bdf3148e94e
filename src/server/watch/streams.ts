/** Composes the streams of pages. */

import type { Accounts } from "../../accounts/accounts.ts"
import type { Clock } from "../../base/clock.ts"
import type { Config } from "../../config/config.ts"
import type { ShardClient } from "../../engine/shard-client.ts"
import { IngestFigures, StreamFeed, StreamHub, type IngestActivity } from "../../http/http.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type {
  NewestElementAnswer,
  QueryKind,
  RawPointsAnswer,
  RawPointsBody,
  ReservedAnswer,
  QueryRequest,
} from "../../query/query.ts"
import { repeat } from "../../runtime/timers.ts"

interface StreamsDeps {
  readonly config: Pick<Config, "clock">
  readonly clock: Clock
  readonly accounts: Pick<Accounts, "onStandingChange" | "keys">
  readonly activity: IngestActivity
  readonly shard: Pick<ShardClient, "newSeries">
  /** Bound before a stream is opened. */
  readonly services: {
    readonly value: {
      readonly health: { reasons(): readonly string[] }
      readonly ask: (request: QueryRequest) => Promise<ReservedAnswer>
    }
  }
}

export function createStreams(deps: StreamsDeps) {
  const { config, clock, accounts, activity, services } = deps
  const elapsedMs = (): number => performance.now()
  const figures = createIngestFigures(deps, elapsedMs)
  const hub = new StreamHub({
    clock,
    speed: config.clock?.speed ?? 1,
    elapsedMs,
    startedMs: Math.floor(performance.timeOrigin),
    repeat,
    ingest: (tenant) => figures.of(tenant),
    series: {
      read: async (tenant, asked) => {
        const body: RawPointsBody = asked
        return (await answerOf(deps, { kind: "rawPoints", tenant, body })) as RawPointsAnswer
      },
      requests: (tenant) => activity.of(tenant).requests,
      nowMs: () => clock.nowMs(),
    },
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

function createIngestFigures(deps: StreamsDeps, elapsedMs: () => number): IngestFigures {
  const { accounts, activity, shard } = deps
  return new IngestFigures({
    activity,
    elapsedMs,
    newSeries: () => shard.newSeries,
    newestElement: async (tenant) => {
      const asked = { kind: "newestElement", tenant, body: null } as const
      return (await answerOf(deps, asked)) as NewestElementAnswer
    },
    keyName: (tenant, keyId) => {
      return accounts.keys.list(tenant).find(({ id }) => id === keyId)?.name ?? null
    },
  })
}

interface Asked {
  readonly kind: QueryKind
  readonly tenant: TenantIndex
  readonly body: unknown
}

async function answerOf({ services, clock }: StreamsDeps, asked: Asked): Promise<unknown> {
  const request = { ...asked, params: {}, nowMs: clock.nowMs() }
  return (await services.value.ask(request)).json()
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

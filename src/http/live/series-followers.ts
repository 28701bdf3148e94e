/**
 * Series followers: the streams that follow raw samples of named series (spec/status §2).
 *
 *   every 2 s, if the account sent something ─► one read of the series of all its streams
 *                                                └─► each stream: points newer than its last ones
 *
 * Ingest does no more work: the samples are read as any query reads them, once an account.
 */

import { assert } from "../../base/assert.ts"
import { ServiceError } from "../../base/errors.ts"
import {
  followedBackMs,
  followedPerAccountMax,
  followedPointsMax,
  followedSeriesMax,
} from "../../base/limits/streams.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { Span } from "../../model/span.ts"
import type { SeriesName } from "../../wire/series/series-query-body.ts"

type Points = readonly (readonly [timeMs: number, value: number])[]

export interface SeriesFollowersDeps {
  /** Points of each name in the span, in order of the names; none of a series that is not there. */
  readonly read: (
    tenant: TenantIndex,
    asked: { readonly names: readonly SeriesName[]; readonly span: Span },
  ) => Promise<readonly Points[]>
  /** Requests with samples of an account so far. */
  readonly requests: (tenant: TenantIndex) => number
  /** By the server's clock. */
  readonly nowMs: () => number
}

/** One stream that follows series. */
interface Follower {
  readonly names: readonly SeriesName[]
  /** Time of the newest point that was sent, by key of the series. */
  readonly sentMs: Map<string, number>
  readonly tell: (message: object) => void
}

interface Account {
  readonly followers: Set<Follower>
  /** Requests as of the last read; -1 if a stream has begun since. */
  readRequests: number
  isReading: boolean
}

export class SeriesFollowers {
  private readonly deps: SeriesFollowersDeps
  private readonly accounts = new Map<TenantIndex, Account>()

  constructor(deps: SeriesFollowersDeps) {
    this.deps = deps
  }

  /** Throws `throttled` if the streams of the account would follow too many series together. */
  admit(tenant: TenantIndex, count: number): void {
    assert(count <= followedSeriesMax, `Expected at most ${followedSeriesMax} series of a stream`)
    const followers = [...(this.accounts.get(tenant)?.followers ?? [])]
    const followed = followers.reduce((sum, { names }) => sum + names.length, 0)
    if (followed + count <= followedPerAccountMax) return
    const problem = `Expected at most ${followedPerAccountMax} series in all streams of an account`
    throw new ServiceError("throttled", problem, { retryAfterSeconds: 30 })
  }

  /** Calls back with the new points of these series until the returned function is called. */
  follow(
    tenant: TenantIndex,
    names: readonly SeriesName[],
    tell: (message: object) => void,
  ): () => void {
    const account = this.accounts.get(tenant) ?? newAccount()
    const follower: Follower = { names, sentMs: new Map(), tell }
    account.followers.add(follower)
    account.readRequests = -1
    this.accounts.set(tenant, account)
    return () => {
      account.followers.delete(follower)
      if (account.followers.size === 0) this.accounts.delete(tenant)
    }
  }

  /** Reads what is new; a failed read is made again by the next call. */
  async tellAll(): Promise<void> {
    const all = [...this.accounts].map(([tenant, account]) => this.tellAccount(tenant, account))
    await Promise.all(all)
  }

  private async tellAccount(tenant: TenantIndex, account: Account): Promise<void> {
    const requests = this.deps.requests(tenant)
    if (account.isReading || account.readRequests === requests) return
    account.isReading = true
    account.readRequests = requests
    try {
      await this.readAndTell(tenant, account)
    } catch {
      account.readRequests = -1
    } finally {
      account.isReading = false
    }
  }

  private async readAndTell(tenant: TenantIndex, { followers }: Account): Promise<void> {
    const asked = [...followers]
    const names = new Map(asked.flatMap((one) => one.names.map((name) => [keyOf(name), name])))
    const nowMs = this.deps.nowMs()
    const span = { startMs: nowMs - followedBackMs, endMs: nowMs + followedBackMs }
    const read = await this.deps.read(tenant, { names: [...names.values()], span })
    assert(read.length === names.size, "Expected the points of each series")
    const points = new Map([...names.keys()].map((key, i) => [key, read[i]!]))
    for (const follower of asked) {
      // It may have ended meanwhile.
      if (followers.has(follower)) tellNew(follower, points)
    }
  }
}

function newAccount(): Account {
  return { followers: new Set(), readRequests: -1, isReading: false }
}

function keyOf({ elementId, metricId }: SeriesName): string {
  return `${elementId}/${metricId}`
}

/** Sends a stream the points that are newer than its last ones, if there are any. */
function tellNew({ names, sentMs, tell }: Follower, points: ReadonlyMap<string, Points>): void {
  const most = Math.max(1, Math.floor(followedPointsMax / names.length))
  let isPartial = false
  const series = names.flatMap((name) => {
    const key = keyOf(name)
    const last = sentMs.get(key) ?? -Infinity
    const fresh = (points.get(key) ?? []).filter(([timeMs]) => timeMs > last)
    if (fresh.length === 0) return []
    sentMs.set(key, fresh.at(-1)![0])
    isPartial ||= fresh.length > most
    return [{ ...name, points: fresh.slice(-most) }]
  })
  if (series.length > 0) tell({ series, isPartial })
}

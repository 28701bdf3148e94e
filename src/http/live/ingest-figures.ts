/** Figures of ingest for streams: what an account has sent, and the element that came last. */

import type { TenantIndex } from "../../model/ids.ts"
import type { NewestElementAnswer } from "../../query/query.ts"
import type { IngestActivity } from "./ingest-activity.ts"

export interface IngestFiguresDeps {
  readonly activity: IngestActivity
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** Series of all accounts that were new since the start: with an element comes a series. */
  readonly newSeries: () => number
  readonly newestElement: (tenant: TenantIndex) => Promise<NewestElementAnswer>
  /** The name that people gave a key; null without one. Its id is for administrators. */
  readonly keyName: (tenant: TenantIndex, keyId: string) => string | null
}

interface Newest {
  readonly element: NewestElementAnswer
  /** As of this number of new series. */
  readonly newSeries: number
}

export class IngestFigures {
  private readonly deps: IngestFiguresDeps
  /** Requests as of the last figures, by account. */
  private readonly sent = new Map<TenantIndex, number>()
  private readonly newest = new Map<TenantIndex, Newest>()

  constructor(deps: IngestFiguresDeps) {
    this.deps = deps
  }

  /** The figures of an account since the start; null if it sent nothing since the last call. */
  of(tenant: TenantIndex): Promise<object> | null {
    const { requests, lastMs } = this.deps.activity.of(tenant)
    if (lastMs === null || this.sent.get(tenant) === requests) return null
    this.sent.set(tenant, requests)
    return this.figures(tenant)
  }

  private async figures(tenant: TenantIndex): Promise<object> {
    const { activity, elapsedMs, keyName } = this.deps
    const newestElement = await this.newestOf(tenant)
    const sent = activity.of(tenant)
    return {
      samples: sent.samples,
      requests: sent.requests,
      samplesPerSecond: sent.samplesPerSecond(elapsedMs()),
      keyName: keyName(tenant, sent.keyId),
      newestElement,
      ...sent.times(),
    }
  }

  /** Asked for again only if a series has come since; the one known before if that fails. */
  private async newestOf(tenant: TenantIndex): Promise<NewestElementAnswer> {
    const known = this.newest.get(tenant)
    const newSeries = this.deps.newSeries()
    if (known?.newSeries === newSeries) return known.element
    try {
      const element = await this.deps.newestElement(tenant)
      this.newest.set(tenant, { element, newSeries })
      return element
    } catch {
      return known?.element ?? null
    }
  }
}

/**
 * Cardinality limits: how much a tenant may add to the catalogue. Without them, a collector that
 * puts a request id into a metric's name fills memory and disk with series of one sample each.
 *
 *   total      series of a tenant; its elements likewise; definitions, which tenants share    400
 *              those of deleted elements do not count
 *   text       bytes of text of a tenant, with those of definitions                           400
 *   a minute   new series, elements and definitions of a tenant together                      429
 *
 * What a body over a limit adds is refused as a whole, before the catalogue changes; the samples of
 * its known series are stored (parser/apply-plan.ts).
 */

import { partitionsMax, type Catalogue } from "../catalogue/catalogue.ts"
import type { SeriesIndex, TenantIndex } from "../model/ids.ts"

export interface CardinalityLimits {
  readonly seriesMax: number
  readonly newSeriesPerMinuteMax: number
  readonly textBytesMax: number
}

/** Additions of a body to the catalogue; an element that it restores is one, with its series. */
export interface CatalogueGrowth {
  readonly series: SeriesIndex
  readonly elements: number
  readonly definitions: number
  /** UTF-8 bytes. */
  readonly text: number
}

export interface CardinalityRefusal {
  readonly detail: "Series Limit Exceeded" | "Text Limit Exceeded"
  /** States the limit and its value. */
  readonly problem: string
  /** Set if a retry may succeed. */
  readonly retryAfterSeconds?: number
}

const minuteMs = 60_000
const seriesDetail = "Series Limit Exceeded"

export class CardinalityLimiter {
  private readonly catalogue: Catalogue
  private readonly limits: CardinalityLimits
  /** By tenant: the additions in the current minute of the server's clock. */
  private readonly minutes: { minute: number; added: number }[] = []

  constructor(catalogue: Catalogue, limits: CardinalityLimits) {
    this.catalogue = catalogue
    this.limits = limits
  }

  /** Returns why a body that would add `growth` is refused, or `undefined`. */
  refusal(
    tenant: TenantIndex,
    growth: CatalogueGrowth,
    nowMs: number,
  ): CardinalityRefusal | undefined {
    return this.totalRefusal(tenant, growth) ?? this.rateRefusal(tenant, growth, nowMs)
  }

  /** Counts additions towards the limit of the minute. */
  recordGrowth(tenant: TenantIndex, growth: CatalogueGrowth, nowMs: number): void {
    this.minuteOf(tenant, nowMs).added += sum(growth)
  }

  private totalRefusal(
    tenant: TenantIndex,
    growth: CatalogueGrowth,
  ): CardinalityRefusal | undefined {
    const { catalogue } = this
    const { seriesMax } = this.limits
    const known = {
      series: catalogue.present.seriesOf(tenant),
      elements: catalogue.present.elementsOf(tenant),
      definitions: catalogue.known.definitions,
    }
    if (growth.series > 0 && catalogue.partitionCount + growth.series > partitionsMax) {
      return { detail: seriesDetail, problem: numbersProblem(growth.series) }
    }
    for (const what of ["series", "elements", "definitions"] as const) {
      if (growth[what] === 0 || known[what] + growth[what] <= seriesMax) continue
      const problem =
        `The body brings ${growth[what]} new ${what} to ${known[what]} known ones, ` +
        `more than the series limit of ${seriesMax}; known series are still accepted`
      return { detail: seriesDetail, problem }
    }
    return this.textRefusal(tenant, growth.text)
  }

  private textRefusal(tenant: TenantIndex, growth: number): CardinalityRefusal | undefined {
    const { textBytes } = this.catalogue
    const { textBytesMax } = this.limits
    const known = textBytes.tenantBytes(tenant) + textBytes.sharedBytes
    if (growth <= 0 || known + growth <= textBytesMax) return undefined
    const problem =
      `The body brings ${growth} bytes of text to ${known} known ones, more than the text limit ` +
      `of ${textBytesMax} bytes (--text-bytes-limit); known series are still accepted`
    return { detail: "Text Limit Exceeded", problem }
  }

  private rateRefusal(
    tenant: TenantIndex,
    growth: CatalogueGrowth,
    nowMs: number,
  ): CardinalityRefusal | undefined {
    const { newSeriesPerMinuteMax } = this.limits
    const { added } = this.minuteOf(tenant, nowMs)
    const more = sum(growth)
    if (more === 0 || added + more <= newSeriesPerMinuteMax) return undefined
    const problem =
      `The body brings ${more} new series, elements and definitions to ${added} of this minute, ` +
      `more than the new-series limit of ${newSeriesPerMinuteMax} a minute; ` +
      "known series are still accepted"
    return {
      detail: seriesDetail,
      problem,
      retryAfterSeconds: Math.ceil((minuteMs - modulo(nowMs, minuteMs)) / 1000),
    }
  }

  /**
   * A clock jump in either direction starts another minute: it can neither block growth nor save
   * up.
   */
  private minuteOf(tenant: TenantIndex, nowMs: number): { added: number } {
    const minute = Math.floor(nowMs / minuteMs)
    const current = (this.minutes[tenant] ??= { minute, added: 0 })
    if (current.minute !== minute) {
      current.minute = minute
      current.added = 0
    }
    return current
  }
}

/** Each new series may need another block of series. */
function numbersProblem(series: number): string {
  return (
    `The body brings ${series} new series, for which the store may lack numbers: it numbers ` +
    `${partitionsMax} blocks of series, forgotten ones included; known series are still accepted`
  )
}

function sum({ series, elements, definitions }: CatalogueGrowth): number {
  return series + elements + definitions
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

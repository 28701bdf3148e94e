/** Names of elements' metrics in order of appearance, one list for all that have the same ones. */

import { BoundedCache } from "../base/bounded-cache.ts"
import type { ElementInfo } from "../model/element.ts"
import type { ReadStore } from "../store/store.ts"

export interface MetricNames {
  readonly fqns: readonly string[]
  /** Place of a name, or -1. */
  indexOf(fqn: string): number
}

/** Lists that are found again by their names, some kB each; those in use stay beyond that. */
const listsMax = 5_000

export class MetricNameInterner {
  /** Asked for its catalogue anew each time: it may open another. */
  private readonly store: Pick<ReadStore, "catalogue">
  private readonly byInfo = new WeakMap<ElementInfo, MetricNames>()
  private readonly byNumbers = new BoundedCache<string, MetricNames>(listsMax, "all")

  constructor(store: Pick<ReadStore, "catalogue">) {
    this.store = store
  }

  /** The same object as long as the element's metrics are the same: none ever goes. */
  of(element: number): MetricNames {
    const { catalogue } = this.store
    const info = catalogue.elementInfo(element)
    const series = catalogue.elementSeries(element)
    const known = this.byInfo.get(info)
    if (known?.fqns.length === series.length) return known
    const names = this.intern(Array.from(series, (one) => catalogue.seriesName(one)))
    this.byInfo.set(info, names)
    return names
  }

  private intern(numbers: readonly number[]): MetricNames {
    const key = numbers.join()
    const known = this.byNumbers.get(key)
    if (known !== undefined) return known
    const names = namesOf(numbers.map((number) => this.store.catalogue.name(number).fqn))
    this.byNumbers.set(key, names)
    return names
  }
}

function namesOf(fqns: readonly string[]): MetricNames {
  let places: Map<string, number> | null = null
  return {
    fqns,
    indexOf(fqn) {
      places ??= new Map(fqns.map((name, place) => [name, place]))
      return places.get(fqn) ?? -1
    },
  }
}

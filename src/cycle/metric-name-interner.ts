/** Interns lists of metric names: elements with the same metrics share one list. */

import { BoundedCache } from "../base/bounded-cache.ts"
import type { ElementIndex } from "../model/ids.ts"
import type { ElementInfo } from "../model/element.ts"
import type { CycleSource } from "../store/cycle-store.ts"

/** FQNs of an element's metrics in the order of its rows (`CycleSource.seriesOf`). */
export interface MetricNames {
  readonly fqns: readonly string[]
  /** Index of a name in `fqns`, or -1. */
  indexOf(fqn: string): number
}

/** The names of an element, and the counts that tell whether they are still its names. */
interface KnownNames {
  readonly names: MetricNames
  readonly series: number
  readonly forgotten: number
}

/** Interned lists, some kB each. A list in use outlives its eviction from here. */
const listsMax = 5_000

export class MetricNameInterner {
  /** Its catalogue is read at each call: the store may open another one. */
  private readonly store: Pick<CycleSource, "catalogue" | "seriesOf">
  private readonly byInfo = new WeakMap<ElementInfo, KnownNames>()
  private readonly byNumbers = new BoundedCache<string, MetricNames>(listsMax, "all")

  constructor(store: Pick<CycleSource, "catalogue" | "seriesOf">) {
    this.store = store
  }

  /** Returns the same object until the element gets or loses a metric. */
  of(element: ElementIndex): MetricNames {
    const { catalogue } = this.store
    const info = catalogue.elementInfo(element)
    const series = this.store.seriesOf(element)
    const known = this.byInfo.get(info)
    if (known?.series === series.length && known.forgotten === catalogue.forgotten) {
      return known.names
    }
    const names = this.intern(Array.from(series, (one) => catalogue.seriesName(one)))
    this.byInfo.set(info, { names, series: series.length, forgotten: catalogue.forgotten })
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
      places ??= new Map(fqns.map((name, index) => [name, index]))
      return places.get(fqn) ?? -1
    },
  }
}

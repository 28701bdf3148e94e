/**
 * The layer below a plot, loaded with the first chart that needs it. It outlives the plots of a
 * chart, so that what was drawn stays until the next picture is there.
 */

import { useSignal, type ReadonlySignal } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { lazyCode } from "../../platform/code.ts"
import type { TimeRange } from "../../url/time-range.ts"
import type { UnderLayer } from "../plot/under-layer.ts"
import type { UnderScene } from "../plot/under-scene.ts"

const loadHeat = lazyCode(() => import("../heat/heat-layer.ts"))
const loadDense = lazyCode(() => import("./dense-layer.ts"))

type Load = () => Promise<UnderLayer>

/** A layer whose module is loaded; it shows the last scene when it is there. */
class LazyLayer implements UnderLayer {
  private layer: UnderLayer | null = null
  private isClosed = false
  private shown: { readonly host: HTMLElement; readonly scene: UnderScene } | null = null

  constructor(load: Load, onError: (error: unknown) => void) {
    load().then((layer) => {
      if (this.isClosed) return layer.close()
      this.layer = layer
      if (this.shown !== null) layer.show(this.shown.host, this.shown.scene)
    }, onError)
  }

  show(host: HTMLElement, scene: UnderScene): void {
    this.shown = { host, scene }
    this.layer?.show(host, scene)
  }

  move(range: TimeRange): void {
    this.layer?.move(range)
  }

  fade(isFaded: boolean): void {
    this.layer?.fade(isFaded)
  }

  close(): void {
    this.isClosed = true
    this.layer?.close()
  }
}

export interface UsedLayer {
  /** Null for a plot that draws its lines itself. */
  readonly under: UnderLayer | null
  /** Why nothing is drawn; empty if all is well. */
  readonly problem: ReadonlySignal<string>
}

/** The layer for a kind of chart: the same one until the kind changes. */
export function useUnderLayer(kind: "dense" | "heat" | null): UsedLayer {
  const problem = useSignal("")
  const under = useMemo(() => {
    problem.value = ""
    if (kind === null) return null
    const onError = (error: unknown): void => {
      problem.value = error instanceof Error ? error.message : String(error)
    }
    return new LazyLayer(async () => {
      if (kind === "heat") {
        const { HeatLayer } = await loadHeat()
        return new HeatLayer()
      }
      const { DenseLayer } = await loadDense()
      return new DenseLayer(onError)
    }, onError)
  }, [kind])
  useEffect(() => () => under?.close(), [under])
  return { under, problem }
}

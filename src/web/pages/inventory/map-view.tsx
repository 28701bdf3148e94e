/** The inventory as a map: a cell for each element that passes, the worst first. */

import { useMemo } from "preact/hooks"
import { statusMap } from "../../api/overview/overview.ts"
import { useApp } from "../../frame/app.ts"
import { CellMap } from "../../frame/map/cell-map.tsx"
import { cellsOf } from "../../frame/map/cells.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Empty, LoadFailed, Skeleton } from "../../parts/states.tsx"
import type { InventoryState } from "./inventory-state.ts"
import { text } from "./text.ts"

interface MapViewProps {
  readonly state: InventoryState
  readonly round: number
}

export function MapView({ state: { body }, round }: MapViewProps) {
  const { api } = useApp()
  const { value, error, isFormer, reload } = useLoaded(
    JSON.stringify([body, round]),
    (signal) => statusMap(api, body, signal),
    JSON.stringify(body),
  )
  const cells = useMemo(() => (value === null ? [] : cellsOf(value)), [value])
  return (
    <>
      <LoadFailed error={error} title={text.loadFailed} retryText={text.retry} onRetry={reload} />
      {value === null && error === null && <Skeleton text={text.loading} rows={8} />}
      {value !== null && value.columns === null && <Empty reason={text.tooManyForMap} />}
      {cells.length > 0 && (
        <div aria-busy={isFormer || undefined}>
          <CellMap label={text.mapOf(cells.length)} cells={cells} />
        </div>
      )}
    </>
  )
}

/** The state of the inventory in its URL: list or map, columns, order, levels, filter. */

import { useMemo } from "preact/hooks"
import type { Level } from "../../api/element-words.ts"
import type { FilterBody } from "../../api/elements.ts"
import { usePageFilter, type PageFilter } from "../../frame/filter/page-filter.ts"
import { usePageState } from "../../frame/page-state.ts"
import { columnText, withColumn, type ColumnChoice } from "./column-choice.ts"
import { columnOfOrder, isDescendingFirst, type OrderId } from "./element-order.ts"
import { inventoryParameters, type InventoryView } from "./inventory-parameters.ts"

export interface InventoryState {
  readonly view: InventoryView
  readonly columns: readonly ColumnChoice[]
  readonly sort: OrderId
  readonly isDescending: boolean
  readonly levels: readonly Level[]
  readonly filter: PageFilter
  /** The groups of the filter, without and with the chosen levels. */
  readonly groups: FilterBody
  readonly body: FilterBody
  /** Names of parameters that could not be read. */
  readonly broken: readonly string[]
  show(view: InventoryView): void
  setColumns(columns: readonly ColumnChoice[]): void
  /** Rows are then sorted by a metric, unless an order was chosen. */
  addColumn(added: ColumnChoice): void
  sortBy(id: OrderId): void
  setLevels(chosen: readonly Level[]): void
}

export function useInventoryState(): InventoryState {
  const filter = usePageFilter()
  const { values, broken, set } = usePageState(inventoryParameters)
  return useMemo(() => {
    const { view, cols, sort, desc, level } = values
    const items = level.map((item) => ({ item, queryType: "EXACT" }))
    const chosen = level.length === 0 ? {} : { elementStatuses: { and: false, items } }
    return {
      view,
      columns: cols,
      sort,
      isDescending: desc,
      levels: level,
      filter,
      groups: filter.groups,
      body: { ...filter.groups, ...chosen },
      broken,
      show: (next) => set({ view: next }),
      // Typed: a dialog with several changes is one entry of the history.
      setColumns(next) {
        const column = columnOfOrder(sort)
        const has = (some: readonly ColumnChoice[]) =>
          some.some((one) => columnText(one) === column)
        // An order whose column is gone is seen nowhere.
        const order = has(cols) && !has(next) ? ({ sort: "name", desc: false } as const) : {}
        set({ cols: next, ...order }, "typed")
      },
      addColumn(added) {
        const isFirst = sort === "name" && !desc && added.kind === "metric"
        const order = isFirst ? ({ sort: `metric.${added.key}`, desc: true } as const) : {}
        set({ cols: withColumn(cols, added), ...order }, "typed")
      },
      sortBy: (id) => set({ sort: id, desc: id === sort ? !desc : isDescendingFirst(id) }),
      setLevels: (next) => set({ level: next }),
    }
  }, [filter, values, broken, set])
}

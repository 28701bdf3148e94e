/** The state of the inventory in its URL: order, levels, filter. */

import { useMemo } from "preact/hooks"
import type { ElementSortField, Level } from "../../api/element-words.ts"
import type { FilterBody } from "../../api/elements.ts"
import { usePageFilter, type PageFilter } from "../../frame/filter/page-filter.ts"
import { usePageState } from "../../frame/page-state.ts"
import { inventoryParameters } from "./inventory-parameters.ts"

export interface InventoryState {
  readonly sort: ElementSortField
  readonly isDescending: boolean
  readonly levels: readonly Level[]
  readonly filter: PageFilter
  /** The groups of the filter, without and with the chosen levels. */
  readonly groups: FilterBody
  readonly body: FilterBody
  sortBy(field: ElementSortField): void
  setLevels(chosen: readonly Level[]): void
}

export function useInventoryState(): InventoryState {
  const filter = usePageFilter()
  const { values, set } = usePageState(inventoryParameters)
  const { sort, desc, level } = values
  return useMemo(() => {
    const items = level.map((item) => ({ item, queryType: "EXACT" }))
    const chosen = level.length === 0 ? {} : { elementStatuses: { and: false, items } }
    return {
      sort,
      isDescending: desc,
      levels: level,
      filter,
      groups: filter.groups,
      body: { ...filter.groups, ...chosen },
      sortBy: (field) => set({ sort: field, desc: field === sort ? !desc : false }),
      setLevels: (next) => set({ level: next }),
    }
  }, [filter, sort, desc, level.join(), set])
}

/** A row of the inventory: an element with its status. */

import type { ApiClient } from "../../api/client.ts"
import {
  elementPage,
  elementStatuses,
  type ElementStatus,
  type ListedElement,
} from "../../api/elements.ts"
import type { InventoryState } from "./inventory-state.ts"
import { pageRows, type RowPage } from "../../frame/rows/use-rows.ts"

export interface ElementRow extends ListedElement {
  /** Null if the element was deleted meanwhile. */
  readonly status: ElementStatus | null
}

/** One page of rows; the status is asked for these alone. */
export async function loadRows(
  api: ApiClient,
  { body, sort, isDescending }: InventoryState,
  page: number,
  signal: AbortSignal,
): Promise<RowPage<ElementRow>> {
  const asked = { filter: body, sort, isDescending, page, pageSize: pageRows }
  const { elements, total } = await elementPage(api, asked, signal)
  const ids = elements.map(({ id }) => id)
  const statuses = await elementStatuses(api, ids, signal)
  const rows = elements.map((one) => ({ ...one, status: statuses.get(one.id) ?? null }))
  return { rows, total }
}

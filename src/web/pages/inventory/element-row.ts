/** A row of the inventory: an element with its status. */

import type { ApiClient } from "../../api/client.ts"
import {
  elementPage,
  elementStatuses,
  type ElementStatus,
  type ListedElement,
} from "../../api/elements.ts"
import { columnText } from "./column-choice.ts"
import type { InventoryState } from "./inventory-state.ts"
import { pageRows, type RowPage } from "../../frame/rows/use-rows.ts"

export interface ElementRow extends ListedElement {
  /** Null if the element was deleted meanwhile. */
  readonly status: ElementStatus | null
}

/** Facts that only some columns show. */
interface RowNeeds {
  readonly withAttributes: boolean
  readonly withCreated: boolean
}

function rowNeeds({ columns }: InventoryState): RowNeeds {
  return {
    withAttributes: columns.some(({ kind }) => kind === "attr"),
    withCreated: columns.some((one) => columnText(one) === "created"),
  }
}

/** Names a list: the same key has the same rows. */
export function rowsKey(state: InventoryState): string {
  return JSON.stringify([state.body, state.sort, state.isDescending, rowNeeds(state)])
}

/** One page of rows; the status is asked for these alone. */
export async function loadRows(
  api: ApiClient,
  state: InventoryState,
  page: number,
  signal: AbortSignal,
): Promise<RowPage<ElementRow>> {
  const { body, sort, isDescending } = state
  const needs = rowNeeds(state)
  const asked = { filter: body, sort, isDescending, page, pageSize: pageRows }
  const { elements, total } = await elementPage(api, { ...asked, ...needs }, signal)
  const ids = elements.map(({ id }) => id)
  const statuses = await elementStatuses(api, ids, signal, needs)
  const rows = elements.map((one) => ({ ...one, status: statuses.get(one.id) ?? null }))
  return { rows, total }
}

/** A row of the inventory: an element with its status. */

import type { ApiClient } from "../../api/client.ts"
import {
  countLevels,
  elementPage,
  elementStatuses,
  type ElementStatus,
  type ListedElement,
} from "../../api/elements.ts"
import type { LevelCounts } from "../../api/overview/overview-answer.ts"
import type { PageRange } from "../../frame/range/ranges.ts"
import { pageRows, type RowPage } from "../../frame/rows/use-rows.ts"
import { columnText } from "./column-choice.ts"
import { isMetricOrder, sortOf } from "./element-order.ts"
import type { InventoryState } from "./inventory-state.ts"

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
export function rowsKey(state: InventoryState, range: Pick<PageRange, "text">): string {
  const { body, sort, isDescending } = state
  const window = isMetricOrder(sort) ? range.text : null
  return JSON.stringify([body, sort, isDescending, window, rowNeeds(state)])
}

/** Rows, and the levels of all that pass the same filter. */
export type ElementRowPage = RowPage<ElementRow, LevelCounts>

/** Loads pages of rows; the levels are counted once a list, which has one signal. */
export class ElementRows {
  private readonly api: ApiClient
  private readonly counts = new WeakMap<AbortSignal, Promise<LevelCounts>>()

  constructor(api: ApiClient) {
    this.api = api
  }

  /** The status is asked for these rows alone. */
  async load(
    { state, range }: { readonly state: InventoryState; readonly range: PageRange },
    page: number,
    signal: AbortSignal,
  ): Promise<ElementRowPage> {
    const { api } = this
    const { body: filter, isDescending } = state
    const counted = this.counts.get(signal) ?? countLevels(api, state.groups, signal)
    this.counts.set(signal, counted)
    const needs = rowNeeds(state)
    const sort = sortOf(state.sort, range.range)
    const asked = { filter, sort, isDescending, page, pageSize: pageRows }
    const found = elementPage(api, { ...asked, ...needs }, signal)
    const [{ elements, total }, more] = await Promise.all([found, counted])
    const ids = elements.map(({ id }) => id)
    const statuses = await elementStatuses(api, ids, signal, needs)
    const rows = elements.map((one) => ({ ...one, status: statuses.get(one.id) ?? null }))
    return { rows, total, more }
  }
}

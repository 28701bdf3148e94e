/**
 * POST `/elements/search/elementStatus`: the status of elements that pass a filter, as columns for
 * maps, and counted by level and type (spec/search §3).
 */

import { statusElementsMax } from "../../base/limits/search.ts"
import { jsonArray, jsonNumber, type JsonText } from "../../wire/json.ts"
import { readStatusBody } from "../../wire/search/status-body.ts"
import type { Silence, StatusCounts } from "../../wire/search/status-answer.ts"
import { statusLevels, type StatusLevel } from "../../wire/filter/status-levels.ts"
import { defineQuery } from "../core/define-query.ts"
import type { QueryContext } from "../core/query-context.ts"
import { testsStatuses } from "../filter/compile.ts"
import { findElements } from "../filter/search.ts"
import { needOfNewest } from "../filter/newest-samples.ts"
import {
  elementsOf,
  elementStatuses,
  readElementStatuses,
  type ElementStatusColumns,
} from "../filter/element-statuses.ts"
import { typesOf, type ElementTypes } from "../filter/element-types.ts"
import { collectedPercents } from "./processing-status.ts"
import { findSilences } from "./silence.ts"

export const elementStatus = defineQuery({
  kind: "elementStatus",
  parse: ({ body }, problems) => readStatusBody(body, problems),
  async plan(context, query, { tenant }) {
    const { filter } = query
    const elements = testsStatuses(filter)
      ? elementsOf(context, tenant)
      : (await findElements(context, tenant, filter)).toArray()
    return { ...needOfNewest(context, elements), query }
  },
  async answer(context, { tenant, plan, unflushed }) {
    const { filter } = plan.query
    // A filter by status reads all of them: the columns are then a part of these.
    const all = testsStatuses(filter) ? await readElementStatuses(context, tenant, unflushed) : null
    const elements = (await findElements(context, tenant, filter, all)).toArray()
    const columns =
      all?.columnsOf(elements) ?? (await elementStatuses(context, tenant, elements, unflushed))
    const types = typesOf(context, elements)
    const counts = countsOf(types, columns.levels)
    const silences = await findSilences(context, types, columns)
    const isCounted = plan.query.countsOnly || elements.length > statusElementsMax
    const listed = isCounted ? null : await columnsOf(context, { elements, types, columns })
    const facts = { counts, silences }
    if (listed === null || !plan.query.withCreated) return print(facts, listed)
    const { catalogue } = context.store
    const created = Array.from(elements, (one) => catalogue.elementInfo(one).createdMs)
    return print(facts, { ...listed, created: jsonArray(created, String) })
  },
})

function countsOf({ names, numbers }: ElementTypes, levels: Uint8Array): StatusCounts {
  const width = statusLevels.length
  const counts = new Int32Array(width * names.length)
  numbers.forEach((type, i) => counts[type * width + levels[i]!]!++)
  const types = names.map((type, i) => {
    const own = counts.subarray(i * width, (i + 1) * width)
    return { type, total: sumOf(own), levels: byLevel((level) => own[level]!) }
  })
  const total = (level: number) => sumOf(names.map((_, i) => counts[i * width + level]!))
  return { total: numbers.length, levels: byLevel(total), types }
}

function byLevel(countOf: (level: number) => number): Record<StatusLevel, number> {
  const counts = statusLevels.map((level, number) => [level, countOf(number)])
  return Object.fromEntries(counts) as Record<StatusLevel, number>
}

function sumOf(counts: Iterable<number>): number {
  let sum = 0
  for (const count of counts) sum += count
  return sum
}

/** Each column as JSON. */
async function columnsOf(
  context: QueryContext,
  of: {
    readonly elements: Int32Array
    readonly types: ElementTypes
    readonly columns: ElementStatusColumns
  },
): Promise<Readonly<Record<string, string>>> {
  const { elements, types, columns } = of
  const { store, ids } = context
  const { catalogue } = store
  const percents = await collectedPercents(context, elements)
  const texts = (textOf: (element: number) => string) =>
    JSON.stringify(Array.from(elements, textOf))
  return {
    id: texts((element) => ids.elementId(element)),
    fqn: texts((element) => catalogue.elementFqn(element)),
    name: texts((element) => catalogue.elementInfo(element).name),
    type: jsonArray([...types.numbers], String),
    level: jsonArray([...columns.levels], String),
    openIncidents: jsonArray([...columns.openIncidents], String),
    collectedPercent: jsonArray([...percents], jsonNumber),
    lastSeen: jsonArray([...columns.lastSeenMs], jsonNumber),
  }
}

function print(
  facts: { readonly counts: StatusCounts; readonly silences: readonly Silence[] },
  columns: Readonly<Record<string, string>> | null,
): JsonText {
  return (out, endPiece) => {
    out.text(`${JSON.stringify({ levels: statusLevels, ...facts }).slice(0, -1)},"columns":`)
    if (columns === null) return out.text("null}")
    let separator = "{"
    for (const [name, values] of Object.entries(columns)) {
      out.text(`${separator}"${name}":${values}`)
      endPiece()
      separator = ","
    }
    out.text("}}")
  }
}

/**
 * GET `/search/values`: values of one field of the filter, best ones first (spec/search §6), for
 * fields that complete what is typed. Distinct values are kept, so the memory follows them and not
 * the elements.
 */

import { searchCharactersMax } from "../../base/limits/search.ts"
import type { ElementInfo } from "../../model/element.ts"
import type { TenantIndex } from "../../model/ids.ts"
import { shown, type Problems } from "../../wire/problems.ts"
import type { FoundValues } from "../../wire/search/search-answer.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import { withoutSamples } from "../core/query-plan.ts"
import type { QueryContext } from "../core/query-context.ts"
import { customCollectorName, elementTags } from "../filter/columns.ts"
import { comparable, rankOf, searchTermOf, type SearchTerm } from "../names/rank.ts"
import { readLimit } from "./search-names.ts"

/** Fields without a name of their own; `tag` and `attr` have the names that there are. */
const plainFields = ["type", "location", "collector", "unit", "tag", "attr"] as const
type PlainField = (typeof plainFields)[number]

/** `tag.env` has the values of the tag `env`. */
type ValueField =
  { readonly kind: PlainField } | { readonly kind: "tagValue" | "attrValue"; readonly name: string }

export const searchValues = defineQuery({
  kind: "searchValues",
  parse(input, problems) {
    const asked = new QueryParameters(input.params, problems)
    const field = readField(asked.one("field") ?? "", problems)
    const text = asked.one("q") ?? ""
    if (text.length > searchCharactersMax) {
      problems.add(`q: expected at most ${searchCharactersMax} characters, got ${shown(text)}`)
    }
    const limit = readLimit(asked, problems)
    return field === null ? null : { field, term: searchTermOf(text), limit }
  },
  plan: (_, query) => withoutSamples(query),
  answer(context, { plan, tenant }) {
    const { field, term, limit } = plan.query
    const counts = countValues(context, tenant, field)
    return JSON.stringify(bestValues(context, counts, { term, limit }))
  },
})

function readField(text: string, problems: Problems): ValueField | null {
  const plain = plainFields.find((one) => one === text)
  if (plain !== undefined) return { kind: plain }
  if (text.startsWith("tag.") && text.length > 4) return { kind: "tagValue", name: text.slice(4) }
  if (text.startsWith("attr.") && text.length > 5) return { kind: "attrValue", name: text.slice(5) }
  const accepted = [...plainFields, "tag.NAME", "attr.NAME"].join(", ")
  problems.add(`field: expected one of ${accepted}, got ${shown(text)}`)
  return null
}

/** Values with how many elements have each, or of units how many metrics; "" is no value. */
function countValues(
  context: QueryContext,
  tenant: TenantIndex,
  field: ValueField,
): Map<string, number> {
  if (field.kind === "unit") return countUnits(context, tenant)
  const { catalogue } = context.store
  const counts = new Map<string, number>()
  for (let element = 0; element < catalogue.elementCount; element++) {
    context.budget.step()
    if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue
    for (const text of new Set(textsOf(field, catalogue.elementInfo(element)))) {
      if (text !== "") counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  }
  return counts
}

function textsOf(
  field: Exclude<ValueField, { readonly kind: "unit" }>,
  info: ElementInfo,
): readonly string[] {
  switch (field.kind) {
    case "type":
      return [info.type]
    case "location":
      return [info.location ?? ""]
    case "collector":
      return [customCollectorName]
    case "tag":
      return elementTags(info).map(({ name }) => name)
    case "attr":
      return info.attributes.map(({ name }) => name)
    case "tagValue":
      return elementTags(info).flatMap(({ name, value }) => (name === field.name ? [value] : []))
    case "attrValue":
      return info.attributes.flatMap(({ name, value }) => (name === field.name ? [value] : []))
    default:
      return []
  }
}

/** By definition first: a million metrics have some hundred. */
function countUnits({ store, budget }: QueryContext, tenant: TenantIndex): Map<string, number> {
  const { catalogue } = store
  const byDefinition = new Int32Array(catalogue.definitionCount)
  for (let element = 0; element < catalogue.elementCount; element++) {
    if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue
    for (const series of catalogue.elementSeries(element)) {
      budget.step()
      byDefinition[catalogue.seriesDefinitionIndex(series)]!++
    }
  }
  const counts = new Map<string, number>()
  byDefinition.forEach((count, definition) => {
    const { unit } = catalogue.definition(definition)
    if (count > 0 && unit !== "") counts.set(unit, (counts.get(unit) ?? 0) + count)
  })
  return counts
}

/** By rank, and of one rank those of most elements; without a text all have one rank. */
function bestValues(
  { budget }: QueryContext,
  counts: ReadonlyMap<string, number>,
  { term, limit }: { readonly term: SearchTerm; readonly limit: number },
): FoundValues {
  const matches: { readonly value: string; readonly count: number; readonly rank: number }[] = []
  for (const [value, count] of counts) {
    budget.step()
    const rank = term.text === "" ? 0 : rankOf(comparable(value), term)
    if (rank !== null) matches.push({ value, count, rank })
  }
  matches.sort((one, other) => {
    budget.step()
    return (
      one.rank - other.rank ||
      other.count - one.count ||
      (one.value < other.value ? -1 : one.value > other.value ? 1 : 0)
    )
  })
  const values = matches.slice(0, limit).map(({ value, count }) => ({ value, count }))
  return { total: matches.length, values }
}

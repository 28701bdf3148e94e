/** The field of a query's metric, completed from the names that pass the filters. */

import { useEffect, useMemo, useState } from "preact/hooks"
import { filteredMetricNames, findMetricNames } from "../../api/metric-names.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { countText } from "../../format/numbers.ts"
import { Combobox } from "../../parts/combobox/combobox.tsx"
import { after } from "../../platform/timers.ts"
import { filterGroups, type FilterGroup } from "../../url/filter-groups.ts"
import { parseFilter, type FilterTerm } from "../../url/filter-language.ts"
import type { ExploreQuery } from "./query-codec.ts"
import { metricGroup } from "./series-request.ts"
import { text } from "./text.ts"

export interface MetricFieldProps {
  readonly query: ExploreQuery
  readonly terms: readonly FilterTerm[]
  readonly onMetric: (metric: string) => void
}

/** Between keys; a stale answer is dropped. */
const typedMs = 150
/** More are not read; the note says how many there are. */
const suggestionsMax = 50

export function MetricField({ query, terms, onMetric }: MetricFieldProps) {
  const { api, preferences } = useApp()
  const numbers = preferences.numberStyle.value
  const [typed, setTyped] = useState<string | null>(null)
  const [asked, setAsked] = useState<string | null>(null)
  useEffect(() => after(typedMs, () => setAsked(typed)), [typed])
  const isPlain = isPlainPart(asked ?? "") && terms.length === 0 && query.where === ""
  const body = useMemo(
    () => (asked === null ? null : namesFilter(asked, query.where, terms)),
    [asked, query.where, terms],
  )
  const found = useLoaded(body === null ? null : JSON.stringify(body), (signal) =>
    // The search ranks, and needs no list of all names.
    isPlain ? findMetricNames(api, asked!, signal) : filteredMetricNames(api, body!, signal),
  )
  const total = found.value?.total ?? 0
  const suggestions = useMemo(
    () =>
      (found.value?.names ?? []).slice(0, suggestionsMax).map(({ fqn, elements }) => ({
        value: fqn,
        detail: text.elements(elements, countText(elements, numbers)),
      })),
    [found.value, numbers],
  )
  const note =
    found.value === null
      ? text.loading
      : total === 0
        ? text.noMetric
        : text.metricsFound(total, countText(total, numbers))
  return (
    <Combobox
      label={text.metric}
      placeholder={text.metricPlaceholder}
      value={query.metric}
      suggestions={suggestions}
      note={note}
      onType={setTyped}
      onChoose={onMetric}
    />
  )
}

/** Whether a text is a part of names rather than a wildcard or a regular expression. */
function isPlainPart(typed: string): boolean {
  return typed !== "" && !typed.includes("*") && !typed.startsWith("/")
}

/** Names with the typed text as a part, of elements that pass the filters. */
export function namesFilter(typed: string, where: string, terms: readonly FilterTerm[]) {
  const groups = filterGroups([...terms, ...parseFilter(where).terms])
  const group: FilterGroup = isPlainPart(typed)
    ? { and: true, items: [{ item: typed, queryType: "CONTAINS", literal: false }] }
    : metricGroup(typed === "" ? "*" : typed)
  return { ...groups, metricFqns: group }
}

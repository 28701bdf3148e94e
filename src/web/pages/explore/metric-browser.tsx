/**
 * Names of metrics to begin with: all of them if they are few, otherwise a level of the dotted
 * names at a time; with a filter those that pass it. A name with names below opens them; a name of
 * a metric shows it.
 */

import { useState } from "preact/hooks"
import { filteredMetricNames, metricTree, type MetricTree } from "../../api/metric-names.ts"
import { useApp } from "../../frame/app.ts"
import type { PageFilter } from "../../frame/filter/page-filter.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { holdsAddedAlone, metricName } from "../../format/metric-name.ts"
import { countText } from "../../format/numbers.ts"
import { visibleText } from "../../format/visible-text.ts"
import { Button } from "../../parts/button.tsx"
import { Empty, Problem, Skeleton } from "../../parts/states.tsx"
import type { ExploreView } from "./explore-state.ts"
import style from "./explore.module.css"
import { namesFilter } from "./metric-field.tsx"
import { text } from "./text.ts"

export interface MetricBrowserProps {
  readonly state: ExploreView
  readonly filter: PageFilter
}

interface Entry {
  readonly fqn: string
  readonly name: string
  readonly detail: string
  readonly isLeaf: boolean
  readonly hasMore: boolean
}

/** More are found by typing. */
const entriesMax = 120
/** As many names are read faster than they are opened level by level. */
const flatNamesMax = 60

export function MetricBrowser({ state, filter }: MetricBrowserProps) {
  const [prefix, setPrefix] = useState("")
  const isFiltered = filter.terms.length > 0
  const { entries, isCut, isFormer, error, retry } = useEntries(prefix, filter)
  const choose = (metric: string): void => {
    const [first, ...others] = state.queries
    state.setQueries([{ ...first!, metric }, ...others])
  }
  if (entries === null && error !== null) {
    return (
      <Problem
        title={text.namesFailed}
        sentences={[error.message]}
        retryText={text.retry}
        onRetry={retry}
      />
    )
  }
  if (entries === null) return <Skeleton text={text.loading} rows={8} />
  if (entries.length === 0 && !isFormer) {
    return (
      <Empty reason={isFiltered ? text.noMetricPasses : text.noMetrics}>
        {isFiltered && <Button onClick={() => filter.set("")}>{text.clearFilter}</Button>}
      </Empty>
    )
  }
  return (
    <div class={style["start"]} aria-busy={isFormer || undefined}>
      <h2>{text.start}</h2>
      <p class="secondary">{text.startHint}</p>
      {prefix !== "" && !isFiltered && <Path prefix={prefix} onPrefix={setPrefix} />}
      <ul class={style["names"]}>
        {entries.slice(0, entriesMax).map((entry) => (
          <EntryRow key={entry.fqn} entry={entry} onOpen={setPrefix} onChoose={choose} />
        ))}
      </ul>
      {(isCut || entries.length > entriesMax) && <p class="secondary">{text.truncated}</p>}
    </div>
  )
}

function useEntries(prefix: string, filter: PageFilter) {
  const { api, preferences } = useApp()
  const numbers = preferences.numberStyle.value
  const isFiltered = filter.terms.length > 0
  const body = namesFilter("", "", filter.terms)
  const tree = useLoaded(isFiltered ? null : `tree ${prefix}`, (signal) =>
    metricTree(api, prefix, signal),
  )
  const isFlat = isFiltered || (prefix === "" && tree.value !== null && isFew(tree.value))
  const names = useLoaded(isFlat ? JSON.stringify(body) : null, (signal) =>
    filteredMetricNames(api, body, signal),
  )
  const detail = (count: number) => text.elements(count, countText(count, numbers))
  const nodes = tree.value?.nodes.filter((node) => !holdsAddedAlone(node))
  const ofTree = nodes?.map(({ segment, fqn, isLeaf, children, metrics, elements }): Entry => ({
    fqn,
    name: segment,
    detail: children > 0 ? text.below(countText(metrics, numbers)) : detail(elements),
    isLeaf,
    hasMore: children > 0,
  }))
  const ofFilter = names.value?.names.map(({ fqn, elements }): Entry => ({
    fqn,
    name: metricName(fqn),
    detail: detail(elements),
    isLeaf: true,
    hasMore: false,
  }))
  const used = isFlat ? names : tree
  return {
    entries: (isFlat ? ofFilter : ofTree) ?? null,
    isCut: !isFlat && tree.value?.truncated === true,
    isFormer: used.isFormer,
    error: used.error,
    retry: used.reload,
  }
}

/** Whether all names of a first level and below fit a page. */
function isFew({ nodes, truncated }: MetricTree): boolean {
  const count = nodes.reduce((sum, { children, isLeaf }) => sum + children + Number(isLeaf), 0)
  return !truncated && count <= flatNamesMax
}

interface PathProps {
  readonly prefix: string
  readonly onPrefix: (prefix: string) => void
}

/** The way back up. */
function Path({ prefix, onPrefix }: PathProps) {
  const segments = prefix.split(".")
  return (
    <div class={style["path"]}>
      <Button kind="quiet" onClick={() => onPrefix("")}>
        {text.allNames}
      </Button>
      {segments.map((segment, i) => {
        const isLast = i === segments.length - 1
        const to = segments.slice(0, i + 1).join(".")
        return (
          <span key={to}>
            <span aria-hidden="true">›</span>
            {isLast ? (
              <strong dir="auto">{visibleText(segment)}</strong>
            ) : (
              <Button kind="quiet" onClick={() => onPrefix(to)}>
                {visibleText(segment)}
              </Button>
            )}
          </span>
        )
      })}
    </div>
  )
}

interface EntryRowProps {
  readonly entry: Entry
  readonly onOpen: (fqn: string) => void
  readonly onChoose: (fqn: string) => void
}

/** A name may be both: of a metric, and the start of others. */
function EntryRow({ entry, onOpen, onChoose }: EntryRowProps) {
  const { fqn, name, detail, isLeaf, hasMore } = entry
  const shown = visibleText(name)
  return (
    <li class={style["entry"]}>
      <button
        type="button"
        class={style["nameChoice"]}
        title={visibleText(fqn)}
        onClick={() => (isLeaf ? onChoose(fqn) : onOpen(fqn))}
      >
        <span dir="auto">{isLeaf ? shown : `${shown}.…`}</span>
        <span class="secondary">{detail}</span>
      </button>
      {isLeaf && hasMore && (
        <Button kind="quiet" aria-label={text.openNames(shown)} onClick={() => onOpen(fqn)}>
          …
        </Button>
      )}
    </li>
  )
}

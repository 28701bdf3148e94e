/** The queries of the page, one below the other. */

import plus from "heroicons/20/solid/plus.svg"
import { Button } from "../../parts/button.tsx"
import type { FilterTerm } from "../../url/filter-language.ts"
import type { ExploreView } from "./explore-state.ts"
import style from "./explore.module.css"
import { emptyQuery, queriesMax } from "./query-codec.ts"
import { QueryRow } from "./query-row.tsx"
import { letters } from "./series-request.ts"
import { text } from "./text.ts"

export interface QueryListProps {
  readonly state: ExploreView
  readonly terms: readonly FilterTerm[]
}

export function QueryList({ state: { queries, setQueries }, terms }: QueryListProps) {
  const isFull = queries.length === queriesMax
  return (
    <section class={style["queries"]} aria-label={text.queries}>
      {queries.map((query, i) => (
        <QueryRow
          key={i}
          letter={letters[i]!}
          query={query}
          terms={terms}
          canRemove={queries.length > 1}
          onChange={(changes) => {
            setQueries(queries.map((one, k) => (k === i ? { ...one, ...changes } : one)))
          }}
          onCopy={() => !isFull && setQueries([...queries, query])}
          onRemove={() => setQueries(queries.filter((_, k) => k !== i))}
        />
      ))}
      {!isFull && queries.every(({ metric }) => metric !== "") && (
        <Button kind="quiet" icon={plus} onClick={() => setQueries([...queries, emptyQuery])}>
          {text.add}
        </Button>
      )}
    </section>
  )
}

/** The relations of an element: a layered graph of what is a member of what, and a list. */

import { useMemo } from "preact/hooks"
import { readRelations } from "../../../api/element.ts"
import { elementStatuses } from "../../../api/elements.ts"
import { visibleText } from "../../../format/visible-text.ts"
import { useApp } from "../../../frame/app.ts"
import { useLoaded } from "../../../frame/use-loaded.ts"
import { Segments } from "../../../parts/segments.tsx"
import { Empty, Skeleton } from "../../../parts/states.tsx"
import { servicePath } from "../../../platform/location.ts"
import { stepChoices } from "../element-parameters.ts"
import { Failed } from "../failed.tsx"
import type { MetricTabProps } from "../metrics-tab.tsx"
import { RelationGraph } from "./relation-graph.tsx"
import { RelationList } from "./relation-list.tsx"
import { relationView } from "./relation-view.ts"
import style from "./relations.module.css"
import { text } from "./text.ts"

export function RelationsTab({ element, round, state }: MetricTabProps) {
  const { api } = useApp()
  const { steps } = state.values
  const { value, error, reload } = useLoaded(`${element.id} ${steps} ${round}`, async (signal) => {
    const asked = { idOrFqn: element.id, steps: Number(steps) }
    const view = relationView(await readRelations(api, asked, signal), element.id)
    const ids = view.nodes.flatMap((node) => (node.kind === "element" ? [node.id] : []))
    return { view, statuses: await elementStatuses(api, ids, signal) }
  })
  const isAlone = value !== null && value.view.total <= 1
  return (
    <div class={style["tab"]}>
      <div class={style["tools"]}>
        <span title={text.stepsHint}>{text.steps}</span>
        <Segments
          label={text.steps}
          value={steps}
          options={stepChoices.map((one) => ({ value: one, text: one }))}
          onValue={(next) => state.set({ steps: next })}
        />
        {value !== null && !isAlone && (
          <>
            <span class="secondary" role="status">
              {text.count(value.view.drawn, value.view.total)}
            </span>
            <span class="secondary">{text.legend}</span>
          </>
        )}
      </div>
      {error !== null && <Failed error={error} onRetry={reload} />}
      {value === null && error === null && <Skeleton text={text.loading} rows={8} />}
      {isAlone && (
        <Empty reason={text.none(visibleText(element.name), Number(steps))}>
          <a href={`${servicePath()}/docs/reference`} target="_blank" rel="noreferrer">
            {text.howToSend}
          </a>
        </Empty>
      )}
      {value !== null && !isAlone && <Drawn {...value} isFewest={steps === stepChoices[0]} />}
    </div>
  )
}

interface DrawnProps extends Pick<Parameters<typeof RelationGraph>[0], "view" | "statuses"> {
  /** Whether no smaller graph can be asked for. */
  readonly isFewest: boolean
}

function Drawn({ view, statuses, isFewest }: DrawnProps) {
  // A refetch gives an equal view: nodes keep their places and the focus.
  const key = JSON.stringify([view.nodes, view.memberships])
  const kept = useMemo(() => view, [key])
  return (
    <>
      {kept.drawn < kept.total && <p>{isFewest ? text.cutWithin : text.cut}</p>}
      <div class={style["columns"]}>
        <RelationGraph view={kept} statuses={statuses} />
        <RelationList view={kept} statuses={statuses} />
      </div>
    </>
  )
}

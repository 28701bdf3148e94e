/** Element: one element with its level, metrics, alerts and facts. */

import type { ComponentChildren } from "preact"
import { ApiError } from "../../api/client.ts"
import { readElement } from "../../api/element.ts"
import { elementStatuses } from "../../api/elements.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useCode } from "../../frame/code/use-code.ts"
import { useRound } from "../../frame/live/use-round.ts"
import { LoadingLine } from "../../frame/loading/loading-line.tsx"
import { BrokenNote } from "../../frame/notes/broken-note.tsx"
import { PageHeading } from "../../frame/page-heading.tsx"
import { usePageState } from "../../frame/page-state.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { LinkButton } from "../../parts/button.tsx"
import { Empty, Skeleton } from "../../parts/states.tsx"
import { Tabs } from "../../parts/tabs.tsx"
import { lazyCode } from "../../platform/code.ts"
import { AlertsTab } from "./alerts/alerts-tab.tsx"
import { elementParameters, tabNames } from "./element-parameters.ts"
import { ElementHead } from "./element-head.tsx"
import { Failed } from "./failed.tsx"
import style from "./element.module.css"
import { MetricsTab } from "./metrics-tab.tsx"
import { PoliciesTab } from "./alerts/policies-tab.tsx"
import { SummaryTab } from "./summary-tab.tsx"
import { text } from "./text.ts"

interface ElementPageProps {
  /** Named parts of the path. */
  readonly params: Readonly<Record<string, string>>
}

export default function ElementPage({ params }: ElementPageProps) {
  const { api } = useApp()
  const fqn = params["fqn"] ?? ""
  const state = usePageState(elementParameters)
  const { round, reload } = useRound(["cycle", "incident", "check"])
  const loaded = useLoaded(`${fqn} ${round}`, async (signal) => {
    const element = await readElement(api, fqn, signal)
    const statuses = await elementStatuses(api, [element.id], signal)
    return { element, status: statuses.get(element.id) ?? null }
  })
  const { value, error } = loaded
  const isMissing = error instanceof ApiError && error.status === 404
  const shown = value !== null && [value.element.fqn, value.element.id].includes(fqn) ? value : null
  if (isMissing || shown === null) {
    return (
      <>
        <PageHeading text={visibleText(fqn)} />
        <LoadingLine loading={loaded} text={text.loading} />
        {isMissing && (
          <Empty reason={text.missing(visibleText(fqn))}>
            <LinkButton href="inventory">{text.toInventory}</LinkButton>
          </Empty>
        )}
        {error !== null && !isMissing && <Failed error={error} onRetry={reload} />}
        {error === null && <Skeleton text={text.loading} />}
      </>
    )
  }
  const { element, status } = shown
  const { tab } = state.values
  return (
    <div class={style["page"]}>
      <LoadingLine loading={loaded} text={text.loading} />
      <ElementHead
        {...{ element, status, round }}
        alertsAddress={state.addressWith({ tab: "alerts", metric: "" })}
        onChanged={reload}
      />
      <BrokenNote names={state.broken} />
      {error !== null && <Failed error={error} onRetry={reload} />}
      <Tabs
        label={text.tabsLabel}
        tabs={tabNames.map((name) => ({ name, text: text.tabs[name] }))}
        shown={tab}
        onShow={(name) => state.set({ tab: name, metric: "" })}
      >
        {tab === "summary" && <SummaryTab {...{ element, round, state }} />}
        {tab === "metrics" && <MetricsTab {...{ element, round, state }} />}
        {tab === "alerts" && <AlertsTab element={element} round={round} />}
        {tab === "policies" && <PoliciesTab element={element} round={round} />}
        {tab === "relations" && (
          <LatePart key={tab} name={tab} load={loadRelations}>
            {({ RelationsTab }) => <RelationsTab {...{ element, round, state }} />}
          </LatePart>
        )}
        {tab === "details" && (
          <LatePart key={tab} name={tab} load={loadDetails}>
            {({ DetailsTab }) => <DetailsTab element={element} onChanged={reload} />}
          </LatePart>
        )}
      </Tabs>
    </div>
  )
}

const loadDetails = lazyCode(() => import("./details-tab.tsx"))
/** With 16 kB of scripts for their layout. */
const loadRelations = lazyCode(() => import("./relations/relations-tab.tsx"))

interface LatePartProps<Module> {
  readonly name: string
  readonly load: () => Promise<Module>
  readonly children: (module: Module) => ComponentChildren
}

/** A tab whose scripts are loaded when it is opened, or when nothing else is. */
function LatePart<Module>({ name, load, children }: LatePartProps<Module>) {
  const { value, error, reload } = useCode(name, load)
  if (error !== null) return <Failed error={error} onRetry={reload} />
  if (value === null) return <Skeleton text={text.loading} rows={8} />
  return <>{children(value)}</>
}

/** Element: one element with its level, metrics, alerts and facts. */

import { useState } from "preact/hooks"
import { ApiError } from "../../api/client.ts"
import { readElement } from "../../api/element.ts"
import { elementStatuses } from "../../api/elements.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useHotkeys } from "../../frame/use-hotkeys.ts"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { PageHeading } from "../../frame/page-heading.tsx"
import { usePageState } from "../../frame/page-state.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { LinkButton } from "../../parts/button.tsx"
import { Empty, LoadingLine, Skeleton } from "../../parts/states.tsx"
import { Tabs } from "../../parts/tabs.tsx"
import { wordParameter, type Definition } from "../../url/parameters.ts"
import { AlertsTab } from "./alerts-tab.tsx"
import { DetailsTab } from "./details-tab.tsx"
import { ElementHead } from "./element-head.tsx"
import { Failed } from "./failed.tsx"
import style from "./element.module.css"
import { MetricsTab } from "./metrics-tab.tsx"
import { text } from "./text.ts"

const tabNames = ["metrics", "alerts", "details"] as const

const elementParameters = { tab: wordParameter(tabNames, "metrics") } satisfies Definition

interface ElementPageProps {
  /** Named parts of the path. */
  readonly params: Readonly<Record<string, string>>
}

export default function ElementPage({ params }: ElementPageProps) {
  const { api } = useApp()
  const fqn = params["fqn"] ?? ""
  const state = usePageState(elementParameters)
  const [round, setRound] = useState(0)
  const reload = (): void => setRound((count) => count + 1)
  useHotkeys([{ keys: "r", text: text.refetch, group: "page", run: reload }])
  useReloadOn(["cycle", "incident", "check"], reload)
  const { value, error, isLoading } = useLoaded(`${fqn} ${round}`, async (signal) => {
    const element = await readElement(api, fqn, signal)
    const statuses = await elementStatuses(api, [element.id], signal)
    return { element, status: statuses.get(element.id) ?? null }
  })
  const isMissing = error instanceof ApiError && error.status === 404
  const shown = value !== null && [value.element.fqn, value.element.id].includes(fqn) ? value : null
  if (isMissing || shown === null) {
    return (
      <>
        <PageHeading text={visibleText(fqn)} />
        <LoadingLine isLoading={isLoading} text={text.loading} />
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
      <LoadingLine isLoading={isLoading} text={text.loading} />
      <ElementHead element={element} status={status} onChanged={reload} />
      {error !== null && <Failed error={error} onRetry={reload} />}
      <Tabs
        label={text.tabsLabel}
        tabs={tabNames.map((name) => ({ name, text: text.tabs[name] }))}
        shown={tab}
        onShow={(name) => state.set({ tab: name })}
      >
        {tab === "metrics" && <MetricsTab element={element} round={round} />}
        {tab === "alerts" && <AlertsTab element={element} round={round} />}
        {tab === "details" && <DetailsTab element={element} round={round} />}
      </Tabs>
    </div>
  )
}

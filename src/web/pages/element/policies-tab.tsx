/** The policies that watch an element. */

import { readPolicies } from "../../api/element.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Empty, Skeleton } from "../../parts/states.tsx"
import { Failed } from "./failed.tsx"
import style from "./element.module.css"
import type { TabProps } from "./metrics-tab.tsx"
import { text } from "./text.ts"

export function PoliciesTab({ element: { fqn }, round }: TabProps) {
  const { api } = useApp()
  const { value, error, reload } = useLoaded(`${fqn} ${round}`, (signal) =>
    readPolicies(api, fqn, signal),
  )
  if (value === null && error !== null) return <Failed error={error} onRetry={reload} />
  if (value === null) return <Skeleton text={text.loading} rows={2} />
  if (value.length === 0) return <Empty reason={text.noPolicies} />
  return (
    <>
      {error !== null && <Failed error={error} onRetry={reload} />}
      <ul class={style["others"]} aria-label={text.policies}>
        {value.map(({ id, name, enabled }) => (
          <li key={id}>
            <span dir="auto">{visibleText(name)}</span>
            <span class="secondary">{enabled ? text.enabled : text.disabled}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The facts about an element: names, attributes, and the policies that watch it. */

import { readPolicies } from "../../api/element.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Skeleton } from "../../parts/states.tsx"
import { Failed } from "./failed.tsx"
import style from "./element.module.css"
import type { TabProps } from "./metrics-tab.tsx"
import { text } from "./text.ts"

export function DetailsTab({ element, round }: TabProps) {
  const { fqn, id, type, location, attributes } = element
  const facts = [
    [text.fqn, fqn],
    [text.id, id],
    [text.type, type],
    [text.location, location ?? text.noValue],
  ] as const
  return (
    <div class={style["part"]}>
      <Facts facts={facts} />
      <h2>{text.attributes}</h2>
      {attributes.length === 0 ? (
        <p class="secondary">{text.noAttributes}</p>
      ) : (
        <Facts facts={attributes.map(({ name, value }) => [name, value])} />
      )}
      <h2>{text.policies}</h2>
      <Policies fqn={fqn} round={round} />
    </div>
  )
}

function Facts({ facts }: { readonly facts: readonly (readonly [string, string])[] }) {
  return (
    <dl class={style["list"]}>
      {facts.map(([name, value]) => (
        <div key={name} class={style["fact"]}>
          <dt dir="auto">{visibleText(name)}</dt>
          <dd dir="auto">{visibleText(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Policies({ fqn, round }: { readonly fqn: string; readonly round: number }) {
  const { api } = useApp()
  const { value, error, reload } = useLoaded(`${fqn} ${round}`, (signal) =>
    readPolicies(api, fqn, signal),
  )
  if (value === null && error !== null) return <Failed error={error} onRetry={reload} />
  if (value === null) return <Skeleton text={text.loading} rows={2} />
  if (value.length === 0) return <p class="secondary">{text.noPolicies}</p>
  return (
    <>
      {error !== null && <Failed error={error} onRetry={reload} />}
      <ul class={style["part"]}>
        {value.map(({ id, name, enabled }) => (
          <li key={id} dir="auto">
            {visibleText(name)}{" "}
            <span class="secondary">{enabled ? text.enabled : text.disabled}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

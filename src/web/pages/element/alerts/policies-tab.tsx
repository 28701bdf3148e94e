/** The policies that watch an element: what each of them watches, and whether it fires now. */

import { readFiring, readPolicies, type Element } from "../../../api/element.ts"
import type { ElementPolicy, FiringIncident } from "../../../api/incident/watching.ts"
import { agoText, timeText } from "../../../format/times.ts"
import { visibleText } from "../../../format/visible-text.ts"
import { useApp } from "../../../frame/app.ts"
import { useLoaded } from "../../../frame/use-loaded.ts"
import { LevelMark } from "../../../parts/level-mark.tsx"
import { Empty, Skeleton } from "../../../parts/states.tsx"
import { alertsOfPolicy } from "../../../url/alerts-address.ts"
import { incidentAddress } from "../../../url/incident-address.ts"
import { Failed } from "../failed.tsx"
import style from "../element.module.css"
import type { TabProps } from "../metrics-tab.tsx"
import { levelOfPolicy, policyWords } from "./policy-words.ts"
import { text } from "../text.ts"

export function PoliciesTab({ element, round }: TabProps) {
  const { api } = useApp()
  const { fqn } = element
  const { value, error, reload } = useLoaded(`${fqn} ${round}`, async (signal) => {
    const [policies, firing] = await Promise.all([
      readPolicies(api, fqn, signal),
      readFiring(api, fqn, signal),
    ])
    return { policies, firing }
  })
  if (value === null && error !== null) return <Failed error={error} onRetry={reload} />
  if (value === null) return <Skeleton text={text.loading} rows={2} />
  const { policies, firing } = value
  return (
    <>
      {error !== null && <Failed error={error} onRetry={reload} />}
      {policies.length === 0 && <Empty reason={text.noPolicies} />}
      {policies.length > 0 && (
        <ul class={style["policies"]} aria-label={text.policies}>
          {policies.map((policy) => (
            <Policy key={policy.id} {...{ policy, element }} incident={firing.get(policy.id)} />
          ))}
        </ul>
      )}
    </>
  )
}

interface PolicyProps {
  readonly policy: ElementPolicy
  readonly element: Element
  /** Undefined if the policy does not fire. */
  readonly incident: FiringIncident | undefined
}

function Policy({ policy, element, incident }: PolicyProps) {
  const numbers = useApp().preferences.numberStyle.value
  const { id, name, enabled } = policy
  const level = levelOfPolicy(policy)
  const { opening, conditions } = policyWords(policy, element.units, numbers)
  return (
    <li>
      <div class={style["policyHead"]}>
        <LevelMark level={level} word={text.levels[level]} isAlone />
        <a class={style["policyName"]} href={alertsOfPolicy(id, "all")} dir="auto">
          {visibleText(name)}
        </a>
        {incident !== undefined ? (
          <Firing incident={incident} />
        ) : (
          <span class="secondary">{enabled ? text.quiet : text.disabled}</span>
        )}
      </div>
      <p class={style["watched"]} dir="auto">
        {opening !== "" && <span class="secondary">{opening}: </span>}
        {visibleText(conditions.join("; "))}
      </p>
    </li>
  )
}

function Firing({ incident: { incidentId, tsFirstFired } }: { readonly incident: FiringIncident }) {
  const { clock, ranges } = useApp()
  return (
    <a
      class={style["firing"]}
      href={incidentAddress(incidentId)}
      title={timeText(tsFirstFired, ranges.current.value.style, true)}
    >
      {text.firing(agoText(tsFirstFired, clock.nowMs()))}
    </a>
  )
}

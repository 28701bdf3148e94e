/** The right side: whether data arrives, from where, and what to do next. */

import type { FirstStepsStatus } from "../../api/first-steps.ts"
import { RowSpark } from "../../chart/small/row-spark.tsx"
import { useApp } from "../../frame/app.ts"
import { valueText } from "../../format/numbers.ts"
import { clockText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { LinkButton } from "../../parts/button.tsx"
import { servicePath, serviceUrl } from "../../platform/location.ts"
import { elementAddress } from "../../url/element-address.ts"
import { metricAddress } from "../../url/explore-address.ts"
import { text } from "./text.ts"
import { shownMetricsMax, type Arrivals } from "./use-arrivals.ts"
import style from "./welcome.module.css"

interface ArrivalsSectionProps {
  readonly status: FirstStepsStatus
  readonly arrivals: Arrivals
  /** Elements of the account. */
  readonly elements: number
}

export function ArrivalsSection({ status, arrivals, elements }: ArrivalsSectionProps) {
  const { ingest } = arrivals
  return (
    <section class={style["section"]}>
      <h2>{text.arrives}</h2>
      <div role="status">
        {ingest === null ? (
          <p class={style["waiting"]}>{elements === 0 ? text.waiting : text.waitingMore}</p>
        ) : (
          <p class={style["arriving"]}>{text.arriving}</p>
        )}
      </div>
      {ingest === null ? (
        <Known elements={elements} lastSample={status.ingest.lastSample} />
      ) : (
        <Arrived arrivals={arrivals} elements={elements} />
      )}
      <NextSteps elements={elements} />
      <Trouble status={status} />
    </section>
  )
}

interface KnownProps {
  readonly elements: number
  readonly lastSample: string | null
}

function Known({ elements, lastSample }: KnownProps) {
  const { preferences } = useApp()
  if (elements === 0) return null
  const times = preferences.timeStyle.value
  return (
    <p>
      {text.known(elements)}{" "}
      {lastSample !== null && text.lastAt(clockText(Date.parse(lastSample), times, true))}
    </p>
  )
}

type ArrivedProps = Pick<ArrivalsSectionProps, "arrivals" | "elements">

function Arrived({ arrivals: { ingest, element, points }, elements }: ArrivedProps) {
  const numbers = useApp().preferences.numberStyle.value
  if (ingest === null) return null
  const { samples, requests, keyName, newestElement } = ingest
  const shownKey = keyName === null ? null : visibleText(keyName)
  const metrics = element?.metrics ?? []
  return (
    <>
      {newestElement !== null && (
        <p>
          {text.newest} <strong dir="auto">{visibleText(newestElement.name)}</strong>
          {metrics.length > 0 && text.metricsOf(metrics.length)}.
        </p>
      )}
      <ul class={style["metrics"]}>
        {metrics.slice(0, shownMetricsMax).map(({ id, fqn, unit }) => {
          const own = points.get(id) ?? []
          return (
            <li key={id}>
              <span dir="auto">{visibleText(fqn)}</span>
              <RowSpark values={own.map(([, value]) => value)} />
              <strong>{valueText(own.at(-1)?.[1] ?? null, unit, numbers)}</strong>
            </li>
          )
        })}
      </ul>
      {metrics.length > shownMetricsMax && (
        <p class="secondary">{text.moreMetrics(metrics.length - shownMetricsMax)}</p>
      )}
      <p class="secondary">{text.inAll({ samples, requests, keyName: shownKey, elements })}</p>
      <div class={style["buttons"]}>
        {newestElement !== null && (
          <LinkButton kind="main" href={elementAddress(newestElement.fqn)}>
            {text.open(visibleText(newestElement.name))}
          </LinkButton>
        )}
        <LinkButton href={arrivedAddress(metrics[0]?.fqn)}>{text.explore}</LinkButton>
      </div>
    </>
  )
}

function arrivedAddress(metricFqn: string | undefined): string {
  if (metricFqn === undefined) return "explore"
  return metricAddress(metricFqn, { from: "now-15m" })
}

function NextSteps({ elements }: { readonly elements: number }) {
  const docs = `${servicePath()}/docs`
  const links = [
    { name: text.steps.notification, address: `${docs}/notifications` },
    { name: text.steps.policy, address: `${docs}/getting-started#open-an-incident` },
    { name: text.steps.people, address: `${docs}/accounts` },
  ]
  return (
    <>
      <h3>{text.next}</h3>
      <ul class={style["steps"]}>
        <li>
          {text.steps.second}
          {elements > 1 && <span class="secondary"> ({text.done})</span>}
        </li>
        {links.map(({ name, address }) => (
          <li key={address}>
            <a href={address} target="_blank" rel="noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Refused requests are shown to administrators of the first account only. */
function Trouble({ status: { server, baseUrl } }: { readonly status: FirstStepsStatus }) {
  const { preferences } = useApp()
  const refused = server?.lastRefused ?? null
  const times = preferences.timeStyle.value
  return (
    <>
      {server !== undefined && (
        <p>
          {text.trouble}{" "}
          {refused === null
            ? text.noRefusal
            : text.refused(
                clockText(Date.parse(refused.time), times, true),
                refused.status,
                refused.reason,
              )}
        </p>
      )}
      <div class="secondary">
        <p>{text.onlyLooking}</p>
        <code class={style["command"]}>{text.demo(baseUrl ?? serviceUrl())}</code>
      </div>
    </>
  )
}

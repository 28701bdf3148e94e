/** Messages about an incident, the newest first: delivered, waiting or failed, and why. */

import type { IncidentDelivery } from "../../api/incident/incident-answer.ts"
import { shortTimeText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import style from "./incident.module.css"
import { text } from "./text.ts"

interface DeliveriesSectionProps {
  readonly deliveries: readonly IncidentDelivery[]
}

export function DeliveriesSection({ deliveries }: DeliveriesSectionProps) {
  return (
    <section class={style["section"]}>
      <h2>{text.deliveries}</h2>
      {deliveries.length === 0 ? (
        <p class="secondary">{text.noDeliveries}</p>
      ) : (
        <ul class={style["list"]} aria-label={text.deliveries}>
          {deliveries.toReversed().map((one, i) => (
            <DeliveryRow key={deliveries.length - i} delivery={one} />
          ))}
        </ul>
      )}
    </section>
  )
}

function DeliveryRow({ delivery }: { readonly delivery: IncidentDelivery }) {
  const { clock, preferences } = useApp()
  const times = preferences.timeStyle.value
  const short = (ms: number) => shortTimeText(ms, clock.nowMs(), times)
  const { notificationId, notificationName, notificationType, time, step, state } = delivery
  const { retryTime, reason } = delivery
  const name = notificationName ?? notificationType ?? text.removed(notificationId)
  return (
    <li class={style["row"]}>
      <span class={style[state]} aria-hidden="true">
        {text.deliverySigns[state]}
      </span>
      <span class="secondary" title={timeText(time, times, true)}>
        {short(time)}
      </span>
      <span>
        <bdi>{visibleText(name)}</bdi> {text.steps[step]},{" "}
        <span class={style[state]}>{text.deliveryStates[state]}</span>
        {retryTime !== null && `, ${text.nextAttempt(short(retryTime))}`}
        {reason !== null && (
          <span class={style["reason"]} dir="auto">
            {visibleText(reason)}
          </span>
        )}
      </span>
    </li>
  )
}

/** The head of an element: level, name, tags, what is known of its data, and what can be done. */

import { useEffect, useState } from "preact/hooks"
import { readChecks, type Element } from "../../api/element.ts"
import { tagText } from "../../api/element-words.ts"
import { changeElements, type BulkChange, type ElementStatus } from "../../api/elements.ts"
import { agoText, durationText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { PageHeading } from "../../frame/page-heading.tsx"
import { mayWrite } from "../../frame/session/session.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Button, LinkButton } from "../../parts/button.tsx"
import { ConfirmDialog } from "../../parts/dialog.tsx"
import { LevelMark } from "../../parts/level-mark.tsx"
import { Menu } from "../../parts/menu.tsx"
import { TagList } from "../../parts/tags/tag-list.tsx"
import { every } from "../../platform/timers.ts"
import style from "./element.module.css"
import { exploreAddress } from "./explore-address.ts"
import { text } from "./text.ts"

interface ElementHeadProps {
  /** Another number loads again. */
  readonly round: number
  readonly element: Element
  /** Null if the element was deleted meanwhile. */
  readonly status: ElementStatus | null
  /** The address of the tab of its alerts. */
  readonly alertsAddress: string
  readonly onChanged: () => void
}

export function ElementHead({
  element,
  status,
  round,
  alertsAddress,
  onChanged,
}: ElementHeadProps) {
  const { session } = useApp()
  const { name, type, location, tags, fqn } = element
  return (
    <header class={style["head"]}>
      <div class={style["titleRow"]}>
        <div class={style["title"]}>
          {status !== null && <LevelMark level={status.level} word={text.levels[status.level]} />}
          <PageHeading text={visibleText(name)} />
          <span class="secondary" dir="auto">
            {visibleText([type, location ?? ""].filter((part) => part !== "").join(" · "))}
          </span>
        </div>
        <div class={style["actions"]}>
          <LinkButton href={exploreAddress({ metric: "*", elementFqn: fqn })}>
            {text.explore}
          </LinkButton>
          {mayWrite(session.user) && <Actions element={element} onChanged={onChanged} />}
        </div>
      </div>
      <p class={style["facts"]}>
        <Facts {...{ element, status, alertsAddress }} />
        <Checks fqn={fqn} round={round} />
      </p>
      <TagList label={text.tags} tags={tags.map(tagText)} />
    </header>
  )
}

type FactsProps = Pick<ElementHeadProps, "element" | "status" | "alertsAddress">

function Facts({ element, status, alertsAddress }: FactsProps) {
  const { clock, preferences } = useApp()
  const times = preferences.timeStyle.value
  const seenMs = status?.lastSeen ?? null
  const percent = status?.collectedPercent ?? null
  const open = status?.openIncidents ?? 0
  return (
    <>
      <span>{text.metrics(element.units.size)}</span>
      {percent !== null && <span>{text.collected(percent)}</span>}
      {seenMs === null ? (
        <span>{status?.level === "noData" ? text.neverSeen : text.notSeenYet}</span>
      ) : (
        <span title={timeText(seenMs, times)}>{text.lastSeen(agoText(seenMs, clock.nowMs()))}</span>
      )}
      {open > 0 && <a href={alertsAddress}>{text.openAlerts(open)}</a>}
    </>
  )
}

/** Its checks with the time that each has left. */
function Checks({ fqn, round }: { readonly fqn: string; readonly round: number }) {
  const { api, clock } = useApp()
  const { value } = useLoaded(`${fqn} ${round}`, (signal) => readChecks(api, fqn, signal))
  const [, tick] = useState(0)
  const hasChecks = value !== null && value.length > 0
  useEffect(
    () => (hasChecks ? every(tickMs, () => tick((count) => count + 1)) : undefined),
    [hasChecks],
  )
  const nowMs = clock.nowMs()
  return (
    <>
      {(value ?? []).map(({ id, name, expires }) => {
        const leftMs = Date.parse(expires) - nowMs
        const [level, words] =
          leftMs > 0
            ? (["ok", text.checkLeft(visibleText(name), durationText(leftMs))] as const)
            : (["warning", text.checkExpired(visibleText(name), durationText(-leftMs))] as const)
        return (
          <span key={id} class={style["check"]} dir="auto">
            <LevelMark level={level} word={words} />
          </span>
        )
      })}
    </>
  )
}

/** Seconds are shown. */
const tickMs = 1_000
const hourMs = 3_600_000

function Actions({ element, onChanged }: Pick<ElementHeadProps, "element" | "onChanged">) {
  const { api, clock, navigation, toasts } = useApp()
  const [isDeleting, setDeleting] = useState(false)
  const { fqn, name } = element
  const change = (what: BulkChange, done: () => void): void => {
    changeElements(api, { fqns: [fqn] }, what).then(
      ({ failed: [failure] }) => {
        if (failure === undefined) done()
        else toasts.show(failure.error, "error")
      },
      (error: Error) => toasts.show(error.message, "error"),
    )
  }
  const maintain = (until: object) => () =>
    change({ action: "startMaintenance", ...until }, () => {
      toasts.show(text.changed)
      onChanged()
    })
  const hours = (count: number) => ({ until: Math.round(clock.nowMs() + count * hourMs) })
  const stop = (): void =>
    change({ action: "stopMaintenance" }, () => {
      toasts.show(text.changed)
      onChanged()
    })
  const remove = (): void =>
    change({ action: "delete" }, () => {
      toasts.show(text.deleted(visibleText(name)))
      navigation.push("inventory")
    })
  const { maintenanceFor } = text
  return (
    <>
      <Menu
        align="end"
        items={[
          { text: maintenanceFor.hour, run: maintain(hours(1)) },
          { text: maintenanceFor.four, run: maintain(hours(4)) },
          { text: maintenanceFor.day, run: maintain(hours(24)) },
          { text: maintenanceFor.open, run: maintain({}) },
          { text: text.stopMaintenance, run: stop },
        ]}
      >
        {text.maintenance}
      </Menu>
      <Button kind="danger" onClick={() => setDeleting(true)}>
        {text.delete}
      </Button>
      {isDeleting && (
        <ConfirmDialog
          title={text.deleteTitle(visibleText(name))}
          closeName={text.close}
          text={text.deleteText}
          cancelText={text.cancel}
          confirmText={text.deleteNow}
          onClose={() => setDeleting(false)}
          onConfirm={remove}
        />
      )}
    </>
  )
}

/** Cells of a group of alerts: its name with the number, and its newest alerts as chips. */

import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { ListedIncident } from "../../api/incident/listed.ts"
import { visibleText } from "../../format/visible-text.ts"
import { wholeText } from "../../format/words.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { incidentAddress } from "../../url/incident-address.ts"
import type { GroupedBy, GroupLine } from "./alert-row.ts"
import style from "./alerts.module.css"
import { text } from "./text.ts"

type GroupCellProps = { readonly row: GroupLine }

export function nameOfAlert(
  { policyName, elementName }: Pick<ListedIncident, "policyName" | "elementName">,
  by: GroupedBy,
): string {
  return visibleText(by === "policy" ? (policyName ?? text.unnamedPolicy) : elementName)
}

/** The name of a group is that in its newest alert. */
export function nameOfGroup({ by, group }: Pick<GroupLine, "by" | "group">): string {
  const [newest] = group.incidents
  return newest === undefined ? text.noValue : nameOfAlert(newest, by)
}

export function GroupNameCell({ row }: GroupCellProps) {
  const name = nameOfGroup(row)
  return (
    <button
      type="button"
      class={style["groupName"]}
      aria-expanded={row.isOpen}
      title={name}
      onClick={row.onToggle}
    >
      <span class={style["sign"]} aria-hidden="true">
        {row.isOpen ? "▾" : "▸"}
      </span>
      <bdi>{name}</bdi>
      <span class={style["count"]}>
        {wholeText(row.group.count)}
        <span class="visually-hidden"> {text.alertsOfGroup(row.group.count)}</span>
      </span>
    </button>
  )
}

/** The names that fit, each whole; a button tells how many more there are, and opens the group. */
export function GroupChipsCell({ row }: GroupCellProps) {
  const { by, group, isOpen, listAddress, onToggle } = row
  const other = by === "policy" ? "element" : "policy"
  const holder = useRef<HTMLSpanElement>(null)
  const fitting = useFittingCount(holder, group.incidents.length)
  if (isOpen) {
    return listAddress === null ? null : <a href={listAddress}>{text.listAll(group.count)}</a>
  }
  const more = group.count - Math.min(fitting, group.incidents.length)
  return (
    <span class={style["chipRow"]}>
      <span ref={holder} class={style["chips"]}>
        {group.incidents.map((one, i) => (
          <a
            key={one.incidentId}
            class={style["chip"]}
            href={incidentAddress(one.incidentId)}
            title={nameOfAlert(one, other)}
            dir="auto"
            // Chips of a line that is cut off get no focus.
            tabIndex={i < fitting ? undefined : -1}
            aria-hidden={i < fitting ? undefined : true}
          >
            {one.level !== group.level && (
              <LevelMark level={one.level} word={text.levels[one.level]} isAlone />
            )}
            <span class={style["chipName"]}>{nameOfAlert(one, other)}</span>
          </a>
        ))}
      </span>
      {more > 0 && (
        <button
          type="button"
          class={style["more"]}
          aria-label={text.moreOf(more, nameOfGroup(row))}
          onClick={onToggle}
        >
          {text.more(more)}
        </button>
      )}
    </span>
  )
}

/** The number of children of a wrapping holder that are in its first line. */
function useFittingCount(holder: { readonly current: HTMLElement | null }, count: number): number {
  const [fitting, setFitting] = useState(count)
  useLayoutEffect(() => {
    const element = holder.current
    if (element === null) return undefined
    const read = (): void => {
      const children = [...element.children] as HTMLElement[]
      const top = children[0]?.offsetTop
      setFitting(children.filter(({ offsetTop }) => offsetTop === top).length)
    }
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => observer.disconnect()
  }, [holder.current, count])
  return fitting
}

/**
 * Rows of events; the title of one opens what it holds, that of a group its events. `j` and `k`
 * move between them.
 */

import { useMemo, useRef, useState } from "preact/hooks"
import { tagText } from "../../api/element-words.ts"
import { eventEndMs, type ListedEvent } from "../../api/event/event-answer.ts"
import { groupEvents, type EventGroup, type EventsBy } from "../../api/event/event-groups.ts"
import { shortTimeText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useHotkeys } from "../../frame/use-hotkeys.ts"
import { classNames } from "../../parts/class-names.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { TagList } from "../../parts/tags/tag-list.tsx"
import { wholeText } from "../../format/words.ts"
import { elementAddress } from "../../url/element-address.ts"
import style from "./events.module.css"
import { comparedValue } from "./event-value.ts"
import { text } from "./text.ts"

export interface EventListProps {
  readonly events: readonly ListedEvent[]
  readonly hasOlder: boolean
  /** "policy" for the events of one element, which is then not named. */
  readonly by: EventsBy
}

export function EventList({ events, hasOlder, by }: EventListProps) {
  const list = useRef<HTMLUListElement>(null)
  const move = (step: number) => (): void => {
    const titles = [...(list.current?.querySelectorAll<HTMLElement>("[data-title]") ?? [])]
    const row = document.activeElement?.closest("li")
    const at = titles.findIndex((title) => title.closest("li") === row)
    titles[Math.max(0, Math.min(titles.length - 1, at + step))]?.focus()
  }
  useHotkeys([
    { keys: "j", text: text.keys.next, group: "list", run: move(1) },
    { keys: "k", text: text.keys.previous, group: "list", run: move(-1) },
  ])
  return (
    <ul
      ref={list}
      class={classNames(style["list"], by === "policy" && style["ofElement"])}
      aria-label={text.list}
    >
      {groupEvents(events, hasOlder, by).map((group) =>
        group.events.length > 1 || group.isCut ? (
          <GroupRow key={group.key} group={group} by={by} />
        ) : (
          <EventRow key={group.key} event={group.events[0]} by={by} />
        ),
      )}
    </ul>
  )
}

function When({ timestamp }: Pick<ListedEvent, "timestamp">) {
  const { clock, ranges } = useApp()
  const { style: times } = ranges.current.value
  return (
    <span class={style["when"]} title={timeText(timestamp, times, true)}>
      {shortTimeText(timestamp, clock.nowMs(), times)}
    </span>
  )
}

interface GroupRowProps extends Pick<EventListProps, "by"> {
  readonly group: EventGroup<ListedEvent>
}

function GroupRow({ group: { events, level, isCut }, by }: GroupRowProps) {
  const [isOpen, setOpen] = useState(false)
  const [{ timestamp, policy }] = events
  const name = visibleText(policy?.name ?? text.noValue)
  const elements = new Set(events.map(({ elementFqn }) => elementFqn)).size
  return (
    <li class={style["event"]}>
      <div class={style["row"]}>
        <LevelMark level={level} word={text.levels[level]} isAlone />
        <When timestamp={timestamp} />
        <span class={style["what"]}>
          <button
            type="button"
            data-title
            class={style["open"]}
            aria-expanded={isOpen}
            title={name}
            onClick={() => setOpen(!isOpen)}
          >
            <bdi>{name}</bdi>{" "}
            <span class={style["count"]}>
              {wholeText(events.length)}
              {isCut ? "+" : ""}
            </span>
          </button>
          {by === "policy" && <Value event={events[0]} />}
        </span>
        {by === "cycle" && <span class={style["who"]}>{text.elements(elements, isCut)}</span>}
        <span class={style["source"]}>{text.policySource}</span>
      </div>
      {isOpen && (
        <ul class={style["below"]} aria-label={text.firingsOf(name)}>
          {events.map((event) => (
            <EventRow key={event.id} event={event} by={by} />
          ))}
        </ul>
      )}
    </li>
  )
}

interface EventRowProps extends Pick<EventListProps, "by"> {
  readonly event: ListedEvent
}

function EventRow({ event, by }: EventRowProps) {
  const [isOpen, setOpen] = useState(false)
  const { timestamp, category, title, source, policy, data } = event
  const name = visibleText(title ?? policy?.name ?? text.noValue)
  const tags = event.tags.map(tagText)
  const message = typeof data["message"] === "string" ? visibleText(data["message"]) : ""
  return (
    <li class={style["event"]}>
      <div class={style["row"]}>
        <LevelMark level={category.name} word={text.levels[category.name]} isAlone />
        <When timestamp={timestamp} />
        <span class={style["what"]}>
          <button
            type="button"
            data-title
            class={style["open"]}
            aria-expanded={isOpen}
            title={name}
            onClick={() => setOpen(!isOpen)}
          >
            <bdi>{name}</bdi>
          </button>
          <Until event={event} />
          <TagList label={text.tags} tags={tags} />
          <Value event={event} />
          <span class={style["message"]} dir="auto">
            {message}
          </span>
        </span>
        {by === "cycle" && <Element event={event} />}
        <span class={style["source"]} dir="auto">
          {visibleText(source ?? (policy === null ? "" : text.policySource))}
        </span>
      </div>
      {isOpen && (
        <div class={style["opened"]}>
          <WholeSpan event={event} />
          <TagList label={text.tags} tags={tags} />
          <pre class={style["data"]} tabIndex={0} role="region" aria-label={name}>
            {lines(JSON.stringify(data, null, 2))}
          </pre>
        </div>
      )}
    </li>
  )
}

interface PartProps {
  readonly event: ListedEvent
}

function Element({ event: { elementFqn, elementName } }: PartProps) {
  if (elementFqn === "") return <span class={style["who"]}>{text.everything}</span>
  return (
    <a class={style["who"]} href={elementAddress(elementFqn)} dir="auto">
      {visibleText(elementName)}
    </a>
  )
}

/** The value that its policy compared; nothing for other events. */
function Value({ event }: PartProps) {
  const numbers = useApp().preferences.numberStyle.value
  const value = useMemo(() => comparedValue(event, numbers), [event, numbers])
  if (value === null) return null
  return (
    <span class={style["value"]} dir="auto">
      {visibleText(value)}
    </span>
  )
}

/** Until when it was, of an annotation with an end. */
function Until({ event }: PartProps) {
  const { style: times } = useApp().ranges.current.value
  const endMs = eventEndMs(event)
  if (endMs === null) return null
  const until = text.until(shortTimeText(endMs, event.timestamp, times))
  return <span class={style["until"]}>{until}</span>
}

function WholeSpan({ event }: PartProps) {
  const { style: times } = useApp().ranges.current.value
  const endMs = eventEndMs(event)
  if (endMs === null) return null
  const [start, end] = [event.timestamp, endMs].map((ms) => timeText(ms, times, true))
  return <p>{`${start} ${text.until(end!)}`}</p>
}

/** Line ends stay, other characters that cannot be seen are named. */
function lines(given: string): string {
  return given.split("\n").map(visibleText).join("\n")
}

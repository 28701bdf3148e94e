/** Rows of events; the title of one opens what it holds. `j` and `k` move between them. */

import { useRef, useState } from "preact/hooks"
import type { ListedEvent } from "../../api/events.ts"
import { shortTimeText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useHotkeys } from "../../frame/use-hotkeys.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { elementAddress } from "../../url/element-address.ts"
import style from "./events.module.css"
import { text } from "./text.ts"

export function EventList({ events }: { readonly events: readonly ListedEvent[] }) {
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
    <ul ref={list} class={style["list"]} aria-label={text.list}>
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </ul>
  )
}

function EventRow({ event }: { readonly event: ListedEvent }) {
  const { clock, ranges } = useApp()
  const [isOpen, setOpen] = useState(false)
  const { style: times } = ranges.current.value
  const { timestamp, category, title, source, elementFqn, elementName, policy, data } = event
  const name = visibleText(title ?? policy?.name ?? text.noValue)
  const message = typeof data["message"] === "string" ? visibleText(data["message"]) : ""
  return (
    <li class={style["event"]}>
      <div class={style["row"]}>
        <LevelMark level={category.name} word={text.levels[category.name]} isAlone />
        <span class={style["when"]} title={timeText(timestamp, times, true)}>
          {shortTimeText(timestamp, clock.nowMs(), times)}
        </span>
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
          <span class={style["message"]} dir="auto">
            {message}
          </span>
        </span>
        {elementFqn === "" ? (
          <span class={style["who"]}>{text.everything}</span>
        ) : (
          <a class={style["who"]} href={elementAddress(elementFqn)} dir="auto">
            {visibleText(elementName)}
          </a>
        )}
        <span class={style["source"]} dir="auto">
          {visibleText(source ?? policy?.name ?? "")}
        </span>
      </div>
      {isOpen && (
        <pre class={style["data"]} tabIndex={0} role="region" aria-label={name}>
          {lines(JSON.stringify(data, null, 2))}
        </pre>
      )}
    </li>
  )
}

/** Line ends stay, other characters that cannot be seen are named. */
function lines(given: string): string {
  return given.split("\n").map(visibleText).join("\n")
}

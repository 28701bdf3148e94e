/** Events of policies, collectors and people, the newest first, and their numbers by time. */

import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import {
  eventHistogram,
  levelTotals,
  type EventFilter,
  type EventHistogram,
} from "../../api/events.ts"
import { alarmLevels } from "../../api/severity.ts"
import { useApp } from "../../frame/app.ts"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { LoadingLine } from "../../frame/loading/loading-line.tsx"
import { PageHeading } from "../../frame/page-heading.tsx"
import { usePageState } from "../../frame/page-state.ts"
import { RangeStrip, totalOf } from "../../frame/rows/range-strip.tsx"
import { SearchField } from "../../frame/rows/search-field.tsx"
import { useHeld } from "../../frame/rows/use-held.ts"
import { mayWrite } from "../../frame/session/session.ts"
import type { Loaded } from "../../frame/loaded.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Button } from "../../parts/button.tsx"
import { LevelBar } from "../../parts/level-bar.tsx"
import { Empty, LoadFailed, Skeleton } from "../../parts/states.tsx"
import { textParameter, type Definition } from "../../url/parameters.ts"
import { wordsParameter } from "../../url/words-parameter.ts"
import { AnnotationDialog } from "./annotation-dialog.tsx"
import { PagedEvents } from "./paged-events.tsx"
import style from "./events.module.css"
import { text } from "./text.ts"
import { useEvents } from "./use-events.ts"

/** As many characters as the server takes. */
const eventSearchMax = 512
/** Bars: some 10 pixels each on a wide screen. */
const bars = 96

export const eventsParameters = {
  level: wordsParameter(alarmLevels),
  q: textParameter("", eventSearchMax),
} satisfies Definition

export default function EventsPage() {
  const { api, session, ranges } = useApp()
  const { values, set } = usePageState(eventsParameters)
  const { level, q } = values
  const { range, text: rangeText, round } = ranges.current.value
  const filter = { startMs: range.startMs, endMs: range.endMs, levels: level, text: q }
  const found = useEvents(filter, JSON.stringify([rangeText, level, q]), round)
  const counts = useLoaded(
    JSON.stringify([rangeText, q, round]),
    (signal) => eventHistogram(api, { ...filter, levels: [] }, bars, signal),
    JSON.stringify([rangeText, q]),
  )
  const held = useHeld(() => ranges.refetch())
  useReloadOn(["event"], () => {
    if (ranges.live.peek() === true) held.change()
  })
  const { events, error } = found
  return (
    <div class={style["page"]}>
      <PageHeading text={text.title} isHidden />
      <LoadingLine loading={found} text={text.loading} />
      <Controls filter={filter} counts={counts} onSearch={(next) => set({ q: next }, "typed")}>
        {mayWrite(session.user) && <WriteButton onWritten={() => ranges.refetch()} />}
      </Controls>
      <LevelBar
        label={text.levelsLabel}
        levels={alarmLevels}
        words={text.levels}
        counts={counts.value === null ? null : levelTotals(counts.value)}
        isFormer={counts.isFormer}
        chosen={level}
        onChoose={(next) => set({ level: alarmLevels.filter((one) => next.includes(one)) })}
      />
      {counts.value !== null && (
        <RangeStrip
          counts={counts.value}
          chosen={level}
          isFormer={counts.isFormer}
          labelOf={text.histogram}
          countText={text.total}
        />
      )}
      {held.isWaiting && <Button onClick={held.show}>{text.changedMeanwhile}</Button>}
      <LoadFailed
        error={error}
        title={text.loadFailed}
        retryText={text.retry}
        onRetry={found.reload}
      />
      {events === null && error === null && <Skeleton text={text.loading} rows={12} />}
      {events?.length === 0 && !found.isFormer && (
        <NoEvents
          isNarrowed={q !== "" || level.length > 0}
          onClear={() => set({ q: "", level: [] })}
        />
      )}
      {events !== null && events.length > 0 && (
        <div
          aria-busy={found.isFormer || undefined}
          onPointerEnter={held.enter}
          onPointerLeave={held.leave}
        >
          <PagedEvents found={{ ...found, events }} by="cycle" />
        </div>
      )}
    </div>
  )
}

interface ControlsProps {
  readonly filter: EventFilter
  readonly counts: Loaded<EventHistogram>
  readonly onSearch: (text: string) => void
  readonly children: ComponentChildren
}

function Controls({ filter, counts, onSearch, children }: ControlsProps) {
  const { levels, text: searched } = filter
  return (
    <div class={style["controls"]}>
      <SearchField
        label={text.search}
        value={searched}
        maxLength={eventSearchMax}
        onValue={onSearch}
      />
      <span class={style["total"]} role="status" aria-busy={counts.isFormer || undefined}>
        {counts.value === null ? "" : text.total(totalOf(counts.value, levels))}
      </span>
      {children}
    </div>
  )
}

function WriteButton({ onWritten }: { readonly onWritten: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text.write}</Button>
      {isOpen && <AnnotationDialog onClose={() => setOpen(false)} onWritten={onWritten} />}
    </>
  )
}

interface NoEventsProps {
  readonly isNarrowed: boolean
  readonly onClear: () => void
}

function NoEvents({ isNarrowed, onClear }: NoEventsProps) {
  const { ranges } = useApp()
  return (
    <Empty reason={isNarrowed ? text.nonePasses : text.none}>
      {isNarrowed && <Button onClick={onClear}>{text.clear}</Button>}
      <Button onClick={() => ranges.show({ from: "now-7d", to: "now" })}>{text.longer}</Button>
    </Empty>
  )
}

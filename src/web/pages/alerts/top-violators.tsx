/** The elements with most alerts or most minutes in the range: each leads to its alerts. */

import type { Violator } from "../../api/incident/groups.ts"
import { durationText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { Segments } from "../../parts/segments.tsx"
import { LoadFailed } from "../../parts/states.tsx"
import { violatorSorts, type AlertsState } from "./alerts-state.ts"
import style from "./alerts.module.css"
import { text } from "./text.ts"
import type { Overview } from "./use-overview.ts"

export interface ViolatorsProps {
  readonly state: AlertsState
  readonly overview: Overview
}

export function TopViolators({ state, overview }: ViolatorsProps) {
  const { isOpen, toggle } = overview
  return (
    <section class={style["violators"]} aria-label={text.violators}>
      <button type="button" class={style["violatorsHead"]} aria-expanded={isOpen} onClick={toggle}>
        <span class={style["sign"]} aria-hidden="true">
          {isOpen ? "▾" : "▸"}
        </span>
        {text.violators}
      </button>
      {isOpen && (
        <Segments
          label={text.violatorsBy}
          value={state.topBy}
          options={violatorSorts.map((sort) => ({ value: sort, text: text.violatorSorts[sort] }))}
          onValue={state.setTopBy}
        />
      )}
      {isOpen && <Violators state={state} overview={overview} />}
    </section>
  )
}

function Violators({ state, overview }: ViolatorsProps) {
  const { value, error, isFormer, reload } = overview.violators
  return (
    <div class={style["violatorsBody"]}>
      <LoadFailed
        error={error}
        title={text.violatorsFailed}
        retryText={text.retry}
        onRetry={reload}
      />
      {value?.length === 0 && <span class="secondary">{text.noViolators}</span>}
      {value !== null && value.length > 0 && (
        <ol class={style["violatorList"]} aria-busy={isFormer || undefined}>
          {value.map((one) => (
            <ViolatorLink key={one.id} violator={one} state={state} />
          ))}
        </ol>
      )}
    </div>
  )
}

interface LinkProps {
  readonly violator: Violator
  readonly state: AlertsState
}

/** Shows the number that sorts the list: a line has no room for both. */
function ViolatorLink({ violator, state }: LinkProps) {
  const { id, count, minutes, level, incidents } = violator
  const name = visibleText(incidents[0]?.elementName ?? text.noValue)
  const time = durationText(minutes * 60_000)
  const title = text.violator(name, count, time)
  return (
    <li>
      <a class={style["violator"]} href={state.elementAddress(id)} title={title}>
        <LevelMark level={level} word={text.levels[level]} isAlone />
        <bdi class={style["violatorName"]}>{name}</bdi>
        <span class="secondary">{state.topBy === "count" ? text.total(count) : time}</span>
      </a>
    </li>
  )
}

/** The elements with most alerts or most minutes in the range: each leads to its alerts. */

import { useState } from "preact/hooks"
import { topViolators, type Violator } from "../../api/incident/groups.ts"
import { durationText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { phoneWindow, useMedia } from "../../frame/use-media.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { Segments } from "../../parts/segments.tsx"
import { LoadFailed } from "../../parts/states.tsx"
import { violatorSorts, type AlertsState } from "./alerts-state.ts"
import style from "./alerts.module.css"
import { text } from "./text.ts"
import { usePaced } from "./use-paced.ts"

const violatorsMax = 5

export interface ViolatorsProps {
  readonly state: AlertsState
  readonly round: number
  readonly isRested: boolean
}

/** One line, which on a phone is opened to be loaded. */
export function TopViolators(props: ViolatorsProps) {
  const isPhone = useMedia(phoneWindow)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isOpen = chosen ?? !isPhone
  return (
    <section class={style["violators"]} aria-label={text.violators}>
      <button
        type="button"
        class={style["violatorsHead"]}
        aria-expanded={isOpen}
        onClick={() => setChosen(!isOpen)}
      >
        <span class={style["sign"]} aria-hidden="true">
          {isOpen ? "▾" : "▸"}
        </span>
        {text.violators}
      </button>
      {isOpen && <Violators {...props} />}
    </section>
  )
}

/** Of an element that alone is listed the others are shown too, to go to them. */
function Violators({ state, round: newest, isRested }: ViolatorsProps) {
  const { api } = useApp()
  const { overview, overviewKey, topBy, setTopBy } = state
  const { round, timed } = usePaced(newest)
  const asked = { sort: topBy, limit: violatorsMax }
  const subject = JSON.stringify([overviewKey, topBy])
  const { value, error, isFormer, reload } = useLoaded(
    isRested ? `${round} ${subject}` : null,
    (signal) => {
      const filter = { ...overview, elementId: undefined }
      return timed(() => topViolators(api, filter, asked, signal))
    },
    subject,
  )
  return (
    <>
      <Segments
        label={text.violatorsBy}
        value={topBy}
        options={violatorSorts.map((sort) => ({ value: sort, text: text.violatorSorts[sort] }))}
        onValue={setTopBy}
      />
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
              <ViolatorLink key={one.id} violator={one} address={state.elementAddress(one.id)} />
            ))}
          </ol>
        )}
      </div>
    </>
  )
}

interface LinkProps {
  readonly violator: Violator
  readonly address: string
}

function ViolatorLink({ violator, address }: LinkProps) {
  const { count, minutes, level, incidents } = violator
  const name = visibleText(incidents[0]?.elementName ?? text.noValue)
  return (
    <li>
      <a class={style["violator"]} href={address} title={name}>
        <LevelMark level={level} word={text.levels[level]} isAlone />
        <bdi class={style["violatorName"]}>{name}</bdi>
        <span class="secondary">{text.violations(count, durationText(minutes * 60_000))}</span>
      </a>
    </li>
  )
}

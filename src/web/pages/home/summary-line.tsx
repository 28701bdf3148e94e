/** The first line: elements by level, samples a second, the last cycle. */

import type { Level } from "../../api/element-words.ts"
import type { LevelCounts } from "../../api/elements.ts"
import type { StatusMap, ServerStatus } from "../../api/overview.ts"
import { useApp } from "../../frame/app.ts"
import { countText, shortCountText, valueText } from "../../format/numbers.ts"
import { clockText, durationText } from "../../format/times.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import style from "./home.module.css"
import { text } from "./text.ts"

interface SummaryLineProps {
  /** Null before the first answer. */
  readonly status: StatusMap | null
  readonly server: ServerStatus | null
}

const alarms = ["critical", "warning", "info"] as const

/** The levels that are shown large, and the others: a fleet that fell silent is not well. */
function partsOf({ silences }: StatusMap): readonly [readonly Level[], readonly Level[]] {
  return silences.length === 0
    ? [alarms, ["ok", "noData", "maintenance"]]
    : [
        [...alarms, "noData"],
        ["ok", "maintenance"],
      ]
}

export function SummaryLine({ status, server }: SummaryLineProps) {
  const [wrong, rest] = status === null ? [[], []] : partsOf(status)
  return (
    <section class={style["summary"]} aria-label={text.summary}>
      {status !== null && (
        <>
          <LevelList levels={wrong} counts={status.counts.levels} isLarge />
          <LevelList levels={rest} counts={status.counts.levels} />
        </>
      )}
      {server !== null && <ServerFacts server={server} />}
    </section>
  )
}

interface LevelListProps {
  readonly levels: readonly Level[]
  readonly counts: LevelCounts
  readonly isLarge?: boolean
}

function LevelList({ levels, counts, isLarge = false }: LevelListProps) {
  const numbers = useApp().preferences.numberStyle.value
  return (
    <ul class={isLarge ? style["wrong"] : style["facts"]}>
      {levels.map((level) => (
        <li key={level} class={counts[level] === 0 ? style["zero"] : undefined}>
          <strong>{countText(counts[level], numbers)}</strong>
          <LevelMark level={level} word={text.levels[level]} />
        </li>
      ))}
    </ul>
  )
}

function ServerFacts({ server }: { readonly server: ServerStatus }) {
  const { preferences } = useApp()
  const { cycle, ingest } = server
  const time = clockText(Date.parse(cycle.lastClosed), preferences.timeStyle.value)
  const { samplesPerSecond } = ingest
  const numbers = preferences.numberStyle.value
  // A small site sends less than one a second, which is not nothing.
  const rate =
    samplesPerSecond < 10
      ? valueText(samplesPerSecond, "", numbers)
      : shortCountText(samplesPerSecond, numbers)
  return (
    <ul class={style["facts"]}>
      <li>{text.samples(rate)}</li>
      <li>
        {cycle.tookMs === null
          ? text.cycleWithoutTime(time)
          : text.cycle(time, durationText(cycle.tookMs))}
      </li>
      {cycle.lagMs > 0 && <li class={style["late"]}>{text.late(durationText(cycle.lagMs))}</li>}
    </ul>
  )
}

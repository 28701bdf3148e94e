/** The first line: elements by level, how new the data is, samples a second. */

import type { Level } from "../../api/element-words.ts"
import type { LevelCounts, ServerStatus, StatusMap } from "../../api/overview/overview-answer.ts"
import { useApp } from "../../frame/app.ts"
import { DataTime } from "../../frame/live/data-time.tsx"
import type { Loaded } from "../../frame/loaded.ts"
import { countText, shortCountText } from "../../format/numbers.ts"
import { durationText } from "../../format/times.ts"
import { LevelSymbol } from "../../parts/level-mark.tsx"
import style from "./home.module.css"
import { text } from "./text.ts"

interface SummaryLineProps {
  readonly status: Loaded<StatusMap>
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

export function SummaryLine({ status: { value: status, isFormer }, server }: SummaryLineProps) {
  const [wrong, rest] = status === null ? [[], []] : partsOf(status)
  return (
    <section class={style["summary"]} aria-label={text.summary}>
      {status !== null && (
        <div class={style["levels"]} aria-busy={isFormer || undefined}>
          <LevelList levels={wrong} counts={status.counts.levels} isLarge />
          <LevelList levels={rest} counts={status.counts.levels} />
        </div>
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
    <ul class={isLarge ? style["wrong"] : style["rest"]}>
      {levels.map((level) => (
        <li key={level} class={counts[level] === 0 ? style["zero"] : undefined}>
          <LevelSymbol level={level} />
          <strong>{countText(counts[level], numbers)}</strong> {text.levels[level]}
        </li>
      ))}
    </ul>
  )
}

function ServerFacts({ server }: { readonly server: ServerStatus }) {
  const numbers = useApp().preferences.numberStyle.value
  const { cycle, ingest } = server
  return (
    <ul class={style["facts"]}>
      {cycle.lagMs > 0 && <li class={style["late"]}>{text.late(durationText(cycle.lagMs))}</li>}
      <li>
        <DataTime status={server} />
      </li>
      <li>{text.samples(shortCountText(ingest.samplesPerSecond, numbers))}</li>
    </ul>
  )
}

/** How many elements have each level; a press shows these alone, and again all. */

import { levels, type Level } from "../../api/element-words.ts"
import type { LevelCounts } from "../../api/elements.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import style from "./inventory.module.css"
import { text } from "./text.ts"

/** Worst first, then what is out of the ordinary, then the rest. */
const order: readonly Level[] = ["critical", "warning", "info", "noData", "maintenance", "ok"]

export interface LevelBarProps {
  /** Null before the first answer. */
  readonly counts: LevelCounts | null
  readonly chosen: readonly Level[]
  readonly onChoose: (chosen: readonly Level[]) => void
}

export function LevelBar({ counts, chosen, onChoose }: LevelBarProps) {
  const toggle = (level: Level): void => {
    const isChosen = chosen.includes(level)
    onChoose(levels.filter((one) => (one === level ? !isChosen : chosen.includes(one))))
  }
  return (
    <div class={style["levels"]} role="group" aria-label={text.levelsLabel}>
      {order.map((level) => {
        const count = counts?.[level] ?? 0
        const isChosen = chosen.includes(level)
        return (
          <button
            key={level}
            type="button"
            class={style["level"]}
            aria-pressed={isChosen}
            disabled={count === 0 && !isChosen}
            onClick={() => toggle(level)}
          >
            <LevelMark level={level} word={text.levels[level]} />
            <span class={style["count"]}>
              {counts === null ? "" : count.toLocaleString("en-US")}
            </span>
          </button>
        )
      })}
    </div>
  )
}

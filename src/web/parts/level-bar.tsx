/** How many of something have each level; a press shows these alone, and again all. */

import { wholeText } from "../format/words.ts"
import { LevelMark } from "./level-mark.tsx"
import type { MarkLevel } from "./level-words.ts"
import style from "./level-bar.module.css"

export interface LevelBarProps<L extends MarkLevel> {
  readonly label: string
  /** In the order in which they stand. */
  readonly levels: readonly L[]
  readonly words: Readonly<Record<L, string>>
  /** Null before the first answer. */
  readonly counts: Readonly<Record<L, number>> | null
  /** The counts are of another list than the one that is asked for. */
  readonly isFormer?: boolean
  readonly chosen: readonly L[]
  readonly onChoose: (chosen: readonly L[]) => void
}

export function LevelBar<L extends MarkLevel>(props: LevelBarProps<L>) {
  const { label, levels, words, counts, isFormer, chosen, onChoose } = props
  return (
    <div
      class={style["levels"]}
      role="group"
      aria-label={label}
      aria-busy={isFormer === true || undefined}
    >
      {levels.map((level) => {
        const count = counts?.[level] ?? 0
        const isChosen = chosen.includes(level)
        const isNone = counts !== null && count === 0 && !isChosen
        return (
          <button
            key={level}
            type="button"
            class={style["level"]}
            aria-pressed={isChosen}
            disabled={count === 0 && !isChosen}
            onClick={() =>
              onChoose(isChosen ? chosen.filter((one) => one !== level) : [...chosen, level])
            }
          >
            <LevelMark level={level} word={words[level]} isAlone={isNone} />
            <span class={style["count"]}>{counts === null ? "" : wholeText(count)}</span>
          </button>
        )
      })}
    </div>
  )
}

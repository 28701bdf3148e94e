/**
 * Level mark: the symbol of a status level, whose shape says the same as its colour, and its word,
 * which only screen readers get if `isAlone`.
 */

import { classNames } from "./class-names.ts"
import type { MarkLevel } from "./level-words.ts"
import style from "./level-mark.module.css"

export interface LevelMarkProps {
  readonly level: MarkLevel
  readonly word: string
  readonly isAlone?: boolean
}

interface Shape {
  readonly outline: string
  readonly sign: string
}

const check = "M4.5 8.3l2.4 2.4 4.6-5.2"
const exclamation = "M8 4.2v4.6M8 11.2v.4"
const shapes: Readonly<Record<MarkLevel, Shape>> = {
  ok: { outline: "M8 1a7 7 0 1 1 0 14A7 7 0 1 1 8 1z", sign: check },
  info: { outline: "M8 .6L15.4 8 8 15.4.6 8z", sign: "M8 7.4v3.8M8 4.6v.4" },
  warning: { outline: "M8 1L15.6 14.6H.4z", sign: "M8 5.8v4.2M8 12.2v.4" },
  critical: { outline: "M5 1h6l4 4v6l-4 4H5l-4-4V5z", sign: exclamation },
  noData: {
    outline: "M8 1a7 7 0 1 1 0 14A7 7 0 1 1 8 1z",
    sign: "M6 6.2c0-2.6 4-2.6 4 0 0 1.4-2 1.6-2 3M8 11.6v.4",
  },
  maintenance: { outline: "M2 2h12v12H2z", sign: "M4.6 11.4l6.8-6.8M9 4.6h2.4V7" },
}

/** The symbol alone: a word next to it says the level. */
export function LevelSymbol({ level }: Pick<LevelMarkProps, "level">) {
  const { outline, sign } = shapes[level]
  return (
    <svg class={classNames(style["mark"], style[level])} viewBox="0 0 16 16" aria-hidden="true">
      <path class={style["outline"]} d={outline} />
      <path class={style["sign"]} d={sign} />
    </svg>
  )
}

export function LevelMark({ level, word, isAlone = false }: LevelMarkProps) {
  return (
    <span class={style["holder"]} title={isAlone ? word : undefined}>
      <LevelSymbol level={level} />
      <span class={isAlone ? "visually-hidden" : undefined}>{word}</span>
    </span>
  )
}

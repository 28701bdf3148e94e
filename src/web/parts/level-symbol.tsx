/** The symbol of a level: its shape says what its colour says. A word is next to it. */

import { classNames } from "./class-names.ts"
import style from "./level-symbol.module.css"

export type Level = "ok" | "info" | "warning" | "critical" | "noData" | "maintenance"

/** Outlines in a square of 16. */
const shapes: Readonly<Record<Level, string>> = {
  critical: "M5 1h6l4 4v6l-4 4H5l-4-4V5z",
  warning: "M8 1l7.5 14h-15z",
  info: "M8 .5L15.5 8 8 15.5.5 8z",
  ok: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1z",
  noData: "M2 2h12v12H2z",
  maintenance: "M1 4h14v8H1z",
}

/** Marks on the shapes. */
const marks: Readonly<Record<Level, string>> = {
  critical: "M7.1 3.5h1.8v5.5H7.1zM7.1 10.7h1.8v1.8H7.1z",
  warning: "M7.2 6h1.6v4.4H7.2zM7.2 11.6h1.6v1.6H7.2z",
  info: "M7.2 3.6h1.6v1.6H7.2zM7.2 6.6h1.6v5.4H7.2z",
  ok: "M6.9 11.4L3.9 8.4l1.2-1.2 1.8 1.8 4-4 1.2 1.2z",
  noData: "M5 7.2h6v1.6H5z",
  maintenance: "M3 4h2.4l-2 8H1zM8 4h2.4l-2 8H6zM13 4h2v1.6L13.400 12H11z",
}

export function LevelSymbol({ level }: { readonly level: Level }) {
  return (
    <svg
      class={classNames(style["symbol"], style[level])}
      viewBox="0 0 16 16"
      width="14"
      height="14"
      aria-hidden="true"
      focusable="false"
    >
      <path class={style["shape"]} d={shapes[level]} />
      <path class={style["mark"]} d={marks[level]} />
    </svg>
  )
}

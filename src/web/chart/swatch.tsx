/** The stroke of a line: its colour and its dash. */

import { dashOf, seriesColourCount } from "./plot/series-colours.ts"
import style from "./swatch.module.css"

const width = 18

export function Swatch({ tone }: { readonly tone: number }) {
  return (
    <svg
      class={style["swatch"]}
      viewBox={`0 0 ${width} 10`}
      width={width}
      height={10}
      aria-hidden="true"
      focusable="false"
      style={{
        color: `var(--series-${tone % seriesColourCount})`,
        "--dash": dashOf(tone).join(" ") || "none",
      }}
    >
      <line x1="0" x2={width} y1="5" y2="5" />
    </svg>
  )
}

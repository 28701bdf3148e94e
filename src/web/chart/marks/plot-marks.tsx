/** Marks at the foot of a plot, which pointers reach between them. */

import type { PlotArea } from "../plot/plot-area.ts"
import { MarkRow } from "./mark-row.tsx"
import style from "./plot-marks.module.css"

type PlotMarksProps = Omit<Parameters<typeof MarkRow>[0], "range"> & { readonly area: PlotArea }

export function PlotMarks({ area, ...row }: PlotMarksProps) {
  const { left, top, width, height, view } = area
  const bounds = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }
  return (
    <div class={style["marks"]} style={bounds}>
      <MarkRow {...row} range={view} />
    </div>
  )
}

/** Exports: the charts as a picture, the values as CSV, the statistics as a table. */

import type { EventMark } from "../../chart/marks/event-marks.ts"
import { useApp } from "../../frame/app.ts"
import { rangeTimes } from "../../frame/range/range-names.ts"
import type { PageRange } from "../../frame/range/ranges.ts"
import { dateText } from "../../format/times.ts"
import { lazyCode } from "../../platform/code.ts"
import { saveFile } from "../../platform/files.ts"
import { fullUrl } from "../../platform/location.ts"
import { csvText, markdownTable } from "./copies.ts"
import type { ExploreView } from "./explore-state.ts"
import type { AnswerLines } from "./lines.ts"
import type { ChartGroup } from "./split.ts"
import { text } from "./text.ts"

export interface Exports {
  /** Each saves a file; a failure is a toast. */
  csv(): void
  png(): void
  /** The statistics as Markdown. */
  table(): string
}

/** Loaded when it is asked for: pictures are rare, and a tenth of the code of the charts. */
const loadPicture = lazyCode(() => import("../../chart/picture.ts"))

/** CSS pixels of a plot in a picture: wide enough for a page of a report. */
const pictureSize = { width: 1100, height: 380 }

interface ExportedWith {
  readonly range: PageRange
  readonly marks: readonly EventMark[]
}

/** Null without lines. All of it is made of the answer that is shown, whose range is given. */
export function useExports(
  { look }: ExploreView,
  lines: AnswerLines | null,
  charts: readonly ChartGroup[],
  { marks, range: { range, style, nowMs } }: ExportedWith,
): Exports | null {
  const { preferences, toasts } = useApp()
  if (lines === null || lines.lines.length === 0) return null
  const title = lines.shared || text.several(charts.map((chart) => chart.title))
  const name = text.fileName(title, dateText(nowMs, style))
  return {
    csv: () => saveFile(`${name}.csv`, new Blob([csvText(lines.lines)], { type: "text/csv" })),
    png() {
      const { zone } = style
      const times = rangeTimes(range.startMs, range.endMs, style)
      const picture = loadPicture().then(({ chartsPicture }) =>
        chartsPicture({
          title,
          range,
          look,
          ...pictureSize,
          subtitle: `${times} ${zone.name} ${zone.offsetText(range.endMs)}`,
          link: fullUrl(),
          charts,
          marks,
          timeStyle: style,
          numberStyle: preferences.numberStyle.peek(),
        }),
      )
      picture.then(
        (file) => saveFile(`${name}.png`, file),
        (error: Error) => toasts.show(error.message, "error"),
      )
    },
    table: () => markdownTable(lines.lines),
  }
}

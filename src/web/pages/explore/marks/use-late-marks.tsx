/** Marks of what happened to the elements of an answer and to everything, after its first chart. */

import type { ComponentChildren } from "preact"
import { useMemo } from "preact/hooks"
import type { EventMark } from "../../../chart/marks/event-marks.ts"
import type { PlotArea } from "../../../chart/plot/plot-area.ts"
import { useApp } from "../../../frame/app.ts"
import { useRested } from "../../../frame/live/use-rested.ts"
import type { PageRange } from "../../../frame/range/ranges.ts"
import { useLoaded } from "../../../frame/use-loaded.ts"
import { lazyCode } from "../../../platform/code.ts"
import { elementIdsOf, type AnswerLines } from "../lines.ts"

const loadMarks = lazyCode(() => import("./late-marks.ts"))

export interface LateMarks {
  readonly marks: readonly EventMark[]
  /** Draws them over a plot. */
  readonly draw: (area: PlotArea) => ComponentChildren
}

/** Null without charts, and until they are there. */
export function useLateMarks(lines: AnswerLines | null, range: PageRange): LateMarks | null {
  const { api } = useApp()
  const elementIds = useMemo(() => (lines === null ? null : elementIdsOf(lines)), [lines])
  const isAsked = useRested() && elementIds !== null
  const key = JSON.stringify([elementIds, range.range, range.round])
  const { value } = useLoaded(isAsked ? key : null, async (signal) => {
    const { MarkRow, readMarks } = await loadMarks()
    const asked = { elementIds: elementIds!, range: range.range }
    return { MarkRow, marks: await readMarks(api, asked, signal) }
  })
  if (value === null || lines === null) return null
  const { MarkRow, marks } = value
  const { nowMs, style: timeStyle } = range
  return { marks, draw: ({ view }) => <MarkRow {...{ range: view, marks, nowMs, timeStyle }} /> }
}

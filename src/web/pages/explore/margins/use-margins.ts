/** Lines with the values around their window. */

import { useMemo, useRef } from "preact/hooks"
import { querySeries } from "../../../api/series.ts"
import type { SeriesAnswer, SeriesRequest } from "../../../api/series-answer.ts"
import { useApp } from "../../../frame/app.ts"
import type { PageRange } from "../../../frame/range/ranges.ts"
import { useLoaded } from "../../../frame/use-loaded.ts"
import { isRelative } from "../../../url/time-range.ts"
import { answerColumns, type AnswerLines } from "../lines.ts"
import type { ExploreQuery } from "../query-codec.ts"
import { Margins } from "./margins.ts"

export interface Answered {
  readonly answer: SeriesAnswer
  readonly request: SeriesRequest
  readonly queries: readonly ExploreQuery[]
  readonly range: PageRange
}

/** Asks for what lies around a pan once; a request that was overtaken is aborted. */
export function useMargins(value: Answered | null, lines: AnswerLines | null): AnswerLines | null {
  const { api } = useApp()
  const margins = useRef(new Margins())
  const asked = useMemo(() => {
    if (value === null || lines === null) return []
    const { request, answer, range } = value
    const isFixed = !isRelative(range.text.from) && !isRelative(range.text.to)
    const taken = { request, answer, range: range.range, isFixed, lines: lines.lines }
    margins.current.take(taken)
    return margins.current.asked
  }, [value, lines])
  const around = useLoaded(asked.length === 0 ? null : JSON.stringify(asked), async (signal) => {
    const answers = await Promise.all(asked.map((one) => querySeries(api, one, signal)))
    return { answers, asked, queries: value?.queries ?? [] }
  }).value
  return useMemo(() => {
    if (lines === null) return null
    if (around !== null && around.asked === asked) {
      for (const answer of around.answers) {
        margins.current.add(answerColumns(answer, around.queries))
      }
    }
    return withKnown(lines, margins.current)
  }, [lines, around, asked])
}

function withKnown(answered: AnswerLines, margins: Margins): AnswerLines {
  const results = answered.results.map((result) => ({
    ...result,
    lines: result.lines.map((line) => {
      const known = margins.of(line.id)
      return known === undefined || known.values.length <= line.values.length
        ? line
        : { ...line, known }
    }),
  }))
  return { ...answered, results, lines: results.flatMap(({ lines }) => lines) }
}

/**
 * Bars: a row for each series with the statistic that ranks it. Each query has its own scale, from
 * zero; of many rows those in sight are drawn.
 */

import { useRef } from "preact/hooks"
import type { ChartLine } from "../../chart/model.ts"
import { useApp } from "../../frame/app.ts"
import { valueText } from "../../format/numbers.ts"
import { visibleText } from "../../format/visible-text.ts"
import { SpacerRow, useRowWindow } from "../../parts/window-rows.tsx"
import { cssPixels } from "../../platform/measure.ts"
import { barOf, statisticOf } from "./bars.ts"
import style from "./bar-list.module.css"
import type { QueryResult } from "./lines.ts"
import type { ListViewProps } from "./list-view.ts"
import { text } from "./text.ts"

export default function BarList({ lines: { results } }: ListViewProps) {
  return (
    <>
      {results
        .filter(({ lines }) => lines.length > 0)
        .map((result) => (
          <Bars key={result.letter} result={result} />
        ))}
    </>
  )
}

function Bars({ result: { query, lines } }: { readonly result: QueryResult }) {
  const { preferences } = useApp()
  const holder = useRef<HTMLDivElement>(null)
  const rowHeight = cssPixels("--row-height")
  const { first, end } = useRowWindow(holder, lines.length, rowHeight)
  const statistic = statisticOf(query.order)
  const title = text.bars(query.metric, statistic)
  const valueOf = ({ summary }: ChartLine) => summary[statistic]
  const known = lines.map(valueOf).filter((value) => value !== null)
  return (
    <section class={style["bars"]}>
      <h2 class={style["title"]} dir="auto">
        {title}
      </h2>
      <div ref={holder} class={style["scroll"]} tabIndex={0} role="region" aria-label={title}>
        <table class={style["table"]} aria-rowcount={lines.length + 1}>
          {/* The hidden head is no row of the layout. */}
          <colgroup>
            <col class={style["names"]} />
            <col />
          </colgroup>
          <thead class="visually-hidden">
            <tr aria-rowindex={1}>
              <th scope="col">{text.name}</th>
              <th scope="col">{statistic}</th>
            </tr>
          </thead>
          <tbody>
            <SpacerRow class={style["spacer"]} columns={2} rows={first} rowHeight={rowHeight} />
            {lines.slice(first, end).map((line, i) => (
              <BarRow
                key={line.id}
                line={line}
                index={first + i + 2}
                words={valueText(valueOf(line), line.unit, preferences.numberStyle.value)}
                bar={barOf(valueOf(line), known)}
              />
            ))}
            <SpacerRow
              class={style["spacer"]}
              columns={2}
              rows={lines.length - end}
              rowHeight={rowHeight}
            />
          </tbody>
        </table>
      </div>
    </section>
  )
}

interface BarRowProps {
  readonly line: ChartLine
  readonly index: number
  readonly words: string
  readonly bar: { readonly start: number; readonly size: number }
}

function BarRow({ line, index, words, bar }: BarRowProps) {
  const name = visibleText(line.name)
  return (
    <tr aria-rowindex={index}>
      <th scope="row" title={name} dir="auto">
        {name}
      </th>
      <td class={style["track"]}>
        <div
          class={style["bar"]}
          style={{ marginInlineStart: `${bar.start * 100}%`, inlineSize: `${bar.size * 100}%` }}
        />
        <span>{words}</span>
      </td>
    </tr>
  )
}

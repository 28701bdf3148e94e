/** Numbers by time: bars of the levels on top of each other, the worst at the bottom. */

import style from "./level-histogram.module.css"

export interface LevelHistogramProps {
  /** The text for screen readers: it has the total. */
  readonly label: string
  /** One number a bar, the oldest first; all three have as many. */
  readonly critical: readonly number[]
  readonly warning: readonly number[]
  readonly info: readonly number[]
}

const barHeight = 32
const levels = ["critical", "warning", "info"] as const

export function LevelHistogram({ label, ...counts }: LevelHistogramProps) {
  const totals = counts.info.map((info, i) => info + counts.warning[i]! + counts.critical[i]!)
  const most = totals.reduce((max, total) => Math.max(max, total), 0)
  if (most === 0) return null
  return (
    <svg
      class={style["histogram"]}
      viewBox={`0 0 ${totals.length} ${barHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {totals.map((_, i) => {
        let from = 0
        return levels.map((level) => {
          const height = (counts[level][i]! / most) * barHeight
          from += height
          if (height === 0) return null
          return (
            <rect
              key={`${i} ${level}`}
              class={style[level]}
              x={i + 0.1}
              y={barHeight - from}
              width={0.8}
              height={height}
            />
          )
        })
      })}
    </svg>
  )
}

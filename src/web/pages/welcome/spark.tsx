/** A line of the last values, as high as a row; nothing before there are two. */

import style from "./welcome.module.css"

const width = 96
const height = 20

export function Spark({ values }: { readonly values: readonly number[] }) {
  if (values.length < 2) return <span />
  const least = values.reduce((one, other) => Math.min(one, other))
  const range = values.reduce((one, other) => Math.max(one, other)) - least
  const points = values.map((value, i) => {
    const x = (i / (values.length - 1)) * (width - 2) + 1
    const y = range === 0 ? height / 2 : height - 2 - ((value - least) / range) * (height - 4)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg class={style["spark"]} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <polyline points={points.join(" ")} />
    </svg>
  )
}

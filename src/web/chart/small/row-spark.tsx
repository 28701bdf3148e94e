/** A line within a row: the course of a value. Screen readers read the numbers next to it. */

import { classNames } from "../../parts/class-names.ts"
import type { Values } from "../model.ts"
import { boxOf, linePath } from "./line-path.ts"
import style from "./small.module.css"

export interface RowSparkProps {
  readonly values: Values
  /** In a tile there is less room. */
  readonly isSmall?: boolean
}

const size = { width: 64, height: 20 }

export function RowSpark({ values, isSmall = false }: RowSparkProps) {
  return (
    <svg
      class={classNames(style["spark"], isSmall && style["smallSpark"])}
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class={style["line"]} d={linePath(values, boxOf([values], size))} />
    </svg>
  )
}

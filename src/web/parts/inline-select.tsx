/** A list of choices within a row: its label is in front of it, or for screen readers alone. */

import { Select, type SelectProps } from "./select.tsx"
import style from "./inline-select.module.css"

export interface InlineSelectProps<V extends string> extends SelectProps<V> {
  readonly label: string
  /** Whether the label is seen. */
  readonly isShown?: boolean
}

export function InlineSelect<V extends string>(props: InlineSelectProps<V>) {
  const { label, isShown = false, ...select } = props
  return (
    <label class={style["label"]}>
      <span class={isShown ? undefined : "visually-hidden"}>{label}</span>
      <Select {...select} attributes={{ class: style["select"], title: label }} />
    </label>
  )
}

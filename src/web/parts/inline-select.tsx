/** A list of choices within a row: its label is in front of it, or for screen readers alone. */

import style from "./inline-select.module.css"

export interface InlineSelectProps<V extends string> {
  readonly label: string
  /** Whether the label is seen. */
  readonly isShown?: boolean
  readonly value: V
  readonly options: readonly { readonly value: V; readonly text: string }[]
  readonly onValue: (value: V) => void
}

export function InlineSelect<V extends string>(props: InlineSelectProps<V>) {
  const { label, isShown = false, value, options, onValue } = props
  return (
    <label class={style["label"]}>
      <span class={isShown ? undefined : "visually-hidden"}>{label}</span>
      <select
        class={style["select"]}
        title={label}
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options.find((option) => option.value === currentTarget.value)
          if (chosen !== undefined) onValue(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  )
}

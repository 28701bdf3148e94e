/** The browser's list of choices, without a label. */

import type { JSX } from "preact"

export interface SelectProps<V extends string> {
  readonly value: V
  readonly options: readonly { readonly value: V; readonly text: string }[]
  readonly onValue: (value: V) => void
}

/** `attributes`: of the element, such as its class. */
export function Select<V extends string>({
  value,
  options,
  onValue,
  attributes,
}: SelectProps<V> & { readonly attributes: JSX.IntrinsicElements["select"] }) {
  return (
    <select
      {...attributes}
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
  )
}

/** Segments: one of a few choices, side by side. A group of radio buttons: arrows choose. */

import { useId } from "preact/hooks"
import style from "./segments.module.css"

export interface SegmentsProps<V extends string> {
  readonly label: string
  readonly value: V
  readonly options: readonly { readonly value: V; readonly text: string }[]
  readonly onValue: (value: V) => void
}

export function Segments<V extends string>({ label, value, options, onValue }: SegmentsProps<V>) {
  const name = useId()
  return (
    <div class={style["segments"]} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} class={style["segment"]}>
          <input
            type="radio"
            class="visually-hidden"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onValue(option.value)}
          />
          <span>{option.text}</span>
        </label>
      ))}
    </div>
  )
}

/** A field of a time as people write it; the calendar of the browser fills a date and a time. */

import calendar from "heroicons/20/solid/calendar.svg"
import { useRef } from "preact/hooks"
import { Button } from "../../parts/button.tsx"
import { TextField } from "../../parts/field.tsx"
import { text } from "../text.ts"
import style from "./time-field.module.css"

export interface TimeFieldProps {
  readonly label: string
  readonly value: string
  readonly error: string | null
  readonly hint?: string
  readonly onValue: (value: string) => void
}

export function TimeField(props: TimeFieldProps) {
  const { label, onValue } = props
  const dates = useRef<HTMLInputElement>(null)
  return (
    <div class={style["time"]}>
      <TextField {...props} />
      <Button
        kind="quiet"
        icon={calendar}
        iconName={text.range.calendar(label)}
        onClick={() => dates.current?.showPicker()}
      />
      <input
        ref={dates}
        type="datetime-local"
        class={style["dates"]}
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ currentTarget }) => onValue(currentTarget.value.replace("T", " "))}
      />
    </div>
  )
}

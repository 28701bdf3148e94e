/**
 * Field: a label, a control, a hint and an error, tied together for screen readers. The error says
 * what is accepted.
 */

import { useId } from "preact/hooks"
import type { ComponentChildren } from "preact"
import { classNames } from "./class-names.ts"
import { Select, type SelectProps } from "./select.tsx"
import style from "./field.module.css"

export interface ControlAttributes {
  readonly id: string
  readonly "aria-describedby": string | undefined
  readonly "aria-invalid": true | undefined
}

export interface FieldProps {
  readonly label: string
  readonly hint?: string
  readonly error?: string | null
  /** Draws the control with the attributes that tie it to label and texts. */
  readonly children: (attributes: ControlAttributes) => ComponentChildren
}

export function Field({ label, hint, error = null, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint !== undefined && `${id}-hint`, error !== null && `${id}-error`]
  const text = describedBy.filter((one) => one !== false).join(" ")
  return (
    <div class={style["field"]}>
      <label for={id}>{label}</label>
      {children({
        id,
        "aria-describedby": text === "" ? undefined : text,
        "aria-invalid": error === null ? undefined : true,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} class={style["hint"]}>
          {hint}
        </p>
      )}
      {error !== null && (
        <p id={`${id}-error`} class={style["error"]}>
          {error}
        </p>
      )}
    </div>
  )
}

export interface TextFieldProps {
  readonly label: string
  readonly hint?: string
  readonly error?: string | null
  readonly value: string
  readonly onValue: (value: string) => void
  readonly type?: "text" | "email" | "password" | "search" | "url"
  readonly name?: string
  /** Kind of value that password managers and browsers fill in. */
  readonly autocomplete?: string
  readonly placeholder?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly onBlur?: () => void
}

/** A field of one line. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error = null, onValue, type = "text", ...others } = props
  return (
    <Field label={label} error={error} {...(hint !== undefined && { hint })}>
      {(attributes) => (
        <input
          {...others}
          {...attributes}
          // Preact's types tie roles to each type; none is set here.
          type={type as "text"}
          dir="auto"
          class={style["input"]}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  )
}

export interface SelectFieldProps<V extends string> extends SelectProps<V> {
  readonly label: string
  readonly hint?: string
}

/** A native list of choices. */
export function SelectField<V extends string>(props: SelectFieldProps<V>) {
  const { label, hint, ...select } = props
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(attributes) => <Select {...select} attributes={{ ...attributes, class: style["input"] }} />}
    </Field>
  )
}

export interface CheckFieldProps {
  readonly label: string
  readonly checked: boolean
  readonly onValue: (checked: boolean) => void
}

export function CheckField({ label, checked, onValue }: CheckFieldProps) {
  return (
    <label class={classNames(style["check"])}>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onValue(currentTarget.checked)}
      />
      {label}
    </label>
  )
}

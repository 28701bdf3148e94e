/** A combobox as a field of a form, with its label, hint and error. */

import { Field, type FieldProps } from "../field.tsx"
import { Combobox, type ComboboxProps } from "./combobox.tsx"

type ComboboxFieldProps = Omit<ComboboxProps, "attributes"> & Pick<FieldProps, "hint" | "error">

export function ComboboxField({ hint, error = null, ...combobox }: ComboboxFieldProps) {
  const texts = { label: combobox.label, error, ...(hint !== undefined && { hint }) }
  return <Field {...texts}>{(attributes) => <Combobox {...combobox} {...{ attributes }} />}</Field>
}

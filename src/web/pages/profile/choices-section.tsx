/** Theme, zone, clock, numbers, keys: each is saved when it is chosen. */

import { useState } from "preact/hooks"
import { useApp } from "../../frame/app.ts"
import type { Choices } from "../../frame/preferences.ts"
import { CheckField, SelectField, TextField } from "../../parts/field.tsx"
import { isZone } from "../../format/zone.ts"
import style from "./profile.module.css"
import { text } from "./text.ts"

const numberForms = ["en-US", "de-CH", "de-DE", "fr-FR", "en-IN"] as const
const sampleNumber = 1_234_567.89

export function ChoicesSection() {
  const { preferences, api, toasts } = useApp()
  const choices = preferences.choices.value
  const change = (changes: Partial<Choices>): void => {
    preferences.change(api, changes).then(
      () => toasts.show(text.saved),
      (error: Error) => toasts.show(error.message, "error"),
    )
  }
  return (
    <>
      <section class={style["section"]}>
        <h2>{text.look}</h2>
        <div class={style["fields"]}>
          <SelectField
            label={text.theme}
            value={choices.theme}
            options={optionsOf(text.themes)}
            onValue={(theme) => change({ theme })}
          />
          <SelectField
            label={text.density}
            value={choices.density}
            options={optionsOf(text.densities)}
            onValue={(density) => change({ density })}
          />
        </div>
      </section>
      <section class={style["section"]}>
        <h2>{text.times}</h2>
        <div class={style["fields"]}>
          <ZoneField value={choices.zone} onValue={(zone) => change({ zone })} />
          <SelectField
            label={text.clock}
            value={choices.clock}
            options={optionsOf(text.clocks)}
            onValue={(clock) => change({ clock })}
          />
          <SelectField
            label={text.numbers}
            value={choices.numbers}
            options={[
              { value: "browser", text: text.numbersAsBrowser },
              ...numberForms.map((form) => ({
                value: form,
                text: new Intl.NumberFormat(form).format(sampleNumber),
              })),
            ]}
            onValue={(numbers) => change({ numbers })}
          />
        </div>
      </section>
      <section class={style["section"]}>
        <h2>{text.keys}</h2>
        <CheckField
          label={text.singleKeys}
          checked={choices.singleKeys === "on"}
          onValue={(isOn) => change({ singleKeys: isOn ? "on" : "off" })}
        />
      </section>
    </>
  )
}

function optionsOf<V extends string>(texts: Readonly<Record<V, string>>) {
  const values = Object.keys(texts) as V[]
  return values.map((value) => ({ value, text: texts[value] }))
}

interface ZoneFieldProps {
  readonly value: string
  readonly onValue: (zone: string) => void
}

/** Saved when the field is left, since half a name is no zone. */
function ZoneField({ value, onValue }: ZoneFieldProps) {
  const [typed, setTyped] = useState(value)
  const isRight = typed === "browser" || isZone(typed)
  return (
    <TextField
      label={text.zone}
      hint={text.zoneHint}
      error={isRight ? null : text.zoneError(typed)}
      value={typed}
      onValue={setTyped}
      onBlur={() => {
        if (isRight && typed !== value) onValue(typed)
      }}
    />
  )
}

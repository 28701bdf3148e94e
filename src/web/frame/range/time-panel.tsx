/** The panel of the time picker: ranges to choose, fields for any other, the zone. */

import refresh from "heroicons/20/solid/arrow-path.svg"
import cross from "heroicons/20/solid/x-mark.svg"
import type { TargetedEvent } from "preact"
import { useState } from "preact/hooks"
import { isZone } from "../../format/zone.ts"
import { Button } from "../../parts/button.tsx"
import { classNames } from "../../parts/class-names.ts"
import { TextField } from "../../parts/field.tsx"
import { Toggle } from "../../parts/toggle.tsx"
import { copyAndTell } from "../copy.ts"
import { parseTime, rangeMsMin, type RangeText } from "../../url/time-range.ts"
import { useApp } from "../app.ts"
import { quickRanges, rangeName } from "./range-names.ts"
import { pastedRange } from "./pasted-range.ts"
import { rangeLine, readRangeLine } from "./ranges.ts"
import { text } from "../text.ts"
import { TimeField } from "./time-field.tsx"
import style from "./time-picker.module.css"

interface TimePanelProps {
  readonly onDone: () => void
  /** Begins in the ranges: a field would bring the keyboard of a phone over them. */
  readonly isSheet?: boolean
}

export function TimePanel({ onDone, isSheet = false }: TimePanelProps) {
  const { ranges } = useApp()
  const { text: present } = ranges.current.value
  const choose = (range: RangeText): void => {
    ranges.show(range)
    onDone()
  }
  return (
    <div class={style["panel"]}>
      <div class={style["typed"]}>
        <Refresh onDone={onDone} />
        <RangeFields key={rangeLine(present)} onRange={choose} />
        <RangeLines onRange={choose} />
        <ZoneChoice />
      </div>
      <ul class={style["quick"]} aria-label={text.range.quick}>
        {quickRanges.map((range, i) => (
          <li key={range.name}>
            <button
              type="button"
              autofocus={isSheet && i === 0}
              class={style["choice"]}
              aria-current={range.from === present.from && range.to === present.to}
              onClick={() => choose(range)}
            >
              {range.name}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Shown if the top bar has no room for it. */
function Refresh({ onDone }: Pick<TimePanelProps, "onDone">) {
  const { ranges } = useApp()
  const isLive = ranges.live.value
  const refetch = (): void => {
    ranges.refetch()
    onDone()
  }
  return (
    <div class={classNames(style["actions"], style["refreshHere"])}>
      <Button icon={refresh} onClick={refetch}>
        {text.range.keys.refetch}
      </Button>
      {isLive !== null && (
        <Toggle isOn={isLive} onValue={() => ranges.switchLive()}>
          {text.range.live}
        </Toggle>
      )}
    </div>
  )
}

interface RangeFieldsProps {
  readonly onRange: (range: RangeText) => void
}

function RangeFields({ onRange }: RangeFieldsProps) {
  const { ranges, preferences, api, toasts } = useApp()
  const current = ranges.current.value
  const [typed, setTyped] = useState<RangeText>(current.text)
  const [isChecked, setChecked] = useState(false)
  const context = { nowMs: current.nowMs, zone: current.style.zone }
  const problems = isChecked ? rangeProblems(typed, context) : noProblems
  const submit = (event: TargetedEvent): void => {
    event.preventDefault()
    setChecked(true)
    const given = pastedRange(typed.from) ?? typed
    setTyped(given)
    const { from, to } = rangeProblems(given, context)
    if (from !== null || to !== null) return
    ranges.remember(given)
    onRange(given)
  }
  const copy = (): void => {
    const { copied: done, notCopied: failed } = text.range
    void copyAndTell(toasts, rangeLine(typed), { done, failed })
  }
  const save = (): void => {
    const own = new Set([...preferences.choices.value.quickRanges, rangeLine(typed)])
    preferences.change(api, { quickRanges: [...own] }).catch((error: Error) => {
      toasts.show(error.message, "error")
    })
  }
  return (
    <form class={style["fields"]} onSubmit={submit} noValidate>
      <div class={style["first"]}>
        <EndField label={text.range.from} name="from" {...{ typed, setTyped, problems }} />
      </div>
      <EndField label={text.range.to} name="to" {...{ typed, setTyped, problems }} />
      <p class={style["hint"]}>{text.range.hint}</p>
      <div class={style["actions"]}>
        <Button kind="main" type="submit">
          {text.range.apply}
        </Button>
        <Button kind="quiet" onClick={() => void copy()}>
          {text.range.copy}
        </Button>
        <Button kind="quiet" onClick={save}>
          {text.range.save}
        </Button>
      </div>
    </form>
  )
}

type RangeProblems = Readonly<Record<keyof RangeText, string | null>>
const noProblems: RangeProblems = { from: null, to: null }

function rangeProblems(
  { from, to }: RangeText,
  context: Parameters<typeof parseTime>[2],
): RangeProblems {
  const startMs = parseTime(from, "start", context)
  const endMs = parseTime(to, "end", context)
  const isReversed = startMs !== undefined && endMs !== undefined && endMs - startMs < rangeMsMin
  return {
    from: startMs === undefined ? text.range.notTime(from) : null,
    to: endMs === undefined ? text.range.notTime(to) : isReversed ? text.range.notAfter : null,
  }
}

interface EndFieldProps {
  readonly label: string
  readonly name: keyof RangeText
  readonly typed: RangeText
  readonly setTyped: (typed: RangeText) => void
  readonly problems: RangeProblems
}

/** A pasted range fills both fields, a typed one does at Enter. */
function EndField({ label, name, typed, setTyped, problems }: EndFieldProps) {
  const change = (value: string): void => {
    setTyped({ ...typed, [name]: value })
  }
  const paste = (event: ClipboardEvent): void => {
    const range = pastedRange(event.clipboardData?.getData("text/plain") ?? "")
    if (range === null) return
    event.preventDefault()
    setTyped(range)
  }
  return (
    <div onPaste={paste}>
      <TimeField label={label} value={typed[name]} error={problems[name]} onValue={change} />
    </div>
  )
}

/** Ranges of one's own, which can be removed, and those that were typed last. */
function RangeLines({ onRange }: RangeFieldsProps) {
  const { ranges, preferences, api, toasts } = useApp()
  const own = preferences.choices.value.quickRanges
  const recent = ranges.recent.filter((line) => !own.includes(line))
  const remove = (line: string): void => {
    const rest = own.filter((one) => one !== line)
    preferences.change(api, { quickRanges: rest }).catch((error: Error) => {
      toasts.show(error.message, "error")
    })
  }
  return (
    <>
      {own.length > 0 && (
        <RangeList title={text.range.own} lines={own} onRange={onRange} onRemove={remove} />
      )}
      {recent.length > 0 && (
        <RangeList title={text.range.recent} lines={recent} onRange={onRange} />
      )}
    </>
  )
}

interface RangeListProps extends RangeFieldsProps {
  readonly title: string
  readonly lines: readonly string[]
  readonly onRemove?: (line: string) => void
}

function RangeList({ title, lines, onRange, onRemove }: RangeListProps) {
  const { ranges } = useApp()
  const { style: times, range } = ranges.current.value
  const named = lines.flatMap((line) => {
    const given = readRangeLine(line)
    if (given === null) return []
    const context = { nowMs: ranges.current.value.nowMs, zone: times.zone }
    const startMs = parseTime(given.from, "start", context) ?? range.startMs
    const endMs = parseTime(given.to, "end", context) ?? range.endMs
    const shown = { ...ranges.current.value, text: given, range: { startMs, endMs } }
    return [{ line, given, name: rangeName(shown) }]
  })
  return (
    <div>
      <h3 class={style["listTitle"]}>{title}</h3>
      <ul>
        {named.map(({ line, given, name }) => (
          <li key={line} class={style["line"]}>
            <button
              type="button"
              class={classNames(style["choice"], style["wide"])}
              title={line}
              onClick={() => onRange(given)}
            >
              {name}
            </button>
            {onRemove !== undefined && (
              <Button
                kind="quiet"
                icon={cross}
                iconName={text.range.remove(name)}
                onClick={() => onRemove(line)}
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Shows all times of the page in another zone; the profile's zone is none of the link. */
function ZoneChoice() {
  const { ranges, preferences } = useApp()
  const profile = preferences.timeStyle.value.zone.name
  const { zone } = ranges.current.value.style
  const [typed, setTyped] = useState(zone.name === profile ? "" : zone.name)
  const isRight = typed === "" || isZone(typed)
  const apply = (): void => {
    if (isRight) ranges.showZone(typed === profile ? "" : typed)
  }
  return (
    <form
      class={style["zoneChoice"]}
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <TextField
        label={text.range.zone}
        hint={text.range.zoneHint(profile)}
        error={isRight ? null : text.range.notZone(typed)}
        value={typed}
        placeholder={profile}
        onValue={setTyped}
        onBlur={apply}
      />
      <Button
        onClick={() => {
          setTyped("UTC")
          ranges.showZone(profile === "UTC" ? "" : "UTC")
        }}
      >
        UTC
      </Button>
    </form>
  )
}

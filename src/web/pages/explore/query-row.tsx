/** One query as a row: metric, filter, grouping, ranking, shift. Every change is in the URL. */

import copy from "heroicons/20/solid/document-duplicate.svg"
import cross from "heroicons/20/solid/x-mark.svg"
import eye from "heroicons/20/solid/eye.svg"
import eyeOff from "heroicons/20/solid/eye-slash.svg"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { groupAggregations, seriesOrders, type SeriesOrder } from "../../api/series-answer.ts"
import { Button } from "../../parts/button.tsx"
import { classNames } from "../../parts/class-names.ts"
import { InlineSelect } from "../../parts/inline-select.tsx"
import { focusFirst } from "../../platform/focus.ts"
import { useStateOf } from "../../parts/use-state-of.ts"
import { parseFilter, type FilterTerm } from "../../url/filter-language.ts"
import style from "./explore.module.css"
import { MetricField } from "./metric-field.tsx"
import { isGrouping, limitMax, plainGroupings, type ExploreQuery } from "./query-codec.ts"
import { text } from "./text.ts"

export interface QueryRowProps {
  readonly letter: string
  readonly query: ExploreQuery
  readonly terms: readonly FilterTerm[]
  /** Not for the only query. */
  readonly canRemove: boolean
  readonly onChange: (changes: Partial<ExploreQuery>) => void
  readonly onCopy: () => void
  readonly onRemove: () => void
}

export function QueryRow(props: QueryRowProps) {
  const { letter, query, terms, canRemove, onChange } = props
  return (
    <div
      class={classNames(style["query"], query.isOff && style["off"])}
      role="group"
      aria-label={text.query(letter)}
    >
      <span class={style["letter"]} aria-hidden="true">
        {letter}
      </span>
      <MetricField query={query} terms={terms} onMetric={(metric) => onChange({ metric })} />
      <Where where={query.where} onWhere={(where) => onChange({ where })} />
      <Grouping query={query} onChange={onChange} />
      <Ranking query={query} onChange={onChange} />
      <ShiftChoice query={query} onChange={onChange} />
      <span class={style["commands"]}>
        <Button
          kind="quiet"
          icon={query.isOff ? eyeOff : eye}
          iconName={query.isOff ? text.on(letter) : text.off(letter)}
          onClick={() => onChange({ isOff: !query.isOff })}
        />
        <Button kind="quiet" icon={copy} iconName={text.copy} onClick={props.onCopy} />
        {canRemove && (
          <Button kind="quiet" icon={cross} iconName={text.remove} onClick={props.onRemove} />
        )}
      </span>
    </div>
  )
}

interface WhereFieldProps {
  readonly where: string
  readonly onWhere: (where: string) => void
}

/** The field of a filter of its own; a button until there is one. */
function Where(props: WhereFieldProps) {
  const [isOpen, setOpen] = useState(false)
  const label = useRef<HTMLLabelElement>(null)
  useLayoutEffect(() => {
    if (isOpen) focusFirst(label.current!)
  }, [isOpen])
  if (!isOpen && props.where === "") {
    return (
      <span class={style["where"]}>
        <Button kind="quiet" onClick={() => setOpen(true)}>
          {text.addWhere}
        </Button>
      </span>
    )
  }
  return (
    <label ref={label} class={classNames(style["labelled"], style["where"])}>
      <span>{text.where}</span>
      <WhereField {...props} />
    </label>
  )
}

/** In force at Enter and when it is left; a text with a problem is not. */
function WhereField({ where, onWhere }: WhereFieldProps) {
  const [typed, setTyped] = useStateOf(where, where)
  const isWrong = parseFilter(typed).problems.length > 0
  const apply = (): void => {
    if (!isWrong && typed.trim() !== where) onWhere(typed.trim())
  }
  return (
    <input
      class={style["field"]}
      placeholder={text.wherePlaceholder}
      aria-invalid={isWrong || undefined}
      title={isWrong ? text.whereWrong : undefined}
      autocomplete="off"
      spellcheck={false}
      dir="auto"
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => {
        if (key === "Enter") apply()
      }}
    />
  )
}

type PartProps = Pick<QueryRowProps, "query" | "onChange">

/** By what series are combined; a tag or attribute needs its key. */
function Grouping({ query: { by, aggregation }, onChange }: PartProps) {
  const [word = "", ...rest] = by.split(".")
  const isKeyed = word === "tag" || word === "attribute"
  const [keyed, setKeyed] = useState<"tag" | "attribute" | null>(null)
  const shown = keyed ?? (isKeyed ? word : by)
  const choose = (chosen: string): void => {
    const next = chosen === "tag" || chosen === "attribute" ? chosen : null
    setKeyed(next)
    if (next === null) onChange({ by: chosen })
  }
  const applyKey = (key: string): void => {
    const next = `${shown}.${key.trim()}`
    if (key.trim() === "" || !isGrouping(next)) return
    setKeyed(null)
    if (next !== by) onChange({ by: next })
  }
  const words = [...plainGroupings, "tag", "attribute"] as const
  return (
    <span class={style["labelled"]}>
      <InlineSelect
        label={text.by}
        isShown
        value={shown}
        options={words.map((value) => ({ value, text: text.byWords[value] }))}
        onValue={choose}
      />
      {(shown === "tag" || shown === "attribute") && (
        <input
          class={classNames(style["field"], style["key"])}
          aria-label={text.key}
          placeholder={text.key}
          defaultValue={rest.join(".")}
          onBlur={({ currentTarget }) => applyKey(currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => {
            if (key === "Enter") applyKey(currentTarget.value)
          }}
        />
      )}
      {by !== "series" && (
        <InlineSelect
          label={text.aggregation}
          value={aggregation}
          options={groupAggregations.map((value) => ({ value, text: value }))}
          onValue={(chosen) => onChange({ aggregation: chosen })}
        />
      )}
    </span>
  )
}

/** Peaks are found from the top, dips from the bottom. */
function turned(direction: "desc" | "asc", order: SeriesOrder): Partial<ExploreQuery> {
  const isExtreme = order === "max" || order === "min"
  return { direction, ...(isExtreme && { order: direction === "desc" ? "max" : "min" }) }
}

function Ranking({ query: { order, direction, limit }, onChange }: PartProps) {
  const apply = (typed: string): void => {
    const next = /^\d{1,4}$/.test(typed) ? Number(typed) : 0
    if (next >= 1 && next <= limitMax && next !== limit) onChange({ limit: next })
  }
  return (
    <span class={classNames(style["labelled"], style["ranking"])}>
      <InlineSelect
        label={text.direction}
        value={direction}
        options={[
          { value: "desc", text: text.highest },
          { value: "asc", text: text.lowest },
        ]}
        onValue={(chosen) => onChange(turned(chosen, order))}
      />
      <input
        key={limit}
        type="number"
        aria-label={text.limit}
        class={classNames(style["field"], style["limit"])}
        min={1}
        max={limitMax}
        defaultValue={limit}
        onBlur={({ currentTarget }) => apply(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") apply(currentTarget.value)
        }}
      />
      <InlineSelect
        label={text.order}
        isShown
        value={order}
        options={seriesOrders.map((value) => ({ value, text: text.orders[value] }))}
        onValue={(chosen) => onChange({ order: chosen })}
      />
    </span>
  )
}

function ShiftChoice({ query: { shift }, onChange }: PartProps) {
  const known = Object.entries(text.shifts).map(([value, name]) => ({ value, text: name }))
  const isKnown = known.some(({ value }) => value === shift)
  const options = isKnown ? known : [...known, { value: shift, text: text.shiftAgo(shift) }]
  return (
    <InlineSelect
      label={text.shift}
      value={shift}
      options={options}
      onValue={(chosen) => onChange({ shift: chosen })}
    />
  )
}

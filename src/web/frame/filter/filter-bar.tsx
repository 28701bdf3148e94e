/**
 * The filter bar: the terms of the filter as chips, and a field for more. A typed term is in force
 * 300 ms after the last key, or when its value is one that there is, and becomes a chip by Enter;
 * Backspace in the empty field takes the last chip back to the field, a click on a chip takes that
 * one. One button shows all as one text.
 * `/` goes to the field. A text with a problem is explained below, and the former filter stays.
 * What is typed is completed from a list, which is loaded at the first letter. On a phone all this
 * is in a sheet.
 */

import cross from "heroicons/20/solid/x-mark.svg"
import funnel from "heroicons/20/solid/funnel.svg"
import pencil from "heroicons/20/solid/pencil-square.svg"
import type { ComponentChildren, TargetedKeyboardEvent } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import { Button } from "../../parts/button.tsx"
import { classNames } from "../../parts/class-names.ts"
import { Dialog } from "../../parts/dialog.tsx"
import { Icon } from "../../parts/icon.tsx"
import { visibleText } from "../../format/visible-text.ts"
import { after } from "../../platform/timers.ts"
import {
  parseFilter,
  printFilter,
  printTerm,
  type FilterProblem,
  type FilterTerm,
} from "../../url/filter-language.ts"
import { useCompletion, type FieldCompletion } from "./completion.tsx"
import style from "./filter-bar.module.css"
import { usePageFilter, type PageFilter } from "./page-filter.ts"
import { text } from "../text.ts"
import { useHotkeys } from "../use-hotkeys.ts"
import { phoneWindow, useMedia } from "../use-media.ts"

/** Longer than between two keys of most people, so that a word is one request. */
const typedMs = 300

export interface FilterBarProps {
  /** Next to the field: how many pass, and commands of the page. */
  readonly children?: ComponentChildren
}

export function FilterBar(props: FilterBarProps) {
  return useMedia(phoneWindow) ? <FilterButton {...props} /> : <FilterFields {...props} />
}

/** On a phone: the filter as a button, which opens it in a sheet. */
function FilterButton({ children }: FilterBarProps) {
  const { text: written, problems } = usePageFilter()
  const [isOpen, setOpen] = useState(false)
  const open = (): void => setOpen(true)
  useHotkeys([{ keys: "/", text: text.filter.key, group: "everywhere", run: open }])
  const shown = visibleText(written)
  return (
    <div class={style["bar"]}>
      <div class={style["row"]}>
        <Button icon={funnel} aria-haspopup="dialog" onClick={open}>
          <span class={style["written"]} dir="auto">
            {written === "" ? text.filter.label : text.filter.written(shown)}
          </span>
        </Button>
        {children}
      </div>
      {!isOpen && <Problems problems={problems} />}
      {isOpen && (
        <Dialog
          shape="sheet"
          title={text.filter.label}
          closeName={text.close}
          onClose={() => setOpen(false)}
        >
          <FilterFields />
        </Dialog>
      )}
    </div>
  )
}

function FilterFields({ children }: FilterBarProps) {
  const filter = usePageFilter()
  const draft = useDraft(filter)
  const field = useRef<HTMLInputElement>(null)
  useFilterKey(field)
  const id = useId()
  const edit: EditTerms = (terms, typed) => {
    draft.edit(terms, typed)
    field.current?.focus()
  }
  const { typed, type, take } = draft
  const completion = useCompletion({ field, typed, type, take })
  const { isPartial } = completion
  useEffect(
    () => (isPartial ? undefined : after(typedMs, draft.settle)),
    [typed, draft.terms, isPartial],
  )
  const all = draft.problems.length > 0 ? draft.problems : filter.problems
  // A value that is still to be chosen is no problem yet.
  const problems = completion.isListed ? all.filter(({ kind }) => kind !== "no-value") : all
  return (
    <div class={style["bar"]}>
      <div class={style["row"]}>
        <div class={classNames(style["box"], problems.length > 0 && style["wrong"])} role="search">
          <Icon paths={funnel} size={16} />
          {draft.terms.map((term, i) => (
            <Chip
              key={`${i} ${printTerm(term)}`}
              term={term}
              onEdit={() => edit(without(draft.terms, i), printTerm(term))}
              onRemove={() => draft.choose(without(draft.terms, i))}
            />
          ))}
          <Field
            {...{ field, draft, completion, edit }}
            problemId={problems.length > 0 ? id : null}
          />
          {completion.list}
          {draft.terms.length > 0 && <WholeFilterButtons draft={draft} edit={edit} />}
        </div>
        {children}
      </div>
      <Problems {...{ id, problems }} />
    </div>
  )
}

interface ProblemsProps {
  readonly id?: string
  readonly problems: readonly FilterProblem[]
}

function Problems({ id, problems }: ProblemsProps) {
  return (
    <div id={id} role="status">
      <ul class={style["problems"]}>
        {problems.map((problem) => (
          <li key={problem.start}>{`${problemText(problem)}. ${text.filter.stays}`}</li>
        ))}
      </ul>
    </div>
  )
}

/** Puts a text into the field, with these terms as chips, and the focus there. */
type EditTerms = (terms: readonly FilterTerm[], typed: string) => void

interface FieldProps {
  readonly field: { current: HTMLInputElement | null }
  readonly draft: Draft
  readonly completion: FieldCompletion
  readonly edit: EditTerms
  /** The element that explains what is wrong with the text; null if nothing is. */
  readonly problemId: string | null
}

function Field({ field, draft, completion, edit, problemId }: FieldProps) {
  const hasTerms = draft.terms.length > 0
  return (
    <input
      ref={field}
      class={style["field"]}
      {...completion.fieldAttributes}
      aria-label={text.filter.label}
      aria-describedby={problemId ?? undefined}
      aria-invalid={problemId !== null || undefined}
      placeholder={hasTerms ? text.filter.placeholderMore : text.filter.placeholder}
      spellcheck={false}
      autocomplete="off"
      dir="auto"
      value={draft.typed}
      onInput={({ currentTarget }) => {
        draft.type(currentTarget.value)
        completion.open()
      }}
      onBlur={() => {
        completion.close()
        draft.finish()
      }}
      onKeyDown={(event) => {
        if (!completion.takeKey(event)) onFieldKey(event, draft, edit)
      }}
    />
  )
}

interface WholeFilterButtonsProps {
  readonly draft: Draft
  readonly edit: EditTerms
}

function WholeFilterButtons({ draft, edit }: WholeFilterButtonsProps) {
  return (
    <>
      <Button
        kind="quiet"
        icon={pencil}
        iconName={text.filter.asText}
        onClick={() => edit([], printFilter(draft.terms))}
      />
      <Button
        kind="quiet"
        icon={cross}
        iconName={text.filter.clear}
        onClick={() => draft.choose([])}
      />
    </>
  )
}

function without(terms: readonly FilterTerm[], index: number): FilterTerm[] {
  return terms.filter((_, i) => i !== index)
}

function problemText({ kind, given }: FilterProblem): string {
  return text.filter.problems[kind](visibleText(given))
}

interface Draft {
  /** Those that are chips. */
  readonly terms: readonly FilterTerm[]
  /** Text of the field, which is not a chip yet. */
  readonly typed: string
  readonly problems: readonly FilterProblem[]
  type(typed: string): void
  /** The typed terms are in force, if they have no problem. */
  settle(): void
  /** The typed terms become chips, if they have no problem. */
  finish(): void
  /** A text that was chosen becomes chips. */
  take(text: string): void
  choose(terms: readonly FilterTerm[]): void
  edit(terms: readonly FilterTerm[], typed: string): void
}

/** Chips and typed text make the filter of the URL; a filter from elsewhere is all chips. */
function useDraft(filter: PageFilter): Draft {
  const [state, setState] = useState({ terms: filter.terms, typed: "" })
  const written = useRef(filter.text)
  if (written.current !== filter.text) {
    written.current = filter.text
    setState({ terms: filter.terms, typed: "" })
  }
  const { terms, typed } = state
  const { terms: typedTerms, problems } = parseFilter(typed)
  const write = (next: readonly FilterTerm[], how: "chosen" | "typed"): void => {
    const printed = printFilter(next)
    if (printed === written.current) return
    written.current = printed
    filter.set(printed, how)
  }
  return {
    terms,
    typed,
    problems,
    settle() {
      if (problems.length === 0) write([...terms, ...typedTerms], "typed")
    },
    type: (next) => setState({ terms, typed: next }),
    finish() {
      if (problems.length > 0 || typedTerms.length === 0) return
      const all = [...terms, ...typedTerms]
      setState({ terms: all, typed: "" })
      write(all, "typed")
    },
    take(text) {
      const taken = parseFilter(text)
      if (taken.problems.length > 0) return setState({ terms, typed: text })
      const all = [...terms, ...taken.terms]
      setState({ terms: all, typed: "" })
      write(all, "chosen")
    },
    choose(next) {
      setState({ terms: next, typed })
      write([...next, ...(problems.length > 0 ? [] : typedTerms)], "chosen")
    },
    edit: (next, text) => setState({ terms: next, typed: text }),
  }
}

function onFieldKey(
  event: TargetedKeyboardEvent<HTMLInputElement>,
  draft: Draft,
  edit: EditTerms,
): void {
  const last = draft.terms.at(-1)
  if (event.key === "Enter") draft.finish()
  else if (event.key === "Escape") event.currentTarget.blur()
  else if (event.key === "Backspace" && draft.typed === "" && last !== undefined) {
    event.preventDefault()
    edit(draft.terms.slice(0, -1), printTerm(last))
  }
}

function useFilterKey(field: { readonly current: HTMLInputElement | null }): void {
  const run = (): void => field.current?.focus()
  useHotkeys([{ keys: "/", text: text.filter.key, group: "everywhere", run }])
}

interface ChipProps {
  readonly term: FilterTerm
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function Chip({ term, onEdit, onRemove }: ChipProps) {
  const printed = visibleText(printTerm(term))
  return (
    <span class={classNames(style["chip"], term.isNot && style["not"])}>
      <button
        type="button"
        class={style["term"]}
        dir="auto"
        title={text.filter.change(printed)}
        onClick={onEdit}
      >
        {printed}
      </button>
      <button
        type="button"
        class={style["remove"]}
        aria-label={text.filter.remove(printed)}
        onClick={onRemove}
      >
        <Icon paths={cross} size={16} />
      </button>
    </span>
  )
}

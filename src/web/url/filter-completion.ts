/**
 * Completion of a typed filter: what its end asks for, and the text with a choice in its place.
 *
 *   we            a word: fields, tags and elements with it
 *   tag.en        names of tags
 *   tag.env:pr    values of the tag `env`; the same after a comma
 *   /a.*          nothing: what a regular expression means is not known here
 */

import {
  fieldText,
  plainFields,
  printTerm,
  printValue,
  type FilterField,
  type FilterValue,
  type PlainField,
} from "./filter-language.ts"

export type Completable =
  | { readonly kind: "word" }
  | { readonly kind: "key"; readonly of: "tag" | "attr" }
  | { readonly kind: "value"; readonly field: FilterField }

/** The end of a text that may be completed. */
export interface Completion {
  /** The text in front of what a choice replaces. */
  readonly before: string
  /** The text that is searched for; may be empty. */
  readonly searched: string
  readonly wanted: Completable
}

/** Null if nothing can be said about the end of this text. */
export function completionOf(typed: string): Completion | null {
  const { termStart, valueStart, quote } = endOf(typed)
  const term = typed.slice(termStart)
  const [start, not, of, key, name, colon] =
    /^(-?)(?:(tag|attr)\.((?:[^\s:,"\\]|\\.)*)|([a-z]+))?(:?)/s.exec(term)!
  const value = valueOf(typed.slice(valueStart), quote)
  if (colon === ":") {
    const field = fieldOf(of, key, name)
    if (field === null || value === null) return null
    return { before: typed.slice(0, valueStart), searched: value, wanted: { kind: "value", field } }
  }
  const before = typed.slice(0, termStart) + not
  if (of === "tag" || of === "attr") {
    if (start.length < term.length) return null
    return { before, searched: unescaped(key ?? ""), wanted: { kind: "key", of } }
  }
  if (valueStart > termStart || quote !== "" || value === null) return null
  const searched = unescaped(term.slice(not!.length))
  return searched === "" ? null : { before, searched, wanted: { kind: "word" } }
}

function fieldOf(
  of: string | undefined,
  key: string | undefined,
  name: string | undefined,
): FilterField | null {
  if (of === "tag" || of === "attr") {
    return key === "" || key === undefined ? null : { kind: of, key: unescaped(key) }
  }
  const kind = plainFields.find((one) => one === name)
  return kind === undefined ? null : { kind }
}

/** Where the last term and its last value begin, and the quote that is open there. */
function endOf(typed: string) {
  const end = { termStart: 0, valueStart: 0, quote: "" }
  for (let at = 0; at < typed.length; at++) {
    const char = typed[at]!
    if (char === "\\" && end.quote !== "/") at++
    else if (end.quote !== "") {
      if (char === "\\" && typed[at + 1] === "/") at++
      else if (char === end.quote) end.quote = ""
    } else if (/\s/.test(char)) end.termStart = end.valueStart = at + 1
    else if (char === "," || (char === ":" && isAfterField(typed.slice(end.termStart, at)))) {
      end.valueStart = at + 1
    } else if ((char === '"' || char === "/") && isValueStart(typed, at, end)) end.quote = char
  }
  return end
}

function isAfterField(term: string): boolean {
  return /^-?(?:(?:tag|attr)\.(?:[^\s:,"\\]|\\.)+|[a-z]+)$/s.test(term)
}

function isValueStart(
  typed: string,
  at: number,
  { termStart, valueStart }: { readonly termStart: number; readonly valueStart: number },
): boolean {
  return at === valueStart || (at === termStart + 1 && typed[termStart] === "-")
}

/** The searched text of a value that has no end yet; null for an ended or a regular one. */
function valueOf(text: string, quote: string): string | null {
  if (quote === '"') return text.slice(1).replace(/\\(["\\])/g, "$1")
  return quote === "/" || /^["/]/.test(text) ? null : unescaped(text)
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, "$1")
}

/** The text with a field in the place of a word, or with a key: its value is typed next. */
export function withField({ before }: Completion, field: FilterField): string {
  return `${before}${fieldText(field)}:`
}

/** The text with a term in the place of a word. */
export function withTerm({ before }: Completion, field: FilterField, value: string): string {
  return before + chosenTerm(field, value)
}

/** The text of a term for elements with this value. */
export function chosenTerm(field: FilterField, value: string): string {
  return printTerm({ isNot: false, field, values: [chosen(field, value)] })
}

/** The text with a value in the place of a part of it. */
export function withValue({ before }: Completion, field: FilterField, value: string): string {
  return before + printValue(chosen(field, value), false)
}

/** Fields whose plain values mean the whole text, so that a chosen one needs no quotes. */
const wholeFields: ReadonlySet<FilterField["kind"]> = new Set([
  "type",
  "unit",
  "status",
  "tag",
  "attr",
])

/** A chosen text means itself, also if it has a star or is a part of others. */
function chosen({ kind }: FilterField, text: string): FilterValue {
  const isPlain = wholeFields.has(kind) && /^[\w.@/-]+$/.test(text)
  return { text, match: isPlain ? "plain" : "equal" }
}

/** Fields that begin with a text. */
export function fieldsLike(searched: string): (PlainField | "tag" | "attr")[] {
  const all = [...plainFields, "tag", "attr"] as const
  return all.filter((field) => field.startsWith(searched.toLowerCase()))
}

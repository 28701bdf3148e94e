/**
 * The filter language: `type:SERVER tag.env:prod,stage -name:test web`. Terms are joined by "and",
 * values of a term by "or". One parser; chips are its terms, and requests its groups.
 *
 *   term    [-]value{,value}  |  [-]field:value{,value}  |  [-]tag.KEY  |  [-]attr.KEY
 *   value   plain   part of names, equal elsewhere, both without case; * matches any text
 *           "…"     equal, with case; \" and \\ inside
 *           /…/     regular expression; \/ inside
 */

export const plainFields = [
  "type",
  "name",
  "fqn",
  "location",
  "collector",
  "metric",
  "unit",
  "status",
] as const
export type PlainField = (typeof plainFields)[number]

export type FilterField =
  | { readonly kind: "word" }
  | { readonly kind: PlainField }
  | { readonly kind: "tag" | "attr"; readonly key: string }

export interface FilterValue {
  readonly text: string
  readonly match: "plain" | "equal" | "pattern"
}

export interface FilterTerm {
  readonly isNot: boolean
  readonly field: FilterField
  /** Empty for `tag.KEY` and `attr.KEY`, which ask whether there is one. */
  readonly values: readonly FilterValue[]
}

export interface FilterProblem {
  /** Position in the text, end not included. */
  readonly start: number
  readonly end: number
  readonly kind: "unknown-field" | "unended-quote" | "unended-pattern" | "no-value" | "too-long"
  /** The text at that position. */
  readonly given: string
}

export interface ParsedFilter {
  readonly terms: readonly FilterTerm[]
  readonly problems: readonly FilterProblem[]
}

/** Longer texts do not fit the address bars of all proxies. */
export const filterLengthMax = 2_000

/** Reads a filter; never throws. Terms with a problem are left out and named. */
export function parseFilter(text: string): ParsedFilter {
  if (text.length > filterLengthMax) {
    return { terms: [], problems: [problemAt("too-long", 0, text.length, "")] }
  }
  const reader = new FilterReader(text)
  const terms: FilterTerm[] = []
  for (let term = reader.next(); term !== null; term = reader.next()) {
    if (term !== "wrong") terms.push(term)
  }
  return { terms, problems: reader.problems }
}

function problemAt(
  kind: FilterProblem["kind"],
  start: number,
  end: number,
  given: string,
): FilterProblem {
  return { kind, start, end, given }
}

class FilterReader {
  readonly problems: FilterProblem[] = []
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  /** The next term; "wrong" for one with a problem, null at the end. */
  next(): FilterTerm | "wrong" | null {
    while (/\s/.test(this.text.charAt(this.at))) this.at++
    const start = this.at
    if (start >= this.text.length) return null
    const isNot = this.text[start] === "-" && /\S/.test(this.text.charAt(start + 1))
    if (isNot) this.at++
    const before = this.problems.length
    const field = this.field()
    const values = field === null ? this.values() : this.valuesOf(field)
    if (this.problems.length > before) return "wrong"
    const isBareKey = field !== null && "key" in field
    if (values.length === 0 && !isBareKey) return this.wrong("no-value", start)
    return { isNot, field: field ?? { kind: "word" }, values }
  }

  /** The field before a colon, or a bare `tag.KEY`; null if there is none. */
  private field(): FilterField | null {
    const match = /^(?:(tag|attr)\.((?:[^\s:,"\\]|\\.)+)|([a-z]+)(?=:))/s.exec(
      this.text.slice(this.at),
    )
    if (match === null) return null
    const start = this.at
    const [whole, kind, key, name] = match
    if (kind === "tag" || kind === "attr") {
      this.at += whole.length
      return { kind, key: unescaped(key!) }
    }
    const plain = plainFields.find((one) => one === name)
    if (plain === undefined) {
      this.at += whole.length
      this.wrong("unknown-field", start)
      return { kind: "word" }
    }
    this.at += whole.length
    return { kind: plain }
  }

  private valuesOf(field: FilterField): FilterValue[] {
    if (this.text[this.at] !== ":") return "key" in field ? [] : this.values()
    const colon = this.at++
    const before = this.problems.length
    const values = this.values()
    if (values.length === 0 && this.problems.length === before) this.wrong("no-value", colon)
    return values
  }

  private values(): FilterValue[] {
    const values: FilterValue[] = []
    for (;;) {
      const value = this.value()
      if (value !== null) values.push(value)
      if (this.text[this.at] !== ",") return values
      this.at++
    }
  }

  private value(): FilterValue | null {
    const first = this.text[this.at]
    if (first === '"') return this.delimited('"', "equal", "unended-quote")
    if (first === "/") return this.delimited("/", "pattern", "unended-pattern")
    const match = /^(?:[^\s,\\]|\\.?)+/s.exec(this.text.slice(this.at))
    if (match === null) return null
    this.at += match[0].length
    return { text: unescaped(match[0]), match: "plain" }
  }

  private delimited(
    mark: string,
    match: "equal" | "pattern",
    problem: FilterProblem["kind"],
  ): FilterValue | null {
    const start = this.at++
    let text = ""
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!
      if (char === mark) {
        this.at++
        return { text, match }
      }
      const escaped = char === "\\" ? this.text[this.at + 1] : undefined
      const isEscape = escaped === mark || (match === "equal" && escaped === "\\")
      if (isEscape) this.at++
      text += isEscape ? escaped : char
    }
    this.wrong(problem, start)
    return null
  }

  private wrong(kind: FilterProblem["kind"], start: number): "wrong" {
    this.problems.push(problemAt(kind, start, this.at, this.text.slice(start, this.at)))
    return "wrong"
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, "$1")
}

/** The text of terms; `parseFilter` of it gives equal terms. */
export function printFilter(terms: readonly FilterTerm[]): string {
  return terms.map(printTerm).join(" ")
}

export function printTerm({ isNot, field, values }: FilterTerm): string {
  const name = fieldText(field)
  const colon = name !== "" && values.length > 0 ? ":" : ""
  const isWord = field.kind === "word"
  const text = values.map((value, i) => printValue(value, isWord && i === 0)).join(",")
  return `${isNot ? "-" : ""}${name}${colon}${text}`
}

/** `tag.env`; empty for words. */
export function fieldText(field: FilterField): string {
  if (field.kind === "word") return ""
  return "key" in field ? `${field.kind}.${escapeWith(/[\s:,"\\]/g, field.key)}` : field.kind
}

/** `isFirstWord`: the value begins a term, and may not look like a field. */
export function printValue({ text, match }: FilterValue, isFirstWord: boolean): string {
  if (match === "equal") return `"${escapeWith(/["\\]/g, text)}"`
  if (match === "pattern") return `/${text.replace(/\//g, "\\/")}/`
  const plain = escapeWith(/[\s,\\]/g, text).replace(/^["/]/, "\\$&")
  // A word may not look like a field or like "not".
  return isFirstWord ? plain.replace(/^-/, "\\-").replace(/^([a-z]+)([.:])/, "$1\\$2") : plain
}

function escapeWith(chars: RegExp, text: string): string {
  return text.replace(chars, "\\$&")
}

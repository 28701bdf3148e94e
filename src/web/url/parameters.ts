/**
 * Typed query parameters: each is parsed and printed by one definition, so that a link shows the
 * same page to everyone. A parameter that equals its fallback is left out; one that cannot be
 * parsed keeps its fallback and is named, so that the page can tell it.
 */

export interface Parameter<T> {
  readonly fallback: T
  /** Undefined for a text that `print` would not make of any value. */
  parse(text: string): T | undefined
  print(value: T): string
}

/** Parameters of a page by name. Method syntax lets one table hold parameters of several types. */
export type Definition = Readonly<Record<string, AnyParameter>>

interface AnyParameter {
  readonly fallback: unknown
  parse(text: string): unknown
  print(value: unknown): string
}

export type ValuesOf<D extends Definition> = {
  readonly [Name in keyof D]: D[Name]["fallback"]
}

export interface ReadParameters<D extends Definition> {
  readonly values: ValuesOf<D>
  /** Names of parameters whose text could not be parsed. */
  readonly broken: readonly string[]
}

/** Reads the defined parameters of a query; others are left alone. */
export function readParameters<D extends Definition>(
  definition: D,
  query: URLSearchParams,
): ReadParameters<D> {
  const broken: string[] = []
  const entries = Object.entries(definition).map(([name, parameter]) => {
    const text = query.get(name)
    const value = text === null ? parameter.fallback : parameter.parse(text)
    if (value === undefined) broken.push(name)
    return [name, value ?? parameter.fallback]
  })
  return { values: Object.fromEntries(entries) as ValuesOf<D>, broken }
}

/** Returns the query with the given values in place of its own; the others stay. */
export function writeParameters<D extends Definition>(
  definition: D,
  query: URLSearchParams,
  changes: Partial<ValuesOf<D>>,
): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    const parameter = definition[name]!
    const text = parameter.print(value)
    if (text === parameter.print(parameter.fallback)) next.delete(name)
    else next.set(name, text)
  }
  return next
}

/** Any text of at most `lengthMax` characters. */
export function textParameter(fallback = "", lengthMax = 2_000): Parameter<string> {
  const parse = (text: string) => (text.length <= lengthMax ? text : undefined)
  return { fallback, parse, print: (value) => value }
}

/** One of some words. */
export function wordParameter<W extends string>(
  words: readonly W[],
  fallback: NoInfer<W>,
): Parameter<W> {
  return { fallback, parse: (text) => words.find((word) => word === text), print: String }
}

/** `1` for true. */
export function flagParameter(fallback = false): Parameter<boolean> {
  const parse = (text: string) => (text === "1" ? true : text === "0" ? false : undefined)
  return { fallback, parse, print: (value) => (value ? "1" : "0") }
}

/** Texts joined by commas; commas and percent signs inside are escaped. */
export function listParameter(fallback: readonly string[] = []): Parameter<readonly string[]> {
  const escape = (text: string) => text.replaceAll("%", "%25").replaceAll(",", "%2C")
  const unescape = (text: string) => text.replaceAll("%2C", ",").replaceAll("%25", "%")
  return {
    fallback,
    parse: (text) => (text === "" ? [] : text.split(",").map(unescape)),
    print: (values) => values.map(escape).join(","),
  }
}

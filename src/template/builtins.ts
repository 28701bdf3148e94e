/** Built-ins of templates: `value?name(parameters)`, each as FreeMarker documents it. */

import { parsedJson } from "../base/json-value.ts"
import { formatTime, isTime } from "./time-text.ts"
import { renderedCharactersMax, TemplateError } from "./template-cursor.ts"
import { escapeHtml, escapeJson, Markup, type Escape, type OutputFormat } from "./markup.ts"
import type { TemplateValue } from "./syntax.ts"
import { isMissing, textOf } from "./values.ts"

type Builtin = (value: TemplateValue, parameters: readonly TemplateValue[]) => TemplateValue

const onText = (change: (text: string) => string): Builtin => {
  return (value) => change(textOf(value))
}

const html = onText(escapeHtml)

const builtins: Readonly<Record<string, Builtin>> = {
  upper_case: onText((text) => text.toUpperCase()),
  lower_case: onText((text) => text.toLowerCase()),
  cap_first: onText((text) => text.replace(/\S/, (first) => first.toUpperCase())),
  uncap_first: onText((text) => text.replace(/\S/, (first) => first.toLowerCase())),
  trim: onText((text) => text.trim()),
  length: (value) => textOf(value).length,
  html,
  xml: html,
  esc: onText((text) => text),
  no_esc: onText((text) => text),
  json_string: onText(jsonString),
  js_string: onText(jsString),
  url: onText((text) => encodeURIComponent(text)),
  c: onText((text) => text),
  string: asString,
  number: (value) => numberOf(value),
  datetime: (value) => value,
  has_content: hasContent,
  size: sizeOf,
  keys: (value) => Object.keys(isMap(value) ? value : {}),
  values: (value) => Object.values(isMap(value) ? value : {}),
  first: (value) => toList(value)[0],
  last: (value) => toList(value).at(-1),
  join: (value, [separator, empty]) => {
    const items = toList(value).map((item) => textOf(item))
    return items.length === 0 ? textOf(empty) : joined(items, textOf(separator))
  },
  replace: (value, [from, to]) => {
    const sought = textOf(from)
    return sought === "" ? textOf(value) : joined(textOf(value).split(sought), textOf(to))
  },
  contains: (value, [part]) => textOf(value).includes(textOf(part)),
  starts_with: (value, [part]) => textOf(value).startsWith(textOf(part)),
  ends_with: (value, [part]) => textOf(value).endsWith(textOf(part)),
}

export const builtinNames: readonly string[] = Object.keys(builtins)

export function isBuiltin(name: string): boolean {
  return Object.hasOwn(builtins, name)
}

export function applyBuiltin(
  name: string,
  value: TemplateValue,
  parameters: readonly TemplateValue[],
): TemplateValue {
  return builtins[name]!(value, parameters)
}

type Makers = Readonly<Record<string, (text: string, escape: Escape) => string>>

const everyMaker: Makers = {
  esc: (text, escape) => escape(text),
  no_esc: (text) => text,
}
/** Built-ins that turn a text into markup if the output is escaped. */
const makers: Makers = { ...everyMaker, html: escapeHtml, xml: escapeHtml }
const jsonMakers: Makers = { ...everyMaker, json_string: jsonString, js_string: jsString }
/** Built-ins whose result is markup if their value is. */
const keepers: ReadonlySet<string> = new Set(
  "trim replace upper_case lower_case cap_first uncap_first string c".split(" "),
)
/** Built-ins that would change an escape such as `\n`. */
const letterChangers: ReadonlySet<string> = new Set(
  "upper_case lower_case cap_first uncap_first html xml".split(" "),
)

/**
 * Applies a built-in in an output that is escaped. If the value is markup, `parameters` must be
 * escaped already.
 */
export function applyEscaping(
  name: string,
  {
    value,
    parameters,
    format,
  }: {
    value: TemplateValue
    parameters: readonly TemplateValue[]
    format: OutputFormat
  },
): TemplateValue {
  const known = format.isJson ? jsonMakers : makers
  const make = Object.hasOwn(known, name) ? known[name] : undefined
  if (make !== undefined) {
    return value instanceof Markup ? value : new Markup(make(textOf(value), format.escape))
  }
  if (!(value instanceof Markup)) return applyBuiltin(name, value, parameters)
  if (format.isJson && letterChangers.has(name)) {
    const text = parsedJson(`"${value.text}"`)
    if (typeof text === "string") return applyBuiltin(name, text, parameters)
  }
  const applied = applyBuiltin(name, value.text, parameters)
  return keepers.has(name) ? new Markup(textOf(applied)) : applied
}

/**
 * Applies a built-in inside of a JSON string that gives a text in a form of JSON by itself: items
 * joined by quotes, as in `["${list?join('", "')}"]`, are strings, and a replacement by an escape
 * is left to the output. Undefined for all others.
 */
export function applyInJsonString(
  name: string,
  value: TemplateValue,
  parameters: readonly TemplateValue[],
): TemplateValue {
  const [first, second] = parameters.map(textOf)
  if (name === "join" && first?.includes('"') === true) {
    const items = toList(value).map((item) => escapeJson(textOf(item)))
    return new Markup(joined(items, first))
  }
  const isEscape = name === "replace" && first !== undefined && first !== second
  return isEscape && escapeJson(first) === second ? value : undefined
}

/** Items of a list; none for a missing value; any other value as the only item. */
export function toList(value: TemplateValue): readonly TemplateValue[] {
  if (isMissing(value) || value === "") return []
  return Array.isArray(value) ? (value as readonly TemplateValue[]) : [value]
}

/** Checks the length before joining: a short template could produce gigabytes. */
function joined(items: readonly string[], separator: string): string {
  const length = items.reduce((sum, item) => sum + item.length + separator.length, 0)
  if (length - separator.length > renderedCharactersMax) {
    throw new TemplateError(`expected texts of at most ${renderedCharactersMax} characters`)
  }
  return items.join(separator)
}

/** Escapes a text for JSON quotes; `</`, which could end a script element, is escaped, too. */
function jsonString(text: string): string {
  return escapeJson(text).replaceAll("</", "<\\/")
}

function jsString(text: string): string {
  return jsonString(text).replaceAll("'", "\\'").replaceAll(">", "\\>")
}

/** `?string`, `?string("yes", "no")` of a boolean, `?string("yyyy-MM-dd HH:mm")` of a time. */
function asString(value: TemplateValue, parameters: readonly TemplateValue[]): TemplateValue {
  const [first, second] = parameters
  if (first === undefined) return textOf(value)
  if (typeof value === "boolean") return textOf(value ? first : second)
  const text = textOf(value)
  return isTime(text) ? formatTime(text, textOf(first)) : text
}

function numberOf(value: TemplateValue): number {
  const text = textOf(value).trim()
  const number = Number(text)
  if (text === "" || !Number.isFinite(number)) {
    throw new TemplateError(`?number: expected a number, got ${JSON.stringify(text.slice(0, 40))}`)
  }
  return number
}

function hasContent(value: TemplateValue): boolean {
  if (isMissing(value)) return false
  if (typeof value === "number" || typeof value === "boolean") return true
  return sizeOf(value) > 0
}

function sizeOf(value: TemplateValue): number {
  if (typeof value === "string") return value.length
  return isMap(value) ? Object.keys(value).length : toList(value).length
}

function isMap(value: TemplateValue): value is { readonly [name: string]: TemplateValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

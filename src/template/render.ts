/** Renders a template with its values; output and steps are bounded. */

import { parsedJson } from "../base/json-value.ts"
import { applyBuiltin, applyEscaping, applyInJsonString, toList } from "./builtins.ts"
import { JsonStrings } from "./json-strings.ts"
import { renderedCharactersMax, TemplateError } from "./template-cursor.ts"
import { htmlFormat, jsonFormat, Markup, type Escape, type OutputFormat } from "./markup.ts"
import type { TemplateOperator, TemplateExpression, TemplateNode, TemplateValue } from "./syntax.ts"
import { asNumber, compareValues, isMissing, textOf, truthOf } from "./values.ts"

/** Nodes and operators that one rendering may visit: some ten milliseconds. */
const stepsMax = 100_000

type Names = Readonly<Record<string, TemplateValue>>

/**
 * Throws `TemplateError` for a value of the wrong type, and beyond the bounds. With `escape`, every
 * value except markup is escaped.
 */
export function render(
  nodes: readonly TemplateNode[],
  names: Names,
  escape: Escape | null = null,
): string {
  return new Rendering(names, escape === null ? null : { escape, isJson: false }).run(nodes)
}

export interface RenderedDocument {
  readonly text: string
  readonly isHtml: boolean
}

/**
 * Renders HTML, with escaping, if the template itself begins with a tag, and plain text otherwise.
 * A value that begins with "<" does not make a text HTML, since values come from agents.
 *
 * @example
 * import { parseTemplate } from "./parse.ts"
 * const html = renderDocument(parseTemplate("<b>${name}</b>"), { name: "a & b" })
 * assert.deepEqual(html, { text: "<b>a &amp; b</b>", isHtml: true })
 */
export function renderDocument(nodes: readonly TemplateNode[], names: Names): RenderedDocument {
  const rendering = new Rendering(names, htmlFormat)
  const text = rendering.run(nodes)
  if (rendering.firstMark === "<") return { text, isHtml: true }
  return { text: render(nodes, names), isHtml: false }
}

/** How a template of a JSON object, or of a list of them, begins. */
const objectStart = /^\s*(?:\[\s*)?\{\s*"/

/**
 * Renders JSON, with values escaped inside of its strings, if the template itself is JSON, and
 * plain text otherwise.
 *
 * @example
 * import { parseTemplate } from "./parse.ts"
 * const f = (text) => renderTextOrJson(parseTemplate(text), { name: 'disk 15"', of: "[1]" })
 * assert.equal(f('{"name":"${name}","of":${of}}'), '{"name":"disk 15\\"","of":[1]}')
 * assert.equal(f('the "${name}"'), 'the "disk 15""')
 */
export function renderTextOrJson(nodes: readonly TemplateNode[], names: Names): string {
  const rendering = new Rendering(names, jsonFormat)
  const text = rendering.run(nodes)
  const isText = !rendering.mayBeJson
  return isText || objectStart.test(text) || parsedJson(text) !== undefined
    ? text
    : render(nodes, names)
}

class Rendering {
  /** The first character of the output that is no space; "" if it is not the template's own. */
  firstMark: string | null = null
  /** Innermost scope last. */
  private readonly scopes: Names[]
  private format: OutputFormat | null
  private readonly strings = new JsonStrings()
  private readonly parts: string[] = []
  private length = 0
  private steps = 0
  /** Whether the current item of the innermost list has a successor. */
  private hasNext = false

  constructor(names: Names, format: OutputFormat | null) {
    this.scopes = [names]
    this.format = format
  }

  /** Whether the output begins as JSON, and strings in it were escaped. */
  get mayBeJson(): boolean {
    return this.format?.isJson === true
  }

  run(nodes: readonly TemplateNode[]): string {
    this.nodes(nodes)
    return this.parts.join("")
  }

  private nodes(nodes: readonly TemplateNode[]): void {
    for (const node of nodes) this.node(node)
  }

  private node(node: TemplateNode): void {
    this.step()
    if (node.kind === "text") this.print(node.text, true, true)
    else if (node.kind === "output") this.output(node.of)
    else if (node.kind === "list") this.list(node)
    else if (node.kind === "sep") {
      if (this.hasNext) this.nodes(node.body)
    } else {
      const branch = node.branches.find(({ when }) => when === null || truthOf(this.value(when)))
      this.nodes(branch?.body ?? [])
    }
  }

  private list({ of, as, body, otherwise }: TemplateNode & { kind: "list" }): void {
    const items = toList(this.value(of))
    if (items.length === 0) return this.nodes(otherwise)
    const outer = this.hasNext
    items.forEach((item, index) => {
      this.step()
      const hasNext = index < items.length - 1
      this.hasNext = hasNext
      this.scopes.push({ [as]: item, [`${as}_index`]: index, [`${as}_has_next`]: hasNext })
      this.nodes(body)
      this.scopes.pop()
    })
    this.hasNext = outer
  }

  private value(of: TemplateExpression): TemplateValue {
    this.step()
    switch (of.kind) {
      case "literal":
        return of.value
      case "sequence":
        return of.items.map((item) => this.value(item))
      case "name":
        return this.named(of.name)
      case "member":
        return memberOf(this.value(of.of), this.value(of.key))
      case "default": {
        const value = this.value(of.of)
        if (!isMissing(value)) return value
        return of.otherwise === null ? "" : this.value(of.otherwise)
      }
      case "exists":
        return !isMissing(this.value(of.of))
      case "not":
        return !truthOf(this.value(of.of))
      case "negate":
        return -numberIn(this.value(of.of))
      case "builtin":
        return bounded(this.builtin(of))
      case "binary":
        return this.binary(of)
    }
  }

  private builtin({
    name,
    of,
    parameters,
  }: TemplateExpression & { kind: "builtin" }): TemplateValue {
    const value = this.value(of)
    const { format } = this
    const isMarkup = value instanceof Markup
    const values = parameters.map((one) => {
      const parameter = this.value(one)
      return isMarkup && format !== null ? this.asMarkup(parameter, one) : parameter
    })
    if (format === null) return applyBuiltin(name, value, values)
    const isInString = format.isJson && this.strings.isInside && !isMarkup
    const inString = isInString ? applyInJsonString(name, value, values) : undefined
    return inString ?? applyEscaping(name, { value, parameters: values, format })
  }

  /** The value of an expression, escaped for use in markup. The template's own texts are markup. */
  private asMarkup(value: TemplateValue, of: TemplateExpression): string {
    const { format } = this
    const isReady = value instanceof Markup || isLiteral(of) || format === null
    return isReady ? textOf(value) : format.escape(textOf(value))
  }

  private binary({
    operator,
    left,
    right,
  }: TemplateExpression & { kind: "binary" }): TemplateValue {
    if (operator === "&&") return truthOf(this.value(left)) && truthOf(this.value(right))
    if (operator === "||") return truthOf(this.value(left)) || truthOf(this.value(right))
    const [one, other] = [this.value(left), this.value(right)]
    if (operator === "+" && (one instanceof Markup || other instanceof Markup)) {
      return bounded(new Markup(this.asMarkup(one, left) + this.asMarkup(other, right)))
    }
    return bounded(combine(operator, one, other))
  }

  private named(name: string): TemplateValue {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const scope = this.scopes[i]!
      if (Object.hasOwn(scope, name)) return scope[name]
    }
    return undefined
  }

  private output(of: TemplateExpression): void {
    const { format, strings } = this
    // Texts joined outside of JSON strings may begin and end strings themselves.
    if (format?.isJson === true && !strings.isInside && isJoinedText(of)) {
      this.output(of.left)
      return this.output(of.right)
    }
    const value = this.value(of)
    if (value instanceof Markup) return this.print(value.text, true)
    const isRaw = format?.isJson === true && this.isRawInJson(of)
    this.print(format === null || isRaw ? textOf(value) : format.escape(textOf(value)), false)
  }

  /** Values outside of strings, and the template's own texts in a string that one of them began. */
  private isRawInJson(of: TemplateExpression): boolean {
    const { strings } = this
    return !strings.isInside || (strings.isOpenedByValue && isLiteral(of))
  }

  private print(text: string, isOwn: boolean, isTemplate = false): void {
    if (this.firstMark === null && /\S/.test(text)) this.begin(isOwn ? text.trimStart()[0]! : "")
    if (this.mayBeJson) this.strings.follow(text, isTemplate)
    this.length += text.length
    if (this.length > renderedCharactersMax) throw tooLong()
    this.parts.push(text)
  }

  private begin(mark: string): void {
    this.firstMark = mark
    if (this.mayBeJson && !["{", "[", '"'].includes(mark)) this.format = null
  }

  private step(): void {
    if (++this.steps > stepsMax) {
      throw new TemplateError(`expected at most ${stepsMax} steps to render the template`)
    }
  }
}

/** Whether an expression consists of texts of the template, joined or not. */
function isLiteral(of: TemplateExpression): boolean {
  if (of.kind === "literal") return true
  return of.kind === "binary" && of.operator === "+" && isLiteral(of.left) && isLiteral(of.right)
}

type Joined = TemplateExpression & { kind: "binary" }

/** Whether an expression joins a text of the template with other values. */
function isJoinedText(of: TemplateExpression): of is Joined {
  const isText = (one: TemplateExpression) =>
    (one.kind === "literal" && typeof one.value === "string") || isJoinedText(one)
  return of.kind === "binary" && of.operator === "+" && (isText(of.left) || isText(of.right))
}

type CombiningOperator = Exclude<TemplateOperator, "&&" | "||">

function combine(
  operator: CombiningOperator,
  left: TemplateValue,
  right: TemplateValue,
): TemplateValue {
  switch (operator) {
    case "==":
      return compareValues(left, right) === 0
    case "!=":
      return compareValues(left, right) !== 0
    case "<":
      return compareValues(left, right) < 0
    case "<=":
      return compareValues(left, right) <= 0
    case ">":
      return compareValues(left, right) > 0
    case ">=":
      return compareValues(left, right) >= 0
    case "+":
      if (typeof left === "number" && typeof right === "number") return left + right
      return textOf(left) + textOf(right)
    case "-":
      return numberIn(left) - numberIn(right)
    case "*":
      return numberIn(left) * numberIn(right)
    case "/":
      return numberIn(left) / numberIn(right)
    case "%":
      return numberIn(left) % numberIn(right)
  }
}

function memberOf(of: TemplateValue, key: TemplateValue): TemplateValue {
  if (isMissing(of) || typeof of !== "object" || of instanceof Markup) return undefined
  const name = textOf(key)
  if (Array.isArray(of) && !/^\d+$/.test(name)) return undefined
  return Object.hasOwn(of, name)
    ? (of as { readonly [name: string]: TemplateValue })[name]
    : undefined
}

function numberIn(value: TemplateValue): number {
  const number = asNumber(value)
  if (number === undefined) {
    throw new TemplateError(`expected a number, got ${JSON.stringify(textOf(value).slice(0, 40))}`)
  }
  return number
}

/** Limits intermediate texts, which repeated joining and replacing could double each time. */
function bounded(value: TemplateValue): TemplateValue {
  const text = value instanceof Markup ? value.text : value
  if (typeof text === "string" && text.length > renderedCharactersMax) throw tooLong()
  return value
}

function tooLong(): TemplateError {
  return new TemplateError(`expected at most ${renderedCharactersMax} characters of output`)
}

/**
 * Expressions of templates, by recursive descent:
 *
 *   or       and ("||" and)*                 and      equality ("&&" equality)*
 *   equality relation (("=="|"="|"!=") relation)?
 *   relation sum (("<"|"<="|">"|">="|lt|lte|gt|gte) sum)?
 *   sum      product (("+"|"-") product)*    product  unary (("*"|"/"|"%") unary)*
 *   unary    ("!"|"-") unary | postfix
 *   postfix  primary ("." name | "[" or "]" | "?" name ["(" items ")"] | "??" | "!" [postfix])*
 *   primary  text | number | "true" | "false" | name | "(" or ")" | "[" items "]"
 *   items    [or ("," or)*]
 *
 * As in FreeMarker, a ">" outside of parentheses ends a directive.
 */

import { isBuiltin, builtinNames } from "./builtins.ts"
import type { TemplateCursor } from "./template-cursor.ts"
import type { TemplateOperator, TemplateExpression } from "./syntax.ts"

/** Reads the expression at the cursor; with `inTag`, a bare ">" ends it. Throws `TemplateError`. */
export function readExpression(cursor: TemplateCursor, inTag: boolean): TemplateExpression {
  return new ExpressionReader(cursor, inTag).read()
}

const nameText = /[\p{L}_$@][\p{L}\p{N}_$@]*/uy
const words: Readonly<Record<string, TemplateOperator>> = {
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
}
const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  l: "<",
  g: ">",
  a: "&",
  "{": "{",
  "'": "'",
  '"': '"',
  "\\": "\\",
}

class ExpressionReader {
  private readonly cursor: TemplateCursor
  private bareGreaterEnds: boolean

  constructor(cursor: TemplateCursor, inTag: boolean) {
    this.cursor = cursor
    this.bareGreaterEnds = inTag
  }

  read(): TemplateExpression {
    return this.cursor.nested(() => this.chain(() => this.and(), ["||"]))
  }

  private and(): TemplateExpression {
    return this.chain(() => this.equality(), ["&&"])
  }

  private equality(): TemplateExpression {
    const left = this.relation()
    this.cursor.skipSpace()
    const operator = this.cursor.match(/==|!=|=/y)
    if (operator === undefined) return left
    const right = this.relation()
    return { kind: "binary", operator: operator === "!=" ? "!=" : "==", left, right }
  }

  private relation(): TemplateExpression {
    const left = this.sum()
    const operator = this.relationOperator()
    if (operator === undefined) return left
    return { kind: "binary", operator, left, right: this.sum() }
  }

  private relationOperator(): TemplateOperator | undefined {
    const { cursor } = this
    cursor.skipSpace()
    const word = cursor.match(/(?:lte?|gte?)(?![\p{L}\p{N}_$@])/uy)
    if (word !== undefined) return words[word]
    if (this.bareGreaterEnds && cursor.startsWith(">") && !cursor.startsWith(">=")) return undefined
    return cursor.match(/[<>]=?/y) as TemplateOperator | undefined
  }

  private sum(): TemplateExpression {
    return this.chain(() => this.product(), ["+", "-"])
  }

  private product(): TemplateExpression {
    return this.chain(() => this.unary(), ["*", "/", "%"])
  }

  /** `next (operator next)*`, from the left. */
  private chain(
    next: () => TemplateExpression,
    operators: readonly TemplateOperator[],
  ): TemplateExpression {
    let left = next()
    for (;;) {
      this.cursor.skipSpace()
      const operator = operators.find((one) => this.cursor.accept(one))
      if (operator === undefined) return left
      left = { kind: "binary", operator, left, right: next() }
    }
  }

  private unary(): TemplateExpression {
    const { cursor } = this
    cursor.skipSpace()
    const sign = cursor.match(/[!-]/y)
    if (sign === undefined) return this.postfix()
    return cursor.nested(() => ({ kind: sign === "!" ? "not" : "negate", of: this.unary() }))
  }

  private postfix(): TemplateExpression {
    let of = this.primary()
    for (;;) {
      const more = this.postfixOf(of)
      if (more === undefined) return of
      of = more
    }
  }

  private postfixOf(of: TemplateExpression): TemplateExpression | undefined {
    const { cursor } = this
    cursor.skipSpace()
    if (cursor.startsWith("..")) throw cursor.expected("no range: they are not supported")
    if (cursor.accept(".")) {
      return { kind: "member", of, key: { kind: "literal", value: this.name("a name after .") } }
    }
    if (cursor.accept("[")) {
      const key = this.enclosed(() => this.read(), "]")
      return { kind: "member", of, key }
    }
    if (cursor.accept("??")) return { kind: "exists", of }
    if (cursor.accept("?")) return this.builtin(of)
    if (cursor.startsWith("!=") || !cursor.accept("!")) return undefined
    return { kind: "default", of, otherwise: this.startsOperand() ? this.operand() : null }
  }

  private operand(): TemplateExpression {
    return this.cursor.nested(() => this.postfix())
  }

  /** Whether a value follows here, rather than an operator or the end. */
  private startsOperand(): boolean {
    const { cursor } = this
    cursor.skipSpace()
    const { at } = cursor
    const found = cursor.match(/(?!(?:lte?|gte?|as)(?![\p{L}\p{N}_$@]))[\p{L}\p{N}_$@"'([]/uy)
    cursor.at = at
    return found !== undefined
  }

  private builtin(of: TemplateExpression): TemplateExpression {
    const { cursor } = this
    cursor.skipSpace()
    const { at } = cursor
    const name = this.name("the name of a built-in after ?")
    if (!isBuiltin(name)) throw cursor.expected(`one of ${builtinNames.join(", ")} after ?`, at)
    const parameters = cursor.accept("(") ? this.items(")") : []
    return { kind: "builtin", name, of, parameters }
  }

  private primary(): TemplateExpression {
    const { cursor } = this
    cursor.skipSpace()
    if (cursor.startsWith('"') || cursor.startsWith("'")) {
      return { kind: "literal", value: this.text() }
    }
    const number = cursor.match(/\d{1,15}(?:\.\d{1,15})?/y)
    if (number !== undefined) return { kind: "literal", value: Number(number) }
    if (cursor.accept("(")) return this.enclosed(() => this.read(), ")")
    if (cursor.accept("[")) return { kind: "sequence", items: this.items("]") }
    const name = this.name("a value")
    if (name === "true" || name === "false") return { kind: "literal", value: name === "true" }
    return { kind: "name", name }
  }

  private items(end: ")" | "]"): TemplateExpression[] {
    const { cursor } = this
    cursor.skipSpace()
    if (cursor.accept(end)) return []
    return this.enclosed(() => {
      const items = [this.read()]
      for (;;) {
        cursor.skipSpace()
        if (!cursor.accept(",")) return items
        items.push(this.read())
      }
    }, end)
  }

  private enclosed<Result>(inner: () => Result, end: string): Result {
    const { bareGreaterEnds } = this
    this.bareGreaterEnds = false
    const result = inner()
    this.bareGreaterEnds = bareGreaterEnds
    this.cursor.skipSpace()
    if (!this.cursor.accept(end)) throw this.cursor.expected(end)
    return result
  }

  private name(what: string): string {
    const name = this.cursor.match(nameText)
    if (name === undefined) throw this.cursor.expected(what)
    return name
  }

  private text(): string {
    const { cursor } = this
    const start = cursor.at
    const quote = cursor.text[cursor.at++]!
    const parts: string[] = []
    for (;;) {
      parts.push(cursor.match(quote === '"' ? /[^"\\$#]*/y : /[^'\\$#]*/y)!)
      if (cursor.accept(quote)) return parts.join("")
      if (cursor.isAtEnd) throw cursor.expected(`a text that ends with ${quote}`, start)
      if (cursor.startsWith("${") || cursor.startsWith("#{")) {
        throw cursor.expected("no interpolation inside of a text: join texts with +")
      }
      parts.push(cursor.accept("\\") ? this.escape() : cursor.text[cursor.at++]!)
    }
  }

  private escape(): string {
    const { cursor } = this
    const code = cursor.match(/x[0-9A-Fa-f]{1,4}/y)
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    const escaped = escapes[cursor.text[cursor.at] ?? ""]
    if (escaped === undefined) throw cursor.expected("an escape such as \\n", cursor.at - 1)
    cursor.at++
    return escaped
  }
}

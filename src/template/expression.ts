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
 * As in FreeMarker, a ">" ends a directive unless it stands in parentheses.
 */

import { isBuiltin, builtinNames } from "./builtins.ts"
import type { Cursor } from "./cursor.ts"
import type { BinaryOperator, Expression } from "./syntax.ts"

/** Reads the expression at the cursor; `inTag` where a bare ">" ends it. Throws `TemplateError`. */
export function readExpression(cursor: Cursor, inTag: boolean): Expression {
  return new ExpressionReader(cursor, inTag).read()
}

const nameText = /[\p{L}_$@][\p{L}\p{N}_$@]*/uy
const words: Readonly<Record<string, BinaryOperator>> = {
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
  private readonly cursor: Cursor
  private bareGreaterEnds: boolean

  constructor(cursor: Cursor, inTag: boolean) {
    this.cursor = cursor
    this.bareGreaterEnds = inTag
  }

  read(): Expression {
    return this.cursor.nested(() => this.chain(() => this.and(), ["||"]))
  }

  private and(): Expression {
    return this.chain(() => this.equality(), ["&&"])
  }

  private equality(): Expression {
    const left = this.relation()
    this.cursor.skipSpace()
    const operator = this.cursor.match(/==|!=|=/y)
    if (operator === undefined) return left
    const right = this.relation()
    return { kind: "binary", operator: operator === "!=" ? "!=" : "==", left, right }
  }

  private relation(): Expression {
    const left = this.sum()
    const operator = this.relationOperator()
    if (operator === undefined) return left
    return { kind: "binary", operator, left, right: this.sum() }
  }

  private relationOperator(): BinaryOperator | undefined {
    const { cursor } = this
    cursor.skipSpace()
    const word = cursor.match(/(?:lte?|gte?)(?![\p{L}\p{N}_$@])/uy)
    if (word !== undefined) return words[word]
    if (this.bareGreaterEnds && cursor.startsWith(">") && !cursor.startsWith(">=")) return undefined
    return cursor.match(/[<>]=?/y) as BinaryOperator | undefined
  }

  private sum(): Expression {
    return this.chain(() => this.product(), ["+", "-"])
  }

  private product(): Expression {
    return this.chain(() => this.unary(), ["*", "/", "%"])
  }

  /** `next (operator next)*`, from the left. */
  private chain(next: () => Expression, operators: readonly BinaryOperator[]): Expression {
    let left = next()
    for (;;) {
      this.cursor.skipSpace()
      const operator = operators.find((one) => this.cursor.take(one))
      if (operator === undefined) return left
      left = { kind: "binary", operator, left, right: next() }
    }
  }

  private unary(): Expression {
    const { cursor } = this
    cursor.skipSpace()
    const sign = cursor.match(/[!-]/y)
    if (sign === undefined) return this.postfix()
    return cursor.nested(() => ({ kind: sign === "!" ? "not" : "negate", of: this.unary() }))
  }

  private postfix(): Expression {
    let of = this.primary()
    for (;;) {
      const more = this.postfixOf(of)
      if (more === undefined) return of
      of = more
    }
  }

  private postfixOf(of: Expression): Expression | undefined {
    const { cursor } = this
    cursor.skipSpace()
    if (cursor.startsWith("..")) throw cursor.expected("no range: they are not supported")
    if (cursor.take(".")) {
      return { kind: "member", of, key: { kind: "literal", value: this.name("a name after .") } }
    }
    if (cursor.take("[")) {
      const key = this.enclosed(() => this.read(), "]")
      return { kind: "member", of, key }
    }
    if (cursor.take("??")) return { kind: "exists", of }
    if (cursor.take("?")) return this.builtin(of)
    if (cursor.startsWith("!=") || !cursor.take("!")) return undefined
    return { kind: "default", of, otherwise: this.startsOperand() ? this.operand() : null }
  }

  private operand(): Expression {
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

  private builtin(of: Expression): Expression {
    const { cursor } = this
    cursor.skipSpace()
    const { at } = cursor
    const name = this.name("the name of a built-in after ?")
    if (!isBuiltin(name)) throw cursor.expected(`one of ${builtinNames.join(", ")} after ?`, at)
    const parameters = cursor.take("(") ? this.items(")") : []
    return { kind: "builtin", name, of, parameters }
  }

  private primary(): Expression {
    const { cursor } = this
    cursor.skipSpace()
    if (cursor.startsWith('"') || cursor.startsWith("'")) {
      return { kind: "literal", value: this.text() }
    }
    const number = cursor.match(/\d{1,15}(?:\.\d{1,15})?/y)
    if (number !== undefined) return { kind: "literal", value: Number(number) }
    if (cursor.take("(")) return this.enclosed(() => this.read(), ")")
    if (cursor.take("[")) return { kind: "sequence", items: this.items("]") }
    const name = this.name("a value")
    if (name === "true" || name === "false") return { kind: "literal", value: name === "true" }
    return { kind: "name", name }
  }

  private items(end: ")" | "]"): Expression[] {
    const { cursor } = this
    cursor.skipSpace()
    if (cursor.take(end)) return []
    return this.enclosed(() => {
      const items = [this.read()]
      for (;;) {
        cursor.skipSpace()
        if (!cursor.take(",")) return items
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
    if (!this.cursor.take(end)) throw this.cursor.expected(end)
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
      if (cursor.take(quote)) return parts.join("")
      if (cursor.isAtEnd) throw cursor.expected(`a text that ends with ${quote}`, start)
      if (cursor.startsWith("${") || cursor.startsWith("#{")) {
        throw cursor.expected("no interpolation inside of a text: join texts with +")
      }
      parts.push(cursor.take("\\") ? this.escape() : cursor.text[cursor.at++]!)
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

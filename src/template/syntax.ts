/** What a template is made of, once it is read. */

import type { Markup } from "./markup.ts"

/** What templates speak about; null and undefined are missing values. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | Markup
  | readonly Value[]
  | { readonly [name: string]: Value }

export type BinaryOperator =
  "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%"

export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "sequence"; readonly items: readonly Expression[] }
  | { readonly kind: "name"; readonly name: string }
  /** `of.name` or `of[key]`. */
  | { readonly kind: "member"; readonly of: Expression; readonly key: Expression }
  /** `of!otherwise`; null is the bare `of!`. */
  | { readonly kind: "default"; readonly of: Expression; readonly otherwise: Expression | null }
  /** `of??`. */
  | { readonly kind: "exists"; readonly of: Expression }
  | { readonly kind: "not" | "negate"; readonly of: Expression }
  | {
      readonly kind: "binary"
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  /** `of?name(parameters)`. */
  | {
      readonly kind: "builtin"
      readonly name: string
      readonly of: Expression
      readonly parameters: readonly Expression[]
    }

export type TemplateNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "output"; readonly of: Expression }
  /** The first branch whose condition holds; null always does. */
  | {
      readonly kind: "if"
      readonly branches: readonly {
        readonly when: Expression | null
        readonly body: readonly TemplateNode[]
      }[]
    }
  | {
      readonly kind: "list"
      readonly of: Expression
      readonly as: string
      readonly body: readonly TemplateNode[]
      /** Where there is no item. */
      readonly otherwise: readonly TemplateNode[]
    }
  /** Inside of a list: after each item but the last. */
  | { readonly kind: "sep"; readonly body: readonly TemplateNode[] }

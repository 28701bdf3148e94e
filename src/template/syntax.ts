/** What a template is made of, once it is read. */

import type { Markup } from "./markup.ts"

/** What templates speak about; null and undefined are missing values. */
export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Markup
  | readonly TemplateValue[]
  | { readonly [name: string]: TemplateValue }

export type TemplateOperator =
  "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%"

export type TemplateExpression =
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "sequence"; readonly items: readonly TemplateExpression[] }
  | { readonly kind: "name"; readonly name: string }
  /** `of.name` or `of[key]`. */
  | { readonly kind: "member"; readonly of: TemplateExpression; readonly key: TemplateExpression }
  /** `of!otherwise`; null is the bare `of!`. */
  | {
      readonly kind: "default"
      readonly of: TemplateExpression
      readonly otherwise: TemplateExpression | null
    }
  /** `of??`. */
  | { readonly kind: "exists"; readonly of: TemplateExpression }
  | { readonly kind: "not" | "negate"; readonly of: TemplateExpression }
  | {
      readonly kind: "binary"
      readonly operator: TemplateOperator
      readonly left: TemplateExpression
      readonly right: TemplateExpression
    }
  /** `of?name(parameters)`. */
  | {
      readonly kind: "builtin"
      readonly name: string
      readonly of: TemplateExpression
      readonly parameters: readonly TemplateExpression[]
    }

export type TemplateNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "output"; readonly of: TemplateExpression }
  /** The first branch whose condition holds; null always does. */
  | {
      readonly kind: "if"
      readonly branches: readonly {
        readonly when: TemplateExpression | null
        readonly body: readonly TemplateNode[]
      }[]
    }
  | {
      readonly kind: "list"
      readonly of: TemplateExpression
      readonly as: string
      readonly body: readonly TemplateNode[]
      /** Where there is no item. */
      readonly otherwise: readonly TemplateNode[]
    }
  /** Inside of a list: after each item but the last. */
  | { readonly kind: "sep"; readonly body: readonly TemplateNode[] }

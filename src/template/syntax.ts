/** The syntax tree of a template. */

import type { Markup } from "./markup.ts"

/** Values of templates; null and undefined are missing values. */
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
  /** Renders the first branch whose condition is true; a null condition is always true. */
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
      /** Rendered if there is no item. */
      readonly otherwise: readonly TemplateNode[]
    }
  /** In a list: rendered after each item except the last. */
  | { readonly kind: "sep"; readonly body: readonly TemplateNode[] }

/**
 * Names in a body that its schema does not know: refused, since a mistyped filter would otherwise
 * filter nothing. Schemas alone ignore them, which archives of packages rely on.
 */

import * as v from "valibot"
import { jsonDepthMax } from "../base/limits.ts"
import type { Schema } from "./body.ts"
import { didYouMean, shown, type Problems } from "./problems.ts"

/** The part of a valibot schema that this walk reads. */
interface SchemaNode {
  readonly type: string
  readonly kind: "schema" | "metadata" | "validation" | "transformation"
  readonly pipe?: readonly SchemaNode[]
  readonly entries?: Readonly<Record<string, SchemaNode>>
  readonly item?: SchemaNode
  readonly value?: SchemaNode
  readonly wrapped?: SchemaNode
  readonly getter?: (raw: unknown) => SchemaNode
  readonly options?: readonly SchemaNode[]
  readonly key?: string
  readonly literal?: unknown
  /** Of `objectValue`: names that are known and have no effect. */
  readonly alsoSent?: readonly string[]
}

interface WalkPosition {
  readonly path: string
  readonly problems: Problems
  readonly depth: number
}

/** Adds a problem for every name in `raw` that is no field of `schema` at its place. */
export function refuseUnknownNames(
  schema: Schema,
  raw: unknown,
  position: Omit<WalkPosition, "depth">,
): void {
  walk(schema as unknown as SchemaNode, raw, { ...position, depth: 0 })
}

function walk(schema: SchemaNode, raw: unknown, position: WalkPosition): void {
  if (typeof raw !== "object" || raw === null || position.depth > jsonDepthMax) return
  if (schema.pipe !== undefined) return walkPipe(schema.pipe, raw, position)
  if (schema.wrapped !== undefined) return walk(schema.wrapped, raw, position)
  if (schema.getter !== undefined) return walk(schema.getter(raw), raw, position)
  if (schema.entries !== undefined) return walkObject(schema, raw, position)
  if (schema.item !== undefined && Array.isArray(raw)) {
    raw.forEach((one, i) => walk(schema.item!, one, child(position, `[${i}]`)))
  } else if (schema.type === "record" && schema.value !== undefined) {
    for (const [name, one] of Object.entries(raw)) walk(schema.value, one, child(position, name))
  } else if (schema.options !== undefined) {
    const option = matchingOption(schema, raw)
    if (option !== undefined) walk(option, raw, position)
  }
}

/** Up to the first transformation, after which schemas see other values. */
function walkPipe(pipe: readonly SchemaNode[], raw: object, position: WalkPosition): void {
  for (const step of pipe) {
    if (step.kind === "transformation") return
    if (step.kind === "schema") walk(step, raw, position)
  }
}

/** A union's option that takes the value, or the one that a variant's word names. */
function matchingOption(
  { type, key = "", options = [] }: SchemaNode,
  raw: object,
): SchemaNode | undefined {
  if (type === "union") return options.find((one) => v.is(one as unknown as Schema, raw))
  const word = (raw as Record<string, unknown>)[key]
  return options.find(({ entries }) => entries?.[key]?.literal === word)
}

function walkObject(
  { entries = {}, type, alsoSent = [] }: SchemaNode,
  raw: object,
  position: WalkPosition,
): void {
  if (Array.isArray(raw)) return
  const known = Object.keys(entries)
  for (const [name, value] of Object.entries(raw)) {
    if (Object.hasOwn(entries, name)) walk(entries[name]!, value, child(position, name))
    else if (type === "object" && !alsoSent.includes(name)) refuse(name, known, position)
  }
}

function child({ path, problems, depth }: WalkPosition, name: string): WalkPosition {
  const dot = path === "" || name.startsWith("[") ? "" : "."
  return { path: path + dot + name, problems, depth: depth + 1 }
}

function refuse(name: string, known: readonly string[], { path, problems }: WalkPosition): void {
  const hint = didYouMean(name, known) || `; expected one of ${known.join(", ")}`
  problems.add(`${path || "body"}: ${shown(name)} is no field here${hint}`)
}

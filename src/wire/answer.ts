/**
 * Schemas of answers, declared next to the code that prints them. They validate nothing at run
 * time: the API description is generated from them, and tests check every answer against them.
 */

import * as v from "valibot"
import type { Schema } from "./body.ts"

/** An object of an answer; every field is present unless it is `optional`. */
export const record = v.object
export const optional = v.optional
export const orNull = v.nullable
export const listOf = v.array
export const oneOf = v.picklist
export const either = v.union
export const constant = v.literal

export const text = v.string()
export const number = v.number()
export const wholeNumber = v.pipe(v.number(), v.integer())
export const flag = v.boolean()
export const anything = v.unknown()
export const uuid = v.pipe(v.string(), v.uuid())
/** ISO 8601 in UTC. */
export const instant = v.pipe(v.string(), v.isoTimestamp())
/** A number; null if JSON cannot represent it. */
export const numberOrNull = v.nullable(v.number())
/** An object of values by names that are not known before. */
export const mapOf = <Value extends Schema>(value: Value) => v.record(v.string(), value)
export const textMap = mapOf(text)

/** The same schema with a description. */
export function described<S extends Schema>(schema: S, description: string) {
  return v.pipe(schema, v.description(description))
}

/** A document with selected fields: all fields optional except those in `kept`. */
export function partial<Entries extends v.ObjectEntries>(
  entries: Entries,
  kept: readonly string[],
) {
  const fields = Object.entries(entries).map(([name, schema]) => [
    name,
    kept.includes(name) || schema.type === "optional" ? schema : v.optional(schema as Schema),
  ])
  return v.object(Object.fromEntries(fields) as v.ObjectEntries)
}

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T

/** The type of a value that conforms to a schema. */
export type Written<S extends Schema> = DeepReadonly<v.InferOutput<S>>

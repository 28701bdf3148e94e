/** JSON Schemas of our valibot schemas, for the API description. */

import { toJsonSchema, toJsonSchemaDefs, type JsonSchema } from "@valibot/to-json-schema"
import type { Schema } from "../body.ts"

export type { JsonSchema }

export interface DescribedSchema {
  readonly schema: JsonSchema
  /** Schemas that hold themselves, by name; `schema` refers to them. */
  readonly definitions: Readonly<Record<string, JsonSchema>>
}

/** Schemas by the name under which the description shows each. */
export type NamedSchemas = Readonly<Record<string, Schema>>

/** The named schemas, and the start of references to them in the description. */
export interface SchemaReferences {
  readonly named: NamedSchemas
  readonly refStart: string
}

/**
 * The schema of a request body, with a reference in place of every named part. `name` distinguishes
 * its own definitions, of recursive schemas, from those of other schemas. Rules that JSON Schema
 * cannot express are left out; the text of an error states them.
 */
export function describeSchema(
  schema: Schema,
  name: string,
  references: SchemaReferences,
): DescribedSchema {
  const { $schema: _dialect, ...described } = bodySchema(schema, references)
  const inliner = new Inliner(described.$defs ?? {}, inlinerNames(name), references.refStart)
  return { schema: inliner.inlined(described), definitions: inliner.recursive }
}

/** The named schemas of request bodies, which refer to each other. */
export function describeNamedBodies(references: SchemaReferences): Record<string, JsonSchema> {
  const entries = Object.entries(references.named).flatMap(([name, schema]) => {
    const definitions = bodySchema(schema, references).$defs ?? {}
    const inliner = new Inliner(definitions, inlinerNames(name), references.refStart)
    const own = inliner.inlined(definitions[name] as JsonSchema)
    return [[name, own], ...Object.entries(inliner.recursive)] as [string, JsonSchema][]
  })
  return Object.fromEntries(entries)
}

function bodySchema(schema: Schema, references: SchemaReferences): JsonSchema {
  const options = { ...namedOptions(references), typeMode: "input", errorMode: "ignore" } as const
  return toJsonSchema(schema, { ...options, overrideSchema: withDefaultInWords })
}

/**
 * A default as a sentence: generators of clients take a field with the keyword `default` for one
 * that must be sent, in their standard settings.
 */
function withDefaultInWords({ jsonSchema }: { jsonSchema: JsonSchema }): JsonSchema | null {
  const { default: fallback, description, ...rest } = jsonSchema
  if (fallback === undefined) return null
  const words = fallback === null || fallback === "" ? [] : [`Default: ${JSON.stringify(fallback)}`]
  const sentences = [...(description === undefined ? [] : [description]), ...words]
  return { ...rest, ...(sentences.length > 0 && { description: sentences.join(". ") }) }
}

function inlinerNames(name: string): (id: string) => string {
  return (id) => `${name}${Number(id) + 1}`
}

/** The schema of an answer, with a reference in place of every part that has a name. */
export function describeAnswer(schema: Schema, references: SchemaReferences): JsonSchema {
  const options = { ...namedOptions(references), typeMode: "output" } as const
  const { $schema: _dialect, $defs: _named, ...described } = toJsonSchema(schema, options)
  return described
}

/** The named schemas of answers, which refer to each other. */
export function describeNamedAnswers(references: SchemaReferences): Record<string, JsonSchema> {
  const { definitions, ...options } = namedOptions(references)
  return toJsonSchemaDefs({ ...definitions }, { ...options, typeMode: "output" })
}

function namedOptions({ named, refStart }: SchemaReferences) {
  const overrideRef = ({ referenceId }: { referenceId: string }) =>
    Object.hasOwn(named, referenceId) ? refStart + referenceId : null
  return { target: "draft-2020-12", definitions: named, overrideRef } as const
}

const localRef = "#/$defs/"

/** Replaces references by their definitions, except in recursive schemas. */
class Inliner {
  readonly recursive: Record<string, JsonSchema> = {}
  private readonly definitions: Readonly<Record<string, unknown>>
  private readonly nameOf: (id: string) => string
  private readonly refStart: string
  /** Definitions that are being put in place, outermost first. */
  private readonly expanding: string[] = []

  constructor(
    definitions: Readonly<Record<string, unknown>>,
    nameOf: (id: string) => string,
    refStart: string,
  ) {
    this.definitions = definitions
    this.nameOf = nameOf
    this.refStart = refStart
  }

  inlined(schema: JsonSchema): JsonSchema {
    return this.walk(schema) as JsonSchema
  }

  private walk(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.walk(item))
    if (typeof node !== "object" || node === null) return node
    const { $ref } = node as { $ref?: unknown }
    if (typeof $ref === "string" && $ref.startsWith(localRef)) {
      return this.resolve($ref.slice(localRef.length))
    }
    const entries = Object.entries(node).filter(([field]) => field !== "$defs")
    return Object.fromEntries(entries.map(([field, value]) => [field, this.walk(value)]))
  }

  private resolve(id: string): unknown {
    const name = this.nameOf(id)
    if (this.expanding.includes(id)) {
      this.recursive[name] ??= {}
      return { $ref: this.refStart + name }
    }
    this.expanding.push(id)
    const resolved = this.walk(this.definitions[id])
    this.expanding.pop()
    if (this.recursive[name] === undefined) return resolved
    this.recursive[name] = resolved as JsonSchema
    return { $ref: this.refStart + name }
  }
}

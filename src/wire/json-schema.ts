/** JSON Schemas of what our schemas accept, for the API description. */

import { toJsonSchema, type JsonSchema } from "@valibot/to-json-schema"
import type { Schema } from "./body.ts"

export type { JsonSchema }

export interface DescribedSchema {
  readonly schema: JsonSchema
  /** Schemas that hold themselves, by name; `schema` refers to them. */
  readonly definitions: Readonly<Record<string, JsonSchema>>
}

/**
 * The schema of what may be sent. `name` tells its definitions from those of other schemas;
 * `refStart` is where the definitions will stand. What JSON Schema has no word for is left out: the
 * text of an error tells it.
 */
export function describeSchema(schema: Schema, name: string, refStart: string): DescribedSchema {
  const { $schema: _dialect, ...described } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
    errorMode: "ignore",
  })
  const inliner = new Inliner(described.$defs ?? {}, (id) => `${name}${Number(id) + 1}`, refStart)
  return { schema: inliner.inlined(described), definitions: inliner.recursive }
}

const localRef = "#/$defs/"

/** Puts what is referred to in place of the reference, but where a schema holds itself. */
class Inliner {
  readonly recursive: Record<string, JsonSchema> = {}
  private readonly definitions: Readonly<Record<string, unknown>>
  private readonly nameOf: (id: string) => string
  private readonly refStart: string
  /** Definitions that are being put in place, outermost first. */
  private readonly open: string[] = []

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
    if (this.open.includes(id)) {
      this.recursive[name] ??= {}
      return { $ref: this.refStart + name }
    }
    this.open.push(id)
    const resolved = this.walk(this.definitions[id])
    this.open.pop()
    if (this.recursive[name] === undefined) return resolved
    this.recursive[name] = resolved as JsonSchema
    return { $ref: this.refStart + name }
  }
}

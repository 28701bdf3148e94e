/** Definitions of metrics by number; equal definitions share one. */

import type { MetricDefinition } from "../model/element.ts"
import { settingsKey } from "./settings-source.ts"
import type { TextByteCount } from "./text-byte-count.ts"

export class DefinitionTable {
  private readonly all: MetricDefinition[] = []
  private readonly byText = new Map<string, number>()
  private readonly text: TextByteCount

  constructor(text: TextByteCount) {
    this.text = text
  }

  get count(): number {
    return this.all.length
  }

  at(index: number): MetricDefinition {
    return this.all[index]!
  }

  has(definition: MetricDefinition): boolean {
    return this.byText.has(definitionKey(definition))
  }

  /**
   * Returns the number of a definition, a new one if it is unknown. `guess` is the number of one
   * that it probably equals, or -1: a comparison takes 20 ns, building and looking up its key 900.
   */
  upsert(definition: MetricDefinition, guess = -1): number {
    if (guess >= 0 && isPlainlyEqual(this.all[guess]!, definition)) return guess
    const text = definitionKey(definition)
    const known = this.byText.get(text)
    if (known !== undefined) return known
    this.byText.set(text, this.all.length)
    this.text.countDefinition(definition)
    return this.all.push(definition) - 1
  }
}

/** True if both are equal; may be false for equal ones with tags. */
function isPlainlyEqual(one: MetricDefinition, other: MetricDefinition): boolean {
  return (
    one.unit === other.unit &&
    one.type === other.type &&
    one.sparseDataStrategy === other.sparseDataStrategy &&
    one.name === other.name &&
    one.settings === other.settings &&
    one.tags.length + other.tags.length === 0 &&
    one.serviceTags === undefined &&
    other.serviceTags === undefined
  )
}

/** Identifies a definition. Most have no tags; for them 0.1 µs replaces 2 µs of stringifying. */
function definitionKey(definition: MetricDefinition): string {
  const { name, unit, type, sparseDataStrategy, tags, serviceTags, settings } = definition
  if (tags.length > 0 || serviceTags !== undefined) return JSON.stringify(definition)
  const text = `${sparseDataStrategy}\0${type}\0${unit}\0${name ?? "\0"}`
  return settings === undefined ? text : `${text}\0\0${settingsKey(settings)}`
}

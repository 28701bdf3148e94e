/** Bytes of text that a body adds to the catalogue. */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import { mergeDefinition, mergeInfo, newInfo } from "../../catalogue/merge.ts"
import type { ElementIndex, TenantIndex } from "../../model/ids.ts"
import { defaultDefinition } from "../../model/element.ts"
import type { ElementInfo, MetricDefinition } from "../../model/element.ts"
import { definitionTextBytes, presentTextGrowth } from "../../model/text-bytes.ts"
import type { ElementPost } from "./element-post.ts"
import { lengthOf, pairsLength } from "./posted-metrics.ts"

/** UTF-8 bytes of one UTF-16 unit, at most. */
const unitBytesMax = 3

/**
 * An upper bound of `textGrowth`, except for known definitions that change and are stored again.
 */
export function textGrowthUpperBound(
  posts: readonly ElementPost[],
  provisional: readonly string[],
): number {
  let units = 0
  for (const fqn of provisional) units += fqn.length
  for (const { fqn, patch, metrics } of posts) {
    units += fqn.length + lengthOf(patch.name) + lengthOf(patch.type) + lengthOf(patch.location)
    units += pairsLength(patch.tags) + pairsLength(patch.attributes)
    for (const relation of patch.relations ?? []) units += relation.length
    units += metrics.textLength
  }
  return units * unitBytesMax
}

interface TextGrowthInputs {
  readonly catalogue: Catalogue
  readonly tenant: TenantIndex
  readonly posts: readonly ElementPost[]
  /** Names of new series without a declared metric. */
  readonly provisional: readonly string[]
  readonly knownDefinition: (element: ElementIndex, fqn: string) => MetricDefinition | undefined
}

/** The bytes added. A definition that several posts of the body change in turn counts each time. */
export function textGrowth(inputs: TextGrowthInputs): number {
  return ofElements(inputs) + ofNames(inputs) + ofDefinitions(inputs)
}

function ofElements({ catalogue, posts }: TextGrowthInputs): number {
  const infos = new Map<string, ElementInfo>()
  let bytes = 0
  for (const { fqn, element, patch } of posts) {
    const stored = element < 0 ? undefined : catalogue.elementInfo(element)
    const known = infos.get(fqn) ?? stored
    const info = known === undefined ? newInfo(fqn, patch, 0) : mergeInfo(known, patch)
    bytes += presentTextGrowth(fqn, info, known)
    infos.set(fqn, info)
  }
  return bytes
}

function ofNames({ catalogue, tenant, posts, provisional }: TextGrowthInputs): number {
  const names = new Set(provisional)
  for (const { metrics } of posts) for (const fqn of metrics.patches.keys()) names.add(fqn)
  let bytes = 0
  for (const fqn of names) if (catalogue.findName(tenant, fqn) < 0) bytes += fqn.length
  return bytes
}

function ofDefinitions({ catalogue, posts, knownDefinition }: TextGrowthInputs): number {
  const counted = new Set<string>()
  let bytes = 0
  for (const { element, metrics } of posts) {
    for (const [fqn, patch] of metrics.patches) {
      const known = knownDefinition(element, fqn) ?? defaultDefinition
      const definition = mergeDefinition(known, patch)
      const text = JSON.stringify(definition)
      if (counted.has(text) || catalogue.knowsDefinition(definition)) continue
      counted.add(text)
      bytes += definitionTextBytes(definition)
    }
  }
  return bytes
}

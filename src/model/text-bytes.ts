/**
 * Bytes of text that are stored as long as an element or a metric is known; text limits are counted
 * in them. As UTF-8; each occurrence counts, although equal texts are stored once.
 */

import type { ElementInfo, MetricDefinition, NameValue } from "./element.ts"

/** 15 ns for the usual text of 15 characters. */
export function utf8Bytes(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    // Half a surrogate pair counts half of four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return bytes
}

/** Of an element with this id: its id, name, type, location, tags, attributes and relations. */
export function elementTextBytes(fqn: string, info: ElementInfo): number {
  const { name, type, location, tags, attributes, relations, serviceTags } = info
  let bytes = fqn.length + utf8Bytes(type)
  if (name !== fqn) bytes += utf8Bytes(name)
  if (location !== null) bytes += utf8Bytes(location)
  for (const relation of relations) bytes += relation.length
  return bytes + pairsBytes(tags) + pairsBytes(attributes) + pairsBytes(serviceTags)
}

/** Of a metric's definition without the settings of packages, which have limits of their own. */
export function definitionTextBytes(definition: MetricDefinition): number {
  const { name, unit, type, tags, serviceTags } = definition
  const texts = utf8Bytes(name ?? "") + utf8Bytes(unit) + utf8Bytes(type)
  return texts + pairsBytes(tags) + pairsBytes(serviceTags)
}

function pairsBytes(pairs: readonly NameValue[] | undefined): number {
  let bytes = 0
  for (const { name, value } of pairs ?? []) bytes += utf8Bytes(name) + utf8Bytes(value)
  return bytes
}

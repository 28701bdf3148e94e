/**
 * Bytes of text that are stored as long as an element or a metric is known; text limits are counted
 * in them. As UTF-8; each occurrence counts, although equal texts are stored once.
 */

import { sharedHead, sharedTail } from "../base/shared-ends.ts"
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
  const { tags, attributes, relations, serviceTags = none } = info
  const ofPairs = pairsBytes(tags) + pairsBytes(attributes) + pairsBytes(serviceTags)
  return fqn.length + fieldsBytes(fqn, info) + ofPairs + bytesOfAll(relations, relationBytes)
}

/**
 * The bytes by which an element's text grows from one info to the next; negative if it shrinks. The
 * items that both lists share at their ends are not read: a merge leaves all but a few.
 */
export function elementTextGrowth(fqn: string, before: ElementInfo, after: ElementInfo): number {
  return (
    fieldsBytes(fqn, after) -
    fieldsBytes(fqn, before) +
    listGrowth(before.tags, after.tags, pairBytes) +
    listGrowth(before.attributes, after.attributes, pairBytes) +
    listGrowth(before.serviceTags ?? none, after.serviceTags ?? none, pairBytes) +
    listGrowth(before.relations, after.relations, relationBytes)
  )
}

/** Of a metric's definition without the settings of packages, which have limits of their own. */
export function definitionTextBytes(definition: MetricDefinition): number {
  const { name, unit, type, tags, serviceTags = none } = definition
  const texts = utf8Bytes(name ?? "") + utf8Bytes(unit) + utf8Bytes(type)
  return texts + pairsBytes(tags) + pairsBytes(serviceTags)
}

const none: readonly NameValue[] = []

function fieldsBytes(fqn: string, { name, type, location }: ElementInfo): number {
  const ofName = name === fqn ? 0 : utf8Bytes(name)
  return ofName + utf8Bytes(type) + (location === null ? 0 : utf8Bytes(location))
}

function pairsBytes(pairs: readonly NameValue[]): number {
  return bytesOfAll(pairs, pairBytes)
}

function pairBytes({ name, value }: NameValue): number {
  return utf8Bytes(name) + utf8Bytes(value)
}

function relationBytes(relation: string): number {
  return relation.length
}

type BytesOf<T> = (item: T) => number

function bytesOfAll<T>(items: readonly T[], bytesOf: BytesOf<T>): number {
  let bytes = 0
  for (const item of items) bytes += bytesOf(item)
  return bytes
}

function listGrowth<T>(before: readonly T[], after: readonly T[], bytesOf: BytesOf<T>): number {
  if (before === after) return 0
  const head = sharedHead(before, after)
  const tail = sharedTail(before, after, head)
  let bytes = 0
  for (let i = head; i < after.length - tail; i++) bytes += bytesOf(after[i]!)
  for (let i = head; i < before.length - tail; i++) bytes -= bytesOf(before[i]!)
  return bytes
}

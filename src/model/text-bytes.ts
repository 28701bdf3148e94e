/**
 * Bytes of text that are stored as long as an element or a metric is known; text limits are counted
 * in them. As UTF-8; each occurrence counts, although equal texts are stored once.
 */

import { sharedHead, sharedTail } from "./shared-ends.ts"
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
  return elementTextGrowth(fqn, undefined, info)
}

/**
 * The bytes by which an element's text grows from one info, or from none, to the next; negative if
 * it shrinks. The items that both lists share at their ends are not read: a merge leaves all but a
 * few.
 */
export function elementTextGrowth(
  fqn: string,
  before: ElementInfo | undefined,
  after: ElementInfo,
): number {
  return (
    fieldsBytes(fqn, after) -
    (before === undefined ? 0 : fieldsBytes(fqn, before)) +
    listGrowth(before?.tags, after.tags, pairBytes) +
    listGrowth(before?.attributes, after.attributes, pairBytes) +
    listGrowth(before?.serviceTags, after.serviceTags, pairBytes) +
    listGrowth(before?.relations, after.relations, relationBytes)
  )
}

/** The same of an element that may be new, or deleted, and whose text then does not count. */
export function presentTextGrowth(fqn: string, after: ElementInfo, before?: ElementInfo): number {
  const counted = before?.deletedMs === undefined ? before : undefined
  if (after.deletedMs === undefined) return elementTextGrowth(fqn, counted, after)
  return counted === undefined ? 0 : -elementTextBytes(fqn, counted)
}

/** Of a metric's definition without the settings of packages, which have limits of their own. */
export function definitionTextBytes(definition: MetricDefinition): number {
  const { name, unit, type, tags, serviceTags } = definition
  const texts = utf8Bytes(name ?? "") + utf8Bytes(unit) + utf8Bytes(type)
  const ofTags = listGrowth(undefined, tags, pairBytes)
  return texts + ofTags + listGrowth(undefined, serviceTags, pairBytes)
}

const none: readonly never[] = []

function fieldsBytes(fqn: string, { name, type, location }: ElementInfo): number {
  const ofName = name === fqn ? 0 : utf8Bytes(name)
  return fqn.length + ofName + utf8Bytes(type) + (location === null ? 0 : utf8Bytes(location))
}

function pairBytes({ name, value }: NameValue): number {
  return utf8Bytes(name) + utf8Bytes(value)
}

function relationBytes(relation: string): number {
  return relation.length
}

function listGrowth<T>(
  before: readonly T[] = none,
  after: readonly T[] = none,
  bytesOf: (item: T) => number,
): number {
  if (before === after) return 0
  const head = sharedHead(before, after)
  const tail = sharedTail(before, after, head)
  let bytes = 0
  for (let i = head; i < after.length - tail; i++) bytes += bytesOf(after[i]!)
  for (let i = head; i < before.length - tail; i++) bytes -= bytesOf(before[i]!)
  return bytes
}

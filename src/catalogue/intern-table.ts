/**
 * Interning: equal texts and equal pairs of elements are stored once. The elements of a fleet share
 * kernel, region and owner.
 *
 * A table of fixed size, in which a new entry replaces the previous one of its slot: it keeps few
 * unused texts alive, and finds most common ones. Looking up a text costs 40 ns.
 */

import { sharedHead, sharedTail } from "../model/shared-ends.ts"
import type { ElementInfo, NameValue } from "../model/element.ts"

/** Slots for texts, and the same number for pairs; 128 KiB each. */
const slotsDefault = 16_384

export class InternTable {
  private readonly texts: (string | undefined)[]
  private readonly pairs: (NameValue | undefined)[]
  private readonly mask: number

  /** `slots` is a power of two. */
  constructor(slots = slotsDefault) {
    this.texts = Array.from({ length: slots }, () => undefined)
    this.pairs = Array.from({ length: slots }, () => undefined)
    this.mask = slots - 1
  }

  text(text: string): string {
    const slot = edgeHash(text, 0) & this.mask
    const known = this.texts[slot]
    if (known === text) return known
    this.texts[slot] = text
    return text
  }

  /**
   * Returns the info with equal texts and pairs replaced by the interned ones. Those that the
   * lists share with `before`, which was interned, at their ends stay as they are.
   */
  info(info: ElementInfo, before?: ElementInfo): ElementInfo {
    const { name, type, location, tags, attributes, serviceTags } = info
    const interned = {
      ...info,
      name,
      type: this.text(type),
      location: location === null ? null : this.text(location),
      tags: this.list(tags, before?.tags),
      attributes: this.list(attributes, before?.attributes),
    }
    if (serviceTags === undefined) return interned
    return { ...interned, serviceTags: this.list(serviceTags, before?.serviceTags) }
  }

  private list(
    pairs: readonly NameValue[],
    before: readonly NameValue[] = [],
  ): readonly NameValue[] {
    if (pairs.length === 0 || pairs === before) return pairs
    const head = sharedHead(before, pairs)
    const end = pairs.length - sharedTail(before, pairs, head)
    return pairs.map((pair, i) => (i < head || i >= end ? pair : this.pair(pair)))
  }

  private pair({ name, value }: NameValue): NameValue {
    const slot = edgeHash(value, edgeHash(name, 0)) & this.mask
    const known = this.pairs[slot]
    if (known !== undefined && known.name === name && known.value === value) return known
    const pair = { name: this.text(name), value: this.text(value) }
    this.pairs[slot] = pair
    return pair
  }
}

/** Characters that are hashed at each end, since texts differ there. */
const edge = 16

/** FNV-1a over both ends of a text and its length. */
function edgeHash(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed ^ text.length) >>> 0
  const { length } = text
  for (let i = 0; i < Math.min(edge, length); i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  for (let i = Math.max(edge, length - edge); i < length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  return hash ^ (hash >>> 15)
}

/**
 * Interning: equal texts and equal pairs of elements are kept once. Elements of a fleet say the
 * same of themselves: kernel, region, owner.
 *
 * A table of fixed size, in which a newcomer takes the place of what was there: it keeps alive no
 * more than it has places for, and finds most of what is common. Looking up a text costs 40 ns.
 */

import type { ElementInfo, NameValue } from "../model/element.ts"

/** Places for texts, and as many for pairs; 128 KiB each. */
const slotsDefault = 16_384

export class InternTable {
  private readonly texts: (string | undefined)[]
  private readonly pairs: (NameValue | undefined)[]
  private readonly mask: number

  /** `places` is a power of two. */
  constructor(places = slotsDefault) {
    this.texts = Array.from({ length: places }, () => undefined)
    this.pairs = Array.from({ length: places }, () => undefined)
    this.mask = places - 1
  }

  text(text: string): string {
    const place = edgeHash(text, 0) & this.mask
    const known = this.texts[place]
    if (known === text) return known
    this.texts[place] = text
    return text
  }

  /** The same info with texts and pairs of before, as far as they are known. */
  info(info: ElementInfo): ElementInfo {
    const { name, type, location, tags, attributes, serviceTags } = info
    return {
      ...info,
      name,
      type: this.text(type),
      location: location === null ? null : this.text(location),
      tags: this.list(tags),
      attributes: this.list(attributes),
      ...(serviceTags === undefined ? {} : { serviceTags: this.list(serviceTags) }),
    }
  }

  private list(pairs: readonly NameValue[]): readonly NameValue[] {
    return pairs.length === 0 ? pairs : pairs.map((pair) => this.pair(pair))
  }

  private pair({ name, value }: NameValue): NameValue {
    const place = edgeHash(value, edgeHash(name, 0)) & this.mask
    const known = this.pairs[place]
    if (known !== undefined && known.name === name && known.value === value) return known
    const pair = { name: this.text(name), value: this.text(value) }
    this.pairs[place] = pair
    return pair
  }
}

/** Characters that are looked at: the first and the last ones, where texts differ. */
const edge = 16

/** FNV-1a over both edges of a text and its length. */
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

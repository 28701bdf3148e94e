/**
 * Colours of series. A series keeps its tone while it is shown, whatever comes and goes around it.
 * Up to eight take the colours in order; of more, a new one takes the tone that its id asks for, or
 * the next free one. Tones 0 to 7 are the eight colours, 8 to 15 the same dashed, 16 to 23 dotted;
 * then they repeat. Dashes are seen with more contrast and on paper alone.
 */

export const seriesColourCount = 8
/** Full, dashed, dotted; in CSS pixels. */
const lineDashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3]]

/** Tones by id. `former` has those of the series that were shown before; others may come back. */
export function assignTones(
  ids: readonly string[],
  former: ReadonlyMap<string, number>,
): Map<string, number> {
  const tones = new Map<string, number>()
  const taken = new Set<number>()
  const isFew = ids.length <= seriesColourCount
  for (const id of ids) {
    const tone = former.get(id)
    if (tone === undefined || taken.has(tone) || (isFew && tone >= seriesColourCount)) continue
    tones.set(id, tone)
    taken.add(tone)
  }
  const added = ids.filter((one) => !tones.has(one))
  // Many in the order of ids: the same series get the same tones, whichever is ranked first.
  for (const id of isFew ? added : added.sort()) {
    const tone = freeTone(isFew ? 0 : hashOf(id) % seriesColourCount, taken)
    tones.set(id, tone)
    taken.add(tone)
  }
  return tones
}

/** The wanted colour in the first row of tones that has a free one, else the next free of the row. */
function freeTone(wanted: number, taken: ReadonlySet<number>): number {
  for (let row = 0; ; row += seriesColourCount) {
    for (let step = 0; step < seriesColourCount; step++) {
      const tone = row + ((wanted + step) % seriesColourCount)
      if (!taken.has(tone)) return tone
    }
  }
}

/** FNV-1a: spreads names that differ in their last digit. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  return (hash ^ (hash >>> 15)) >>> 0
}

export function dashOf(tone: number): readonly number[] {
  return lineDashes[Math.floor(tone / seriesColourCount) % lineDashes.length]!
}

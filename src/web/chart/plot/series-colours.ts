/**
 * Colours of series. Tones 0 to 7 are the eight colours, 8 to 15 the same dashed, 16 to 23 dotted;
 * then they repeat. Dashes are seen with more contrast and on paper alone.
 *
 * The first eight of a ranking have eight colours. A series keeps its colour while the page lives,
 * whatever comes and goes around it, unless it is one of the first eight and a better one has its
 * colour. A new one takes the colour that its id asks for, or the next free one; up to eight take
 * the colours in order.
 */

export const seriesColourCount = 8
/** The first colours differ more than the others do from them: the best of a ranking take these. */
const apartColourCount = 5
/** Full, dashed, dotted; in CSS pixels. */
const lineDashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3]]

/**
 * Tones by id. The first ranking has all ids; each further one has those of a chart, whose first
 * eight have eight colours too. `former` has the tones of series that were shown before.
 */
export function assignTones(
  rankings: readonly (readonly string[])[],
  former: ReadonlyMap<string, number>,
): Map<string, number> {
  const [all = []] = rankings
  const tones = new Map<string, number>()
  const taken = new Set<number>()
  const give = (id: string, tone: number): void => {
    tones.set(id, tone)
    taken.add(tone)
  }
  const wanted = (id: string) =>
    all.length <= seriesColourCount ? 0 : hashOf(id) % seriesColourCount
  for (const ranking of rankings) {
    const first = ranking.slice(0, seriesColourCount)
    for (const [id, colour] of distinctColours(first, { tones, former, wanted })) {
      give(id, freeRow(colour, taken))
    }
  }
  const others = all.filter((id) => !tones.has(id))
  for (const isTaken of [false, true]) {
    for (const id of others) {
      const tone = former.get(id)
      if (tone === undefined || tones.has(id) || taken.has(tone) !== isTaken) continue
      give(id, freeRow(tone, taken))
    }
  }
  // In the order of ids: their tones are the same, whichever is ranked first.
  const added = others.filter((id) => !tones.has(id)).sort()
  for (const id of added) give(id, freeTone(wanted(id), taken))
  return tones
}

interface KnownColours {
  /** Those that are assigned already. */
  readonly tones: ReadonlyMap<string, number>
  readonly former: ReadonlyMap<string, number>
  readonly wanted: (id: string) => number
}

/** Colours of up to eight ids without a tone, in the order of rank: those that stay come first. */
function distinctColours(
  ids: readonly string[],
  { tones, former, wanted }: KnownColours,
): ReadonlyMap<string, number> {
  const open = ids.filter((id) => !tones.has(id))
  const taken = new Set(ids.flatMap((id) => tones.get(id) ?? []).map(colourOf))
  const colours = new Map<string, number>()
  const give = (id: string, colour: number): void => {
    colours.set(id, colour)
    taken.add(colour)
  }
  for (const id of open) {
    const tone = former.get(id)
    if (tone !== undefined && !taken.has(colourOf(tone))) give(id, colourOf(tone))
  }
  for (const id of open) if (!colours.has(id)) give(id, freeColour(wanted(id), taken))
  return colours
}

function colourOf(tone: number): number {
  return tone % seriesColourCount
}

/** The wanted colour or the next free one, of those that differ most while there is one. */
function freeColour(wanted: number, taken: ReadonlySet<number>): number {
  const order = Array.from({ length: seriesColourCount }, (_, step) => colourOf(wanted + step))
  const free = order.filter((colour) => !taken.has(colour))
  return free.find((colour) => colour < apartColourCount) ?? free[0]!
}

/** The tone, or its colour in the next row of tones that has it free. */
function freeRow(tone: number, taken: ReadonlySet<number>): number {
  let free = tone
  while (taken.has(free)) free += seriesColourCount
  return free
}

/** The wanted colour in the first row with a free tone, else the next free one of the row. */
function freeTone(wanted: number, taken: ReadonlySet<number>): number {
  for (let row = 0; ; row += seriesColourCount) {
    for (let step = 0; step < seriesColourCount; step++) {
      const tone = row + colourOf(wanted + step)
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

/** Texts cut to a limit, never within a character. */

const ellipsis = "…"

/** At most `unitsMax` UTF-16 code units: no receiver counts more, whatever its characters are. */
export function truncate(text: string, unitsMax: number, mark = ellipsis): string {
  if (text.length <= unitsMax) return text
  return unitsMax < mark.length ? "" : cut(text, unitsMax - mark.length) + mark
}

/** At most `bytesMax` bytes of UTF-8. */
export function truncateBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  let end = bytesMax - Buffer.byteLength(ellipsis)
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return end < 0 ? "" : bytes.toString("utf8", 0, end) + ellipsis
}

/** The first `units` code units, without half a surrogate pair at their end. */
export function cut(text: string, units: number): string {
  return text
    .slice(0, units)
    .replace(/[\ud800-\udbff]$/, (half) => (text.length > units ? "" : half))
}

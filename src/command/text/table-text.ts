/** A table as lines of text: the first column to the left, numbers to the right. */

import { largestOf } from "../../base/iterables.ts"

/** Each row has as many cells as `header`. The result has no line feed at its end. */
export function tableText(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => largestOf(all.map((row) => row[column]!.length)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join("  ")
      .trimEnd()
  const rule = widths.map((width) => "-".repeat(width)).join("  ")
  return [line(header), rule, ...rows.map(line)].join("\n")
}

/** A whole number with commas: 864000 → 864,000. */
export function wholeText(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",")
}

/** Bytes with a unit: 1.2 GiB. */
export function bytesText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"]
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(unit === 0 || value >= 100 ? 0 : 1)} ${units[unit]}`
}

/** A value in few characters: two decimals, and none from ten thousand on. */
export function valueText(value: number): string {
  if (Math.abs(value) < 10_000) return String(Math.round(value * 100) / 100)
  return value < 0 ? `-${wholeText(-value)}` : wholeText(value)
}

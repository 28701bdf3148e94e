/** Measures of the style sheet, as they are in force for this screen and density. */

/** The pixels of a length in a CSS variable, such as `--row-height`. */
export function cssPixels(name: string): number {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name)
  const pixels = Number.parseFloat(text)
  if (!Number.isFinite(pixels)) throw new Error(`Expected a length in ${name}, got ${text}`)
  return pixels
}

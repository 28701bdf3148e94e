/** Measures of the window, and of the style sheet as they are in force for this screen and density. */

import type { FloatBox } from "./float.ts"

/** The pixels of a length in a CSS variable, such as `--row-height`. */
export function cssPixels(name: string): number {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name)
  const pixels = Number.parseFloat(text)
  if (!Number.isFinite(pixels)) throw new Error(`Expected a length in ${name}, got ${text}`)
  return pixels
}

/** The window without the part that a keyboard on the screen or a zoom by fingers hides. */
export function shownWindow(): FloatBox {
  const { clientWidth, clientHeight } = document.documentElement
  const shown = window.visualViewport
  if (shown === null) return { left: 0, top: 0, width: clientWidth, height: clientHeight }
  const { offsetLeft, offsetTop, width, height } = shown
  return { left: offsetLeft, top: offsetTop, width, height }
}

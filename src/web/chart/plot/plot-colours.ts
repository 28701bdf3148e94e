/** The colours of a plot, which follow the theme. */

import { resolvedColours } from "../../platform/colours.ts"
import { matchesMedia } from "../../platform/page.ts"
import type { PlotColours } from "./plot-input.ts"
import { seriesColourCount } from "./series-colours.ts"

const colourNames = [
  "text",
  "text-secondary",
  "surface",
  "line",
  "critical",
  "baseline",
  "contextual",
] as const

/** Media on which dashes tell the lines of one colour apart; swatch.module.css has them too. */
export const dashedMedia = "(prefers-contrast: more), print"

/** The colours that the style sheet gives a plot now. */
export function plotColours(): PlotColours {
  const names = Array.from({ length: seriesColourCount }, (_, i) => `series-${i}`)
  const series = resolvedColours(names)
  const hasDashes = matchesMedia(dashedMedia)
  return { ...resolvedColours(colourNames), hasDashes, series: names.map((name) => series[name]!) }
}

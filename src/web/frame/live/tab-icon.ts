/** The icon of the tab: the mark, and at its corner the worst level of the open alerts. */

import type { AlarmLevel } from "../../api/severity.ts"
import { markLines } from "../product/mark.ts"

/** Colours of style/tokens.css that are seen in light and dark windows. Shapes differ, too. */
const badges: Readonly<Record<AlarmLevel, string>> = {
  critical: "<path d='M5 1h6l4 4v6l-4 4H5l-4-4V5z' fill='#ff4d3d'/>",
  warning: "<path d='M8 1l7 14H1z' fill='#f0a800'/>",
  info: "<path d='M8 1l7 7-7 7-7-7z' fill='#3f74c9'/>",
}

/** A file of SVG; `level` is null if no alert is open. */
export function tabIcon(level: AlarmLevel | null): string {
  const badge = level === null ? "" : `<g transform='translate(7 0)scale(.56)'>${badges[level]}</g>`
  return (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>" +
    `<path d='${markLines}' fill='none' stroke='#3f74c9' stroke-width='2'/>${badge}</svg>`
  )
}

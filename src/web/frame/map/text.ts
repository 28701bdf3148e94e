/** Words of the map of cells. */

import { counted } from "../../format/words.ts"
import { levelWords } from "../../parts/level-words.ts"

export const text = {
  levels: levelWords,
  mapKeys: "Arrow keys move, Enter opens the element",
  cell: (name: string, level: string, incidents: number) =>
    incidents === 0
      ? `${name}: ${level}`
      : `${name}: ${level}, ${counted(incidents, "open alert", "open alerts")}`,
}

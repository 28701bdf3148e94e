/** Words of levels, in English. */

import type { MarkLevel } from "./level-mark.tsx"

export const levelWords: Readonly<Record<MarkLevel, string>> = {
  ok: "OK",
  info: "Info",
  warning: "Warning",
  critical: "Critical",
  noData: "No data",
  maintenance: "Maintenance",
}

/** Words of levels and of how alerts end, in English. */

import type { CloseReason } from "../api/severity.ts"

export type MarkLevel = "ok" | "info" | "warning" | "critical" | "noData" | "maintenance"

export const levelWords: Readonly<Record<MarkLevel, string>> = {
  ok: "OK",
  info: "Info",
  warning: "Warning",
  critical: "Critical",
  noData: "No data",
  maintenance: "Maintenance",
}

/** How an alert ended, the end of the data as no recovery; null if it is not known. */
export function closeWords(reason: CloseReason): string | null {
  return reason === null ? null : words[reason]
}

export function closedText(reason: CloseReason): string {
  return reason === null ? "closed" : `closed: ${words[reason]}`
}

const words = {
  recovered: "recovered",
  noData: "no data",
  quiet: "no further event",
  ended: "not watched any more",
  user: "by a user",
} satisfies Record<NonNullable<CloseReason>, string>

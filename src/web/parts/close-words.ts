/** How an alert ended, in words: the end of the data is no recovery. */

import type { CloseReason } from "../api/severity.ts"

/** Null if it is not known. */
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

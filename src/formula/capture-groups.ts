/** `${1}`, `${2}` … within names and expressions: what a capture group found. */

import { largestOf } from "../base/iterables.ts"

const placeholder = /\$\{(\d{1,2})\}/g

/** The highest group that `text` names; 0 where it names none. */
export function highestGroup(text: string): number {
  return Math.max(
    0,
    largestOf(Array.from(text.matchAll(placeholder), ([, group]) => Number(group))),
  )
}

/** `text` with the groups in place; `groups[0]` is the whole match. */
export function fillGroups(text: string, groups: readonly string[]): string {
  return text.replace(placeholder, (_, digits: string) => groups[Number(digits)] ?? "")
}

/** The same within a regular expression: what was found stands for itself there. */
export function fillPattern(text: string, groups: readonly string[]): string {
  return fillGroups(text, groups.map(escapePattern))
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")
}

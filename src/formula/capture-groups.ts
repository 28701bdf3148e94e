/** Placeholders `${1}`, `${2}` … in names and patterns: texts of capture groups. */

import { largestOf } from "../base/iterables.ts"

const placeholder = /\$\{(\d{1,2})\}/g

/** The highest group among the placeholders of `text`; 0 without any. */
export function highestGroup(text: string): number {
  return Math.max(
    0,
    largestOf(Array.from(text.matchAll(placeholder), ([, group]) => Number(group))),
  )
}

/** `text` with its placeholders filled; `groups[0]` is the whole match. */
export function fillGroups(text: string, groups: readonly string[]): string {
  return text.replace(placeholder, (_, digits: string) => groups[Number(digits)] ?? "")
}

/** As `fillGroups`, for a regular expression: inserted texts are escaped. */
export function fillPattern(text: string, groups: readonly string[]): string {
  return fillGroups(text, groups.map(escapePattern))
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")
}

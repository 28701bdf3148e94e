/** Validation of paths in archives. Pure: no path of an archive is ever used on a disk. */

import { shown } from "../wire/problems.ts"
import { entryNameCharactersMax } from "./limits.ts"

/** The problem of a path, one sentence; null if it is valid. */
export function entryNameProblem(name: string): string | null {
  const problem = nameProblem(name)
  return problem === null ? null : `${shown(name)}: expected ${problem}`
}

function nameProblem(name: string): string | null {
  if (name.length === 0 || name.length > entryNameCharactersMax) {
    return `a name of 1 to ${entryNameCharactersMax} characters`
  }
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(name)) return "a name without control characters"
  if (name.includes("\\")) return "a name with / between folders, not a backslash"
  if (name.startsWith("/") || /^[a-z]:/i.test(name)) return "a relative name, not an absolute one"
  const segments = name.replace(/\/$/, "").split("/")
  if (segments.some((one) => one === "." || one === ".." || one === "")) {
    return 'a name without ".", ".." and empty parts'
  }
  return null
}

/** Paths that are equal on a case-insensitive file system have the same key. */
export function collisionKey(name: string): string {
  return name.replace(/\/$/, "").normalize("NFC").toLowerCase()
}

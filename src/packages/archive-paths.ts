/** What an entry of an archive may be called. Pure: nothing is ever written to a disk by it. */

import { shown } from "../wire/problems.ts"
import { entryNameCharactersMax } from "./limits.ts"

/** Why a name cannot be taken, in one sentence; null where it can. */
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

/** Names that are one on a file system that does not tell capitals apart have one key. */
export function collisionKey(name: string): string {
  return name.replace(/\/$/, "").normalize("NFC").toLowerCase()
}

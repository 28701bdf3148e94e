/** Call parameters: the caller, path ids and query parameters of a call. */

import { assert } from "../../base/assert.ts"
import { invalid } from "../../base/errors.ts"
import type { Caller } from "../../records/core/caller.ts"
import { shown } from "../../wire/problems.ts"
import { numberIdOf, uuidOf } from "../../wire/records/fields.ts"
import type { Call, RouteDeps } from "../shared/route.ts"

/** The calling user; the operation must require one. */
export function callerOf({ identity }: Call, { accounts }: Pick<RouteDeps, "accounts">): Caller {
  assert(identity !== null, "Expected an operation that asks for a user")
  const { tenant, user: email, role } = identity
  const userId = accounts.users.current(identity).id
  return { tenant, email, userId, isAdministrator: role === "Administrator" }
}

/** The `id` of the path as a UUID in lower case. Throws `invalid`. */
export function readUuid({ path }: Call): string {
  return uuidOf(path["id"] ?? "")
}

/** The `id` of the path as a whole number. Throws `invalid`. */
export function readNumberId({ path }: Call): string {
  return numberIdOf(path["id"] ?? "")
}

/** The last value of a query parameter; undefined if it is absent or empty. */
export function readParameter({ query }: Call, name: string): string | undefined {
  return query[name]?.at(-1)?.trim() || undefined
}

/** A boolean query parameter; `fallback` if it is absent. Throws `invalid`. */
export function readFlag(call: Call, name: string, fallback: boolean): boolean {
  const text = readParameter(call, name)?.toLowerCase()
  if (text === undefined) return fallback
  if (text !== "true" && text !== "false") {
    throw invalid(`${name}: expected true or false, got ${shown(text)}`)
  }
  return text === "true"
}

/** Which secrets of a record the caller may see. */
export function viewerOf({ identity }: Call): "writer" | "reader" {
  return identity === null || identity.role === "Read Only" ? "reader" : "writer"
}

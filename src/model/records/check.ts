/** Checks as they are stored: dead man's switches of elements (spec/events §4). */

import { uuidV3 } from "../../base/uuid.ts"
import type { TenantIndex } from "../ids.ts"

/** One check of one element, as of its last post. */
export interface Check {
  /** The same for the same tenant, element and name. */
  readonly id: string
  readonly name: string
  /** Cleaned; the element need not exist. */
  readonly elementFqn: string
  readonly elementId: string
  readonly ttlSeconds: number
  readonly postedMs: number
  /** The check has failed from this instant until it is posted again. */
  readonly expiresMs: number
}

/** The kind of the documents with a tenant's checks. */
export function checkKind(tenant: TenantIndex): string {
  return `check:${tenant}`
}

/** The key of a check; an FQN contains no slash, so it identifies one element and one check. */
export function checkKey({ elementFqn, name }: Pick<Check, "elementFqn" | "name">): string {
  return `${elementFqn}/${name}`
}

export function checkUuid(tenantUuid: string, elementFqn: string, name: string): string {
  return uuidV3(tenantUuid, `check\0${elementFqn}\0${name}`)
}

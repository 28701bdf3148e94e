/**
 * Auditing: which requests become facts of the security log. Changes of users, keys, policies and
 * the like do, with the names of the fields that were sent and never their values; and what is
 * refused with 403.
 */

import type { Principal } from "../../accounts/accounts.ts"
import { addressGroup } from "../../accounts/address-group.ts"
import { ServiceError } from "../../base/errors.ts"
import type { AuditEvent } from "../../model/records/audit.ts"
import type { Access, Method, Operation } from "../shared/route.ts"

export type NoteFact = (fact: AuditEvent) => void

export interface AuditedRequest {
  readonly method: Method
  /** A route's pattern: what was sent in its place may hold an API key. */
  readonly path: string
  readonly access: Access
  readonly remoteAddress: string | undefined
}

/** Field names that are shown of one body. */
const fieldsMax = 20
const fieldPattern = /^[A-Za-z]{1,40}$/

/** Where changes are noted: who may do what, what is watched, who is told. */
const auditedPaths = /^\/(?:users|datasources|policies|notifications|packages)(?:\/|$)/

/** The tenant of what belongs to none: unknown keys, unknown users, pages of other sites. */
const firstTenant = 0

/** The fact of a request that was done; null if it changed nothing. */
export function changeFact(
  { method, path, access, remoteAddress }: AuditedRequest,
  call: {
    readonly identity: Principal | null
    readonly path: Readonly<Record<string, string>>
    readonly body: unknown
  },
): AuditEvent | null {
  const { identity } = call
  const isPassword = path === "/users/:id/password"
  const isChange = method !== "GET" && (access === "writer" || access === "administrator")
  if (identity === null || !auditedPaths.test(path) || !(isChange || isPassword)) return null
  const named = path.replace(/:(\w+)/g, (_, name: string) => shortened(call.path[name] ?? ""))
  const fields = isPassword ? ["password"] : fieldsOf(call.body)
  return {
    tenant: identity.tenant,
    kind: "change",
    user: identity.user,
    address: addressGroup(remoteAddress),
    detail: `${method} ${named}${fields.length === 0 ? "" : `: ${fields.join(", ")}`}`,
  }
}

/** The fact of a request that was refused by its error; null if that is of no concern here. */
export function refusalFact(
  { method, path, access, remoteAddress }: AuditedRequest,
  error: unknown,
  identity: Principal | null,
): AuditEvent | null {
  if (!(error instanceof ServiceError) || error.code !== "forbidden") return null
  return {
    tenant: identity?.tenant ?? firstTenant,
    kind: access === "key" ? "keyRefused" : "accessDenied",
    user: identity?.user ?? null,
    address: addressGroup(remoteAddress),
    detail: `${method} ${path}`,
  }
}

/** The fact of an ingest request whose key is not known. */
export function unknownKeyFact(remoteAddress: string | undefined): AuditEvent {
  const address = addressGroup(remoteAddress)
  return {
    tenant: firstTenant,
    kind: "keyRefused",
    user: null,
    address,
    detail: "POST /ingest/:apiId",
  }
}

/** What the facts of an operation say of it. */
export function auditedRequest(
  operation: Pick<Operation, "access">,
  rest: Omit<AuditedRequest, "access">,
): AuditedRequest {
  return { ...rest, access: operation.access }
}

/** Names of the fields of a body, of those inside of a wrapper with one. */
function fieldsOf(body: unknown): string[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return []
  const [first] = Object.values(body) as unknown[]
  const isWrapped = typeof first === "object" && first !== null && !Array.isArray(first)
  const names = Object.keys(isWrapped ? first : body)
  return names.filter((name) => fieldPattern.test(name)).slice(0, fieldsMax)
}

/** An id of the path: ours are UUIDs and numbers, and names of types. */
function shortened(value: string): string {
  return value.replace(/[^\w.@-]/g, "_").slice(0, 80)
}

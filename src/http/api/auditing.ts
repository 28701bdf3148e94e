/**
 * Auditing: decides which requests become entries of the security log: changes of users, keys,
 * policies and the like, with the names of the sent fields and never their values, and requests
 * refused with 403.
 */

import type { Principal } from "../../accounts/accounts.ts"
import { addressGroup } from "../../accounts/address-group.ts"
import { ServiceError } from "../../base/errors.ts"
import type { AuditEvent } from "../../model/records/audit.ts"
import type { Access, Method, Operation } from "../shared/route.ts"

export interface AuditedRequest {
  readonly method: Method
  /** The pattern of the route, since the path itself may contain an API key. */
  readonly path: string
  readonly access: Access
  readonly remoteAddress: string | undefined
}

/** Field names that an entry lists of one body. */
const fieldsMax = 20
const fieldPattern = /^[A-Za-z]{1,40}$/

/** Paths whose changes are audited: rights, monitoring and notifications. */
const auditedPaths = /^\/(?:users|keys|datasources|policies|notifications|packages|checks)(?:\/|$)/

/** Its deletions are audited, of elements that may be thousands. */
const bulkPath = "/elements/search/elementBulk"

/** The tenant of entries without one: unknown keys, unknown users, cross-site requests. */
const firstTenant = 0

/** The entry of a successful request; null if it is not audited. */
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
  const isBulkDeletion = path === bulkPath && isDeletion(call.body)
  const isAudited = isBulkDeletion || (auditedPaths.test(path) && (isChange || isPassword))
  if (identity === null || !isAudited) return null
  const named = path.replace(/:(\w+)/g, (_, name: string) => shortened(call.path[name] ?? ""))
  const fields = isPassword
    ? ["password"]
    : isBulkDeletion
      ? ["delete", ...fieldsOf(call.body)]
      : fieldsOf(call.body)
  return {
    tenant: identity.tenant,
    kind: "change",
    user: identity.user,
    address: addressGroup(remoteAddress),
    detail: `${method} ${named}${fields.length === 0 ? "" : `: ${fields.join(", ")}`}`,
  }
}

function isDeletion(body: unknown): boolean {
  const { action, dryRun } = (body ?? {}) as {
    readonly action?: unknown
    readonly dryRun?: unknown
  }
  return action === "delete" && dryRun !== true
}

/** The entry of a request refused with 403; null for any other error. */
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

/** The entry of an ingest request with an unknown key. */
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

export function auditedRequest(
  operation: Pick<Operation, "access">,
  rest: Omit<AuditedRequest, "access">,
): AuditedRequest {
  return { ...rest, access: operation.access }
}

/** Names of the fields of a body, or of the object that its only member wraps. */
function fieldsOf(body: unknown): string[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return []
  const [first] = Object.values(body) as unknown[]
  const isWrapped = typeof first === "object" && first !== null && !Array.isArray(first)
  const names = Object.keys(isWrapped ? first : body)
  return names.filter((name) => fieldPattern.test(name)).slice(0, fieldsMax)
}

/** An id of the path with only the characters that valid ids have: UUIDs, numbers, type names. */
function shortened(value: string): string {
  return value.replace(/[^\w.@-]/g, "_").slice(0, 80)
}

/** Entries of the security log: sign-ins, refusals, changes and commands. */

import type { TenantIndex } from "../ids.ts"

export const auditKinds = [
  "loginSucceeded",
  "loginFailed",
  "loginThrottled",
  "keyRefused",
  "accessDenied",
  "change",
  "command",
] as const
export type AuditKind = (typeof auditKinds)[number]

/** An event to log; never contains a secret. */
export interface AuditEvent {
  /** The tenant whose administrators may read it; 0, the first, if it belongs to none. */
  readonly tenant: TenantIndex
  readonly kind: AuditKind
  /** E-mail of an existing user; null otherwise. */
  readonly user: string | null
  /** IPv4 address or IPv6 /64; null for events that did not come over the network. */
  readonly address: string | null
  /** The action or refusal, in the server's words. */
  readonly detail: string
}

/** Equal events, as they are stored. */
export interface AuditEntry extends Omit<AuditEvent, "tenant"> {
  readonly id: string
  /** The first time it happened, epoch milliseconds. */
  readonly timeMs: number
  /** The last time it happened. */
  readonly lastMs: number
  readonly count: number
}

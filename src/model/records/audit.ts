/** What the security log tells: sign-ins, refusals, changes and commands. */

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

/** Something that happened, to be noted; never with a secret. */
export interface AuditEvent {
  /** Whose administrators may read it; 0, the first, for what belongs to none. */
  readonly tenant: number
  readonly kind: AuditKind
  /** E-mail of a user that exists; null for anybody else. */
  readonly user: string | null
  /** IPv4 address or IPv6 /64; null for what did not come over the network. */
  readonly address: string | null
  /** What was done or refused, in words of the server's own. */
  readonly detail: string
}

/** Facts that are alike, as they are stored. */
export interface AuditEntry extends Omit<AuditEvent, "tenant"> {
  readonly id: string
  /** When it first happened, epoch milliseconds. */
  readonly timeMs: number
  /** When it last did. */
  readonly lastMs: number
  readonly count: number
}

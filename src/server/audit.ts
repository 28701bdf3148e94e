/** The security log of the server: entries of sign-ins and commands. */

import type { SignInOutcome } from "../accounts/accounts.ts"
import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import { systemRandom } from "../base/random.ts"
import type { AuditedCommand } from "../command/account/account.ts"
import type { AuditKind } from "../model/records/audit.ts"
import type { DocumentStore } from "../model/document.ts"
import { Audit } from "../records/core/audit.ts"
import { delay } from "../runtime/timers.ts"

export interface ServerAudit {
  readonly audit: Audit
  readonly onSignIn: (outcome: SignInOutcome) => void
  readonly onCommand: (done: AuditedCommand) => void
}

const kinds: Readonly<Record<SignInOutcome["result"], AuditKind>> = {
  right: "loginSucceeded",
  wrong: "loginFailed",
  throttled: "loginThrottled",
}
const details: Readonly<Record<SignInOutcome["result"], string>> = {
  right: "Basic credentials",
  wrong: "wrong e-mail or password",
  throttled: "too many failures",
}

/** Entries of no account are shown to administrators of the first, who run the server. */
const firstTenant = 0

export function openServerAudit(deps: {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly log: Logger
}): ServerAudit {
  const audit = new Audit({ ...deps, random: systemRandom, delay })
  return {
    audit,
    onSignIn: ({ result, account, address, tenant }) =>
      audit.record({
        tenant: tenant ?? firstTenant,
        kind: kinds[result],
        // People type a password where the e-mail belongs: what names no user is not repeated.
        user: tenant === null ? null : account,
        address,
        detail: details[result],
      }),
    onCommand: ({ tenant, text }) =>
      audit.record({
        tenant: tenant ?? firstTenant,
        kind: "command",
        user: null,
        address: null,
        detail: text,
      }),
  }
}

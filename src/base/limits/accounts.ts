/** Limits of accounts, sign-ins, login sessions and the security log, with their reasons. */

import { assert } from "../assert.ts"

const kib = 1024
const dayMs = 86_400_000

// — Accounts —

/** Their UUIDs are in 64 KiB that all threads share; one process is not meant for more. */
export const tenantsMax = 4096
/** Users of one account: lists of them are not paged. */
export const usersPerTenantMax = 1000
/** One for each datasource and some that are being replaced; all keys are in memory. */
export const keysPerTenantMax = 10_000
/** Settings that pages store for one user, as JSON: all users are in memory. */
export const userBytesMax = 64 * kib
/** Changes of users, tenants and keys that wait for each other; each takes a commit. */
export const accountChangesWaitingMax = 256
/** Maximum configurable rate of a key, a minute; beyond it no limit is needed. */
export const keyRateMax = 1_000_000_000

// — Sign-in (accounts/sign-in-throttle.ts) —

/** Correct credentials are accepted without a hash for this long after their last use: a day. */
export const credentialCacheMs = dayMs
/** Cached credentials, 300 bytes each: 3 MB. Others cost a hash. */
export const credentialCacheMax = 10_000
/** Passwords waiting for a hash: four seconds of one thread, longer than a person waits. */
export const hashesWaitingMax = 16
/**
 * A failed sign-in is answered no sooner: 40 guessing connections then cost 40 requests a second
 * instead of 8,000, and the hash of 0.24 s takes no longer than no hash for an unknown account.
 */
export const failedSignInMs = 1_000
/** Sign-ins that are being checked or delayed, in total; 20 kB each with their requests. */
export const pendingSignInsMax = 1_024
/** The same for one address, so that one address cannot exhaust the total. */
export const pendingSignInsPerAddressMax = 256
/** Addresses, accounts, and pairs of both with failures, each; 200 bytes an entry: 3 MB each. */
export const failureEntriesMax = 16_384
/** Failures expire this long after the last one: an hour. */
export const failureExpiryMs = 3_600_000
/** Failures of an account at an address before a delay: people mistype. */
export const freePairFailures = 3
/** The delay doubles from 1 s up to this: four guesses an hour. */
export const pairWaitMsMax = 900_000
/** Failures of an address before its hashes are spaced: an office shares one address. */
export const freeAddressFailures = 10
/** Maximum spacing of two hashes of one address: a correct sign-in waits twice that at most. */
export const addressSpacingMsMax = 1_000
/** Failures of an account from all addresses before its hashes are spaced. */
export const freeAccountFailures = 20
/** Maximum spacing of two hashes of one account: 17,000 guesses a day from all addresses. */
export const accountSpacingMsMax = 5_000
/** A sign-in that would start later than this is refused; a person waits no longer. */
export const signInWaitMsMax = 2_000
/**
 * Pairs of address and account with an earlier correct sign-in: the account's spacing does not
 * delay them.
 */
export const trustedPairsMax = 16_384

/** Login sessions of one user: browsers and phones; the oldest goes. */
export const loginSessionsPerUserMax = 50
/** All login sessions, 600 bytes each: 12 MB. */
export const loginSessionsMax = 20_000
/** A session ends when it was not used for a working day, and in any case after a day. */
export const sessionIdleMs = 8 * 3_600_000
export const sessionMaxMs = dayMs
/** The last use of a session is stored at most this often: a page asks several times a second. */
export const sessionUseStoredMs = 5 * 60_000
/** Enough to tell browsers apart. */
export const userAgentLengthMax = 200
/** Sign-in links that were not used yet: made by hand, an hour or a day each. */
export const signInLinksMax = 1_000
/** A link of the first start lasts a day, one that is asked for an hour. */
export const firstLinkMs = dayMs
export const signInLinkMs = 3_600_000

assert(
  pendingSignInsPerAddressMax <= pendingSignInsMax,
  "Expected the sign-ins of one address within the total",
)
assert(hashesWaitingMax <= pendingSignInsMax, "Expected each waiting hash to be a pending sign-in")
assert(freePairFailures <= freeAddressFailures, "Expected a pair to be delayed before its address")
assert(
  freeAddressFailures <= freeAccountFailures,
  "Expected one address to be delayed before an account is delayed for all",
)
assert(
  addressSpacingMsMax <= accountSpacingMsMax,
  "Expected an account, attacked from everywhere, to be spaced the most",
)

// — Security log (records/core/audit.ts) —

/** Entries of the security log are deleted after this. */
export const auditRetentionMs = 90 * dayMs
/** Refusals and failed sign-ins wait this long to be stored together: a commit a minute. */
export const auditFlushMs = 60_000
/** Distinct ones of a minute that get entries of their own; more are only counted. */
export const auditDistinctPerMinuteMax = 60
/** Changes and commands waiting to be stored, likewise; they wait for a second. */
export const auditWaitingMax = 1_000
/** Entries of a tenant, of changes and of all others each: 25 MB. */
export const auditEntriesMax = 100_000
/** Entries in one answer: 300 kB. */
export const auditPageMax = 1_000
/** A repeated sign-in of a user at an address is logged after a pause of this length: an hour. */
export const signInAuditIdleMs = 3_600_000
/** The same if the last entry is this old: a day. */
export const signInAuditIntervalMs = dayMs

assert(auditPageMax <= auditEntriesMax, "Expected one answer within what is kept")
assert(auditDistinctPerMinuteMax < auditWaitingMax, "Expected room for changes besides refusals")
assert(signInAuditIdleMs <= signInAuditIntervalMs, "Expected idle sign-ins to be logged earlier")

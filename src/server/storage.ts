/**
 * The lowest layer of the server: the store's lock, the shard's thread that writes the store, the
 * security log, and the accounts, which live in the store's documents.
 */

import { availableParallelism } from "node:os"
import { openAccounts, type Accounts } from "../accounts/accounts.ts"
import { defaultCost } from "../accounts/password.ts"
import { TenantDirectory } from "../accounts/tenant-directory.ts"
import { systemClock, type Clock, type ClockTrust } from "../base/clock.ts"
import { endPhase } from "../base/log.ts"
import { systemRandom } from "../base/random.ts"
import { runAccountCommand } from "../command/account/account.ts"
import { ownAddress } from "../config/own-address.ts"
import { acquireStoreLock, type StoreLock } from "../control/control-socket.ts"
import { documentStoreOf, ShardClient } from "../engine/shard-client.ts"
import type { ThreadPool } from "../engine/worker-pool.ts"
import { WatchedDocuments } from "../records/core/watched-documents.ts"
import type { Audit } from "../records/core/audit.ts"
import { closeToOthers } from "../store/open.ts"
import { openServerAudit, type ServerAudit } from "./audit.ts"
import type { StartOptions } from "./startup/start-options.ts"
import { openServerSignIn, type ServerSignIn } from "./sign-in.ts"
import type { CleanupStack } from "./startup/cleanup-stack.ts"

export interface Storage {
  readonly lock: StoreLock
  readonly shardPool: ThreadPool
  readonly shard: ShardClient
  readonly documents: WatchedDocuments
  readonly audit: Audit
  readonly signIn: ServerSignIn
  readonly accounts: Accounts
  readonly trustsClock: ClockTrust
  /** UUIDs of tenants, in memory that all threads share. */
  readonly directory: TenantDirectory
  /** Indexes of all tenants, as of now. */
  readonly tenants: () => number[]
}

/** Locks the store for this process. Throws a `ServiceError` if another one has it. */
export async function lockStore(
  { config, log }: Pick<StartOptions, "config" | "log">,
  cleanup: CleanupStack,
): Promise<StoreLock> {
  const lock = await acquireStoreLock(config.dataPath)
  cleanup.add(() => lock.release())
  for (const warning of closeToOthers(config.dataPath)) log.warn({}, warning)
  endPhase("store locked")
  return lock
}

/** Opens the layer, whose store is locked. Throws a `ServiceError` if it cannot be opened. */
export async function openStorage(
  options: StartOptions,
  clock: Clock,
  { lock, directory }: Pick<Storage, "lock" | "directory">,
  cleanup: CleanupStack,
): Promise<Storage> {
  const { shardPool, log } = options
  const shard = new ShardClient(shardPool)
  cleanup.add(() => shard.close())
  const documents = new WatchedDocuments(documentStoreOf(shard))
  const serverAudit = openServerAudit({ documents, clock, log })
  const { audit, onSignIn } = serverAudit
  cleanup.add(() => audit.stop())
  const signIn = openServerSignIn(availableParallelism(), onSignIn)
  cleanup.add(() => signIn.close())
  const trustsClock = () => shard.trustsClock(clock.nowMs())
  const opened = { lock, documents, serverAudit, signIn, directory, trustsClock }
  const accounts = await openServerAccounts(options, clock, opened, cleanup)
  const tenants = (): number[] => accounts.tenants.list().map(({ document }) => document.index)
  const own = { lock, shardPool, shard, documents, audit, signIn, accounts, directory }
  return { ...own, trustsClock, tenants }
}

/** Opens the accounts, creates the first one in a new store, and serves account commands. */
async function openServerAccounts(
  { config, passwordCost, firstSecrets }: StartOptions,
  clock: Clock,
  opened: Pick<Storage, "lock" | "documents" | "signIn" | "directory" | "trustsClock"> & {
    readonly serverAudit: ServerAudit
  },
  cleanup: CleanupStack,
): Promise<Accounts> {
  const { lock, documents, signIn, directory, serverAudit, trustsClock } = opened
  cleanup.add(async () => firstSecrets.failed())
  const { accounts, firstStart } = await openAccounts({
    documents,
    beforeFirst: () => firstSecrets.prepare(),
    random: systemRandom,
    clock,
    presets: config,
    cost: passwordCost ?? defaultCost,
    signIn: signIn.deps,
    signInClock: systemClock,
    trustsClock,
    remembered: { idleMs: config.loginIdleMs, maxMs: config.loginMaxMs },
    rates: {
      payloadsPerMinute: config.keyPayloadsPerMinute,
      samplesPerMinute: config.keySamplesPerMinute,
    },
    onTenant: ({ uuid, document }) => directory.set(document.index, uuid),
  })
  if (firstStart !== undefined) firstSecrets.created(firstStart)
  const { onCommand } = serverAudit
  const address = ownAddress(config)
  const commands = { accounts, random: systemRandom, address, onCommand }
  lock.serve((args) => runAccountCommand(args, commands))
  return accounts
}

/**
 * The embedded store: one thread writes (`WriteStore`), any number of threads read (`ReadStore`),
 * each with a catalogue replica of its own. Clients depend on the interface of their own work, of
 * which a WriteStore and a ReadStore are all:
 *
 *   append-store.ts        samples and series in       engine/shard
 *   maintenance-store.ts   background work, figures    engine
 *   document-store.ts      small documents             records, accounts; settings
 *   cycle-store.ts         closings                    cycle; engine/shard commits
 *   query-store.ts         reads                       query
 */

import type { Resolution } from "../model/resolution.ts"
import type { SampleLimits } from "../model/sample-limits.ts"
import type { AppendStore } from "./append-store.ts"
import type { CycleSource, RowStates, SyncCycleCommitter } from "./cycle-store.ts"
import type { SyncDocumentStore } from "./document-store.ts"
import type { MaintenanceStore } from "./maintenance-store.ts"
import type { PartitionedSource, QueryStore, SyncQuerySource } from "./query-store.ts"

export interface WriteStore
  extends AppendStore, MaintenanceStore, SyncDocumentStore, SyncCycleCommitter {}

/** Its reads are synchronous: no query of a thread waits for the store while another one runs. */
export interface ReadStore extends SyncQuerySource, PartitionedSource, CycleSource, QueryStore {
  /** Refreshes, and returns this store. */
  begin(): ReadStore

  /** Takes a new snapshot: later reads see all that was stored before this call. */
  refresh(): void
}

export interface StoreOptions {
  /** Folder of the store; created if it is missing. */
  readonly folder: string
  /** How long values of each resolution are kept, in milliseconds; whole days are dropped. */
  readonly retentionMs: Readonly<Record<Resolution, number>>
  /** How long after its end a cycle counts as closed. */
  readonly cycleGraceMs: number
  /** Unflushed samples that start a flush at any time; 2,000,000 if absent. */
  readonly flushSamplesMax?: number
  /** Samples of a partition in six hours from which on the sample limit applies. */
  readonly partitionSamplesMax?: number
  /**
   * The states that lose rows when series are forgotten; nothing is forgotten without it, since
   * the store may have such states.
   */
  readonly rowStates?: RowStates
  /** Monotonic milliseconds, for budgets only. */
  readonly elapsedMs: () => number
  /** Reports what an operator should know, such as a damaged WAL. */
  readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void
  /** For fault tests; a server leaves it out. */
  readonly faults?: FaultHooks
}

/** Hooks for fault tests. */
export interface FaultHooks {
  /**
   * Called with the name of each moment before and after something is made durable, such as
   * `flush.commit` and `flush.committed`. What it throws counts as the disk's refusal.
   */
  readonly onPoint?: (name: string) => void
  /** How much background work collects before it commits: with 0 it commits every step. */
  readonly commitBytes?: number
  /** Size of a WAL segment. */
  readonly segmentBytes?: number
  readonly sampleLimits?: SampleLimits
}

/** The result of `backup` or `restore`. */
export interface BackupReport {
  readonly bytes: number
}

/** The changes that `repair` made, and the problems that remain. */
export interface RepairReport {
  /** One sentence each; empty if nothing was to be done. */
  readonly done: readonly string[]
  /** Losses that could not be restored, one sentence each. */
  readonly lost: readonly string[]
  readonly problems: readonly string[]
  /** Folder of what was set aside, or null. */
  readonly quarantineFolder: string | null
}

/** The result of `verify`: every rollup recomputed from its inputs (spec/samples §2). */
export interface VerifyReport {
  /** Values compared, byte by byte. */
  readonly compared: number
  /** One sentence for each difference or damage, naming the key; empty if all is well. */
  readonly problems: readonly string[]
}

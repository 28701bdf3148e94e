/**
 * The contract of stores: laws that every implementation of the interfaces in src/store keeps. A
 * test file calls them for its implementation; the suite uses the interfaces alone.
 *
 *   serviceContract                                        what clients of the service see
 *     bags         what is stored: multiset unions         spec/samples §1
 *     rollup       buckets as functions of raw samples     spec/samples §2
 *     counters     increases, and the other statistics     spec/samples §6
 *     statistics   populations, order, exactness           spec/statistics §2
 *     pools        populations of several series as one    spec/samples §3, spec/statistics §7
 *     extremes     averages, deviations of any magnitude   spec/samples §3, spec/statistics §3
 *     catalogue    elements and metrics by name            append-store.ts
 *     documents                                            document-store.ts
 *     retention    what is dropped and what stays          spec/retention §1
 *     closings     what the closing of a cycle adds        spec/time §4, spec/samples §7
 *     walk         all of it in random order, against the reference store
 *
 *   embeddedContract                                       halves of one process, one writer
 *     unflushed    samples in the writer's memory          append-store.ts
 *     maintenance  flush, figures, close                   maintenance-store.ts
 *     numbering    one name, one number                    catalogue.ts
 *
 * The laws of the service pass time by `Trial.pass`, which maintains the embedded store.
 */

import { describe } from "node:test"
import { bagContract } from "./store-dedup.contract.ts"
import { catalogueContract, documentContract } from "./store-catalogue.contract.ts"
import { closingContract } from "./store-closing.contract.ts"
import { closedCounterContract } from "./store-closed-counter.contract.ts"
import { counterContract } from "./store-counter.contract.ts"
import { extremesContract } from "./store-extremes.contract.ts"
import type { Contract, ContractOptions, OpenStore } from "./store-harness.ts"
import { numberingContract } from "./store-numbering.contract.ts"
import { unflushedContract } from "./store-unflushed.contract.ts"
import { poolContract } from "./store-pool.contract.ts"
import { retentionContract } from "./store-retention.contract.ts"
import { rollupContract } from "./store-rollup.contract.ts"
import { statisticsContract } from "./store-statistics.contract.ts"
import { walkContract } from "./store-walk.contract.ts"

export { maintainFully as settleWriter } from "./store-harness.ts"
export type { OpenOptions, OpenStore, OpenedStore } from "./store-harness.ts"

/** Walks in the ordinary test run; a soak passes more. */
const runsDefault = 20

/**
 * Declares the laws of the service for one implementation. `open` gives a fresh, empty store at
 * every call. A property that fails prints its seed and path; `fc.configureGlobal({ seed, path })`
 * repeats it.
 */
export function serviceContract(
  name: string,
  open: OpenStore,
  options: Partial<ContractOptions> = {},
): void {
  const contract: Contract = { open, runs: options.runs ?? runsDefault }
  describe(`${name}: bags`, () => bagContract(contract))
  describe(`${name}: rollups`, () => rollupContract(contract))
  describe(`${name}: counters`, () => counterContract(contract))
  describe(`${name}: statistics`, () => statisticsContract(contract))
  describe(`${name}: pools`, () => poolContract(contract))
  describe(`${name}: extremes`, () => extremesContract(contract))
  describe(`${name}: catalogue`, () => catalogueContract(contract))
  describe(`${name}: documents`, () => documentContract(contract))
  describe(`${name}: retention`, () => retentionContract(contract))
  describe(`${name}: closings`, () => closingContract(contract))
  describe(`${name}: counters in closings`, () => closedCounterContract(contract))
  describe(`${name}: random walk`, () => walkContract(contract))
}

/** Declares the laws of a store whose writer and readers are halves of one process. */
export function embeddedContract(
  name: string,
  open: OpenStore,
  options: Partial<ContractOptions> = {},
): void {
  const contract: Contract = { open, runs: options.runs ?? runsDefault }
  describe(`${name}: unflushed samples`, () => unflushedContract(contract))
  describe(`${name}: numbering`, () => numberingContract(contract))
}

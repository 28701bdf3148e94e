/**
 * The contract of stores: laws that every implementation of the interfaces in src/store keeps. A
 * test file calls them for its implementation.
 *
 *   serviceContract   through a StoreDriver                what clients of the service see
 *     dedup        what is stored: multiset unions         spec/samples §1
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
 *   embeddedContract  through WriteStore and ReadStore     halves of one process, one writer
 *     append       columns of a group                      append-store.ts
 *     unflushed    samples in the writer's memory          append-store.ts
 *     maintenance  flush, figures, close                   maintenance-store.ts
 *     numbering    one name, one number                    catalogue.ts
 *
 * The laws of the service know names, answers by promise and the passing of time (`Trial.pass`);
 * they know no number, thread or step of an implementation.
 */

import { describe } from "node:test"
import { dedupContract } from "./store-dedup.contract.ts"
import { catalogueContract, documentContract } from "./store-catalogue.contract.ts"
import { closingContract } from "./store-closing.contract.ts"
import { closedCounterContract } from "./store-closed-counter.contract.ts"
import { counterContract } from "./store-counter.contract.ts"
import { extremesContract } from "./store-extremes.contract.ts"
import { appendContract } from "./store-append.contract.ts"
import type { OpenDriver, OpenStore } from "./store-driver.ts"
import type { Contract, ContractOptions, EmbeddedContract } from "./store-harness.ts"
import { numberingContract } from "./store-numbering.contract.ts"
import { unflushedContract } from "./store-unflushed.contract.ts"
import { poolContract } from "./store-pool.contract.ts"
import { retentionContract } from "./store-retention.contract.ts"
import { rollupContract } from "./store-rollup.contract.ts"
import { statisticsContract } from "./store-statistics.contract.ts"
import { walkContract } from "./store-walk.contract.ts"

export { EmbeddedDriver, maintainFully as settleWriter } from "./store-driver.ts"
export type { OpenOptions, OpenStore, OpenedStore, StoreDriver } from "./store-driver.ts"

/**
 * Declares the laws of the service for one implementation. `open` gives a fresh, empty store at
 * every call. A property that fails prints its seed and path; `fc.configureGlobal({ seed, path })`
 * repeats it.
 */
export function serviceContract(name: string, open: OpenDriver, { runs }: ContractOptions): void {
  const contract: Contract = { open, runs }
  describe(`${name}: bags`, () => dedupContract(contract))
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
export function embeddedContract(name: string, open: OpenStore, { runs }: ContractOptions): void {
  const contract: EmbeddedContract = { open, runs }
  describe(`${name}: append`, () => appendContract(contract))
  describe(`${name}: unflushed samples`, () => unflushedContract(contract))
  describe(`${name}: numbering`, () => numberingContract(contract))
}

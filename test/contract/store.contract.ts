/**
 * The contract of stores: laws that every implementation of src/store/store.ts keeps. A test file
 * calls `storeContract(name, open)` for its implementation; the suite uses the interfaces alone.
 *
 *   bag         what is stored: unions of bags             spec/samples §1
 *   open        what waits to be folded                    store.ts
 *   rollup      buckets as functions of raw samples        spec/samples §2
 *   counters    increases, and the other statistics        spec/samples §6
 *   statistics  populations, order, exactness              spec/statistics §2
 *   pools       populations of several series as one       spec/samples §3, spec/statistics §7
 *   extremes    averages and deviations of any magnitude   spec/samples §3, spec/statistics §3
 *   catalogue   elements, metrics, documents               store.ts
 *   retention   what goes and what stays                   spec/retention §1
 *   closing     what the closing of a cycle adds           spec/time §4, spec/samples §7
 *   both        counters in cycles that are closed
 *   walk        all of it in random order, against the reference store
 */

import { describe } from "node:test"
import { bagContract } from "./store-dedup.contract.ts"
import { catalogueContract, documentContract } from "./store-catalogue.contract.ts"
import { closingContract } from "./store-closing.contract.ts"
import { closedCounterContract } from "./store-closed-counter.contract.ts"
import { counterContract } from "./store-counter.contract.ts"
import { extremesContract } from "./store-extremes.contract.ts"
import type { Contract, ContractOptions, OpenStore } from "./store-harness.ts"
import { openContract } from "./store-unflushed.contract.ts"
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
 * Declares the whole suite for one implementation. `open` gives a fresh, empty store at every call.
 * A property that fails prints its seed and path; `fc.configureGlobal({ seed, path })` repeats it.
 */
export function storeContract(
  name: string,
  open: OpenStore,
  options: Partial<ContractOptions> = {},
): void {
  const contract: Contract = { open, runs: options.runs ?? runsDefault }
  describe(`${name}: bags`, () => bagContract(contract))
  describe(`${name}: open samples`, () => openContract(contract))
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

/**
 * What one tenant's documents of configurations come to, worked out in steps. The set that holds
 * stays the former one until the new one is whole.
 */

import { checksum } from "../base/checksum.ts"
import { pushAll } from "../base/iterables.ts"
import type { Cooperative } from "../base/cooperative.ts"
import type { AnalyticConfiguration } from "../analytics-settings/configuration.ts"
import { ConfigurationSet } from "../analytics-settings/configuration-set.ts"
import { readingSteps, type ReadConfiguration } from "../analytics-settings/parse-configuration.ts"
import { inPrecedenceOrder } from "../analytics-settings/stored-configuration.ts"
import type { StoredDocument } from "../model/document.ts"
import type { WriteStore } from "../store/store.ts"

/** Documents that are read from the store in one step: 3 kB each, 2 MiB at most. */
const documentsPerStep = 4

/** Sentences about a configuration that is left out. */
export interface RejectedConfiguration {
  readonly id: string
  readonly problems: readonly string[]
}

export class TenantConfigurations {
  /** Undefined where no metric gets any settings. */
  set: ConfigurationSet | undefined
  /** Tells these configurations from others; null where there are none. */
  checksum: number | null = null
  /** What each JSON text came to; those that stay as they are, are read once. */
  private parsed = new Map<string, ReadConfiguration>();

  /** Takes the documents of a kind as the store has them; ends with those that were left out. */
  *loadSteps(
    store: Pick<WriteStore, "listDocuments">,
    kind: string,
  ): Cooperative<RejectedConfiguration[]> {
    const documents = yield* readDocuments(store, kind)
    const mark = documents.length === 0 ? null : yield* checksumOf(documents)
    const read = new Map<string, ReadConfiguration>()
    const taken: AnalyticConfiguration[] = []
    const leftOut: RejectedConfiguration[] = []
    for (const { id, text, json } of inPrecedenceOrder(documents)) {
      const one = this.parsed.get(text) ?? (yield* readingSteps(json()))
      // Kept at once: where the work begins anew, this is not done twice.
      this.parsed.set(text, one)
      read.set(text, one)
      if (one.configuration !== null) taken.push(one.configuration)
      else leftOut.push({ id, problems: one.problems })
      yield
    }
    const set = yield* ConfigurationSet.steps(taken)
    this.parsed = read
    this.set = set.isEmpty ? undefined : set
    this.checksum = mark
    return leftOut
  }
}

function* readDocuments(
  store: Pick<WriteStore, "listDocuments">,
  kind: string,
): Cooperative<StoredDocument[]> {
  const documents: StoredDocument[] = []
  for (;;) {
    const last = documents.at(-1)
    // From the last one on, which comes again.
    const range = last === undefined ? {} : { from: last.id }
    const found = store.listDocuments(kind, { ...range, limit: documentsPerStep + 1 })
    const more = last === undefined ? found : found.slice(1)
    if (more.length === 0) return documents
    pushAll(documents, more)
    yield
  }
}

function* checksumOf(documents: readonly StoredDocument[]): Cooperative<number> {
  const encoder = new TextEncoder()
  const sums: number[] = []
  for (const document of documents) {
    sums.push(checksum(encoder.encode(JSON.stringify(document))))
    yield
  }
  return checksum(encoder.encode(sums.join()))
}

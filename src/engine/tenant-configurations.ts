/**
 * The analytic configurations of one tenant, built from its documents in steps. The previous set
 * stays in effect until the new one is complete.
 */

import { checksum } from "../base/checksum.ts"
import { pushAll } from "../base/iterables.ts"
import type { Cooperative } from "../base/cooperative.ts"
import type { AnalyticConfiguration } from "../analytics-settings/configuration.ts"
import { ConfigurationSet } from "../analytics-settings/configuration-set.ts"
import { readingSteps, type ReadConfiguration } from "../analytics-settings/parse-configuration.ts"
import { inPrecedenceOrder } from "../analytics-settings/stored-configuration.ts"
import type { StoredDocument } from "../model/document.ts"
import type { DocumentReader } from "../store/document-store.ts"

/** Documents read from the store in one step: 3 kB each, 2 MiB at most. */
const documentsPerStep = 4

/** A configuration that is not used, and why. */
export interface RejectedConfiguration {
  readonly id: string
  readonly problems: readonly string[]
}

export class TenantConfigurations {
  /** Undefined if no configuration sets anything. */
  set: ConfigurationSet | undefined
  /** Identifies this version of the configurations; null if there are none. */
  checksum: number | null = null
  /** Parsed configurations by JSON text; unchanged ones are parsed once. */
  private parsed = new Map<string, ReadConfiguration>();

  /** Loads all documents of `kind`; returns those that are not used. */
  *loadSteps(store: DocumentReader, kind: string): Cooperative<RejectedConfiguration[]> {
    const documents = yield* readDocuments(store, kind)
    const version = documents.length === 0 ? null : yield* checksumOf(documents)
    const read = new Map<string, ReadConfiguration>()
    const accepted: AnalyticConfiguration[] = []
    const rejected: RejectedConfiguration[] = []
    for (const { id, text, json } of inPrecedenceOrder(documents)) {
      const one = this.parsed.get(text) ?? (yield* readingSteps(json()))
      // Kept immediately: a restarted build does not parse it again.
      this.parsed.set(text, one)
      read.set(text, one)
      if (one.configuration !== null) accepted.push(one.configuration)
      else rejected.push({ id, problems: one.problems })
      yield
    }
    const set = yield* ConfigurationSet.steps(accepted)
    this.parsed = read
    this.set = set.isEmpty ? undefined : set
    this.checksum = version
    return rejected
  }
}

function* readDocuments(store: DocumentReader, kind: string): Cooperative<StoredDocument[]> {
  const documents: StoredDocument[] = []
  for (;;) {
    const last = documents.at(-1)
    // Starts at the last document read, which is returned again.
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

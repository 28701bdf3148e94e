/** Shared by the tests of ingest: a reader with its catalogue, and the effects of a body. */

import { Catalogue } from "../../src/catalogue/catalogue.ts"
import type { IngestOutcome, IngestRequest, IngestReaderOptions } from "../../src/ingest/ingest.ts"
import { IngestReader } from "../../src/ingest/ingest.ts"
import { fieldCount, SampleBatchBuilder, sampleFields } from "../../src/model/sample-batch.ts"

/** 2026-11-21T00:00:00Z */
export const nowMs = 1_795_219_200_000
const dayMs = 86_400_000

export interface ReadSample {
  readonly element: string
  readonly metric: string
  readonly timeMs: number
  readonly value: number
  readonly request: number
  readonly fields?: Record<string, number>
}

export class Reading {
  readonly catalogue = new Catalogue()
  readonly columns = new SampleBatchBuilder()
  readonly reader: IngestReader

  constructor(options: Partial<IngestReaderOptions> = {}) {
    this.reader = new IngestReader({
      catalogue: this.catalogue,
      acceptPastMs: 14 * dayMs,
      acceptFutureMs: 300_000,
      ...options,
    })
  }

  read(body: unknown, options: Partial<IngestRequest> = {}): IngestOutcome {
    const bytes =
      body instanceof Uint8Array
        ? body
        : Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
    const request = {
      tenant: 0,
      injectTimestamp: false,
      charset: "none" as const,
      nowMs,
      reportsLeftOut: true,
    }
    return this.reader.read(bytes, { ...request, ...options }, this.columns)
  }

  /** Every sample with its names, time and request, in the order of the columns. */
  samples(): ReadSample[] {
    const { columns, catalogue } = this
    const samples: ReadSample[] = []
    let aggregate = 0
    for (let run = 0; run < columns.runCount; run++) {
      const end = run + 1 < columns.runCount ? columns.runStarts[run + 1]! : columns.count
      for (let at = columns.runStarts[run]!; at < end; at++) {
        const series = columns.series[at]!
        const aggregated =
          aggregate < columns.aggregateCount && columns.aggregateSamples[aggregate] === at
        samples.push({
          element: catalogue.elementFqn(catalogue.seriesElement(series)),
          metric: catalogue.name(catalogue.seriesName(series)).fqn,
          timeMs: columns.runTimesMs[run]!,
          value: columns.values[at]!,
          request: columns.runRequests[run]!,
          ...(aggregated ? { fields: this.aggregate(aggregate++) } : {}),
        })
      }
    }
    return samples
  }

  /** The whole content of the catalogue, and its unstored changes. */
  known(): unknown {
    const { catalogue } = this
    const elements = Array.from({ length: catalogue.elementCount }, (_, element) => ({
      ...catalogue.storedElement(element),
      series: [...catalogue.storedElement(element).series],
    }))
    const names = Array.from({ length: catalogue.nameCount }, (_, name) => catalogue.name(name))
    const definitions = Array.from({ length: catalogue.definitionCount }, (_, definition) =>
      catalogue.definition(definition),
    )
    return { elements, names, definitions, changes: catalogue.changes() }
  }

  private aggregate(at: number): Record<string, number> {
    const { aggregateMasks, aggregateFields } = this.columns
    const fields: Record<string, number> = {}
    for (const [field, name] of sampleFields.entries()) {
      if (((aggregateMasks[at]! >> field) & 1) === 1) {
        fields[name] = aggregateFields[at * fieldCount + field]!
      }
    }
    return fields
  }
}

/** An element with one sample, with members replaced or added. */
export function element(members: object = {}): object {
  return { id: "srv-1", type: "SERVER", samples: [sample()], ...members }
}

export function sample(members: object = {}): object {
  return { metricId: "cpu", timestamp: nowMs, val: 1, ...members }
}

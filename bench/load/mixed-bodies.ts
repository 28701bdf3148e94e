/**
 * Bodies of a mixed fleet: one element and minute each, as three JSON libraries write it, compact
 * or indented; and the same samples for OpenTSDB's `/api/put`.
 *
 *   go       fields in the order of a struct       {"id":"a","name":"a",…
 *   sorted   fields by name, spaces between        {"attributes": [], "id": "a", …
 *   java     samples with the time first           {"name":"a","id":"a",…
 *
 * Of an aggregate OpenTSDB gets the average alone: it has no fields for the rest.
 */

import { aggregateOf, type MixedWorkload, type MixedWriter } from "./mixed-workload.ts"

type Json = Readonly<Record<string, unknown>>

interface Writer {
  element(parts: ElementParts): Json
  sample(parts: SampleParts): Json
  metric(parts: { readonly id: string; readonly unit: string; readonly type?: string }): Json
  readonly hasSpaces: boolean
}

interface ElementParts {
  readonly id: string
  readonly metrics: readonly Json[]
  readonly samples: readonly Json[]
}

interface SampleParts {
  readonly metricId: string
  readonly timestamp: number | string
  /** `val`, or the five fields of an aggregate. */
  readonly fields: Json
}

const type = "SERVER"
const location = "eu-west-1a"
const tags = [{ name: "env", value: "prod" }]
const attributes = [{ name: "os", value: "linux" }]

const writers: Readonly<Record<MixedWriter, Writer>> = {
  go: {
    element: ({ id, metrics, samples }) => {
      return { id, name: id, type, location, attributes, tags, relations: [], metrics, samples }
    },
    sample: ({ metricId, timestamp, fields }) => ({ metricId, timestamp, ...fields }),
    metric: (parts) => parts,
    hasSpaces: false,
  },
  sorted: {
    element: ({ id, metrics, samples }) => {
      return { attributes, id, location, metrics, name: id, samples, tags, type }
    },
    sample: ({ metricId, timestamp, fields }) => sorted({ metricId, timestamp, ...fields }),
    metric: sorted,
    hasSpaces: true,
  },
  java: {
    element: ({ id, metrics, samples }) => {
      return { name: id, id, type, location, tags, attributes, metrics, samples }
    },
    sample: ({ metricId, timestamp, fields }) => ({ timestamp, metricId, ...fields }),
    metric: ({ id, ...rest }) => ({ ...rest, id }),
    hasSpaces: false,
  },
}

export function mixedBody(workload: MixedWorkload, element: number, minute: number): string {
  const { id, writer: name, isPretty, isIso, metrics } = workload.elements[element]!
  const writer = writers[name]
  const timeMs = workload.timeMs(minute, element)
  const timestamp = isIso ? new Date(timeMs).toISOString() : timeMs
  const declared = metrics.map((metric) => {
    const parts = { id: metric.nameAt(minute), unit: metric.unit }
    return writer.metric(metric.isCounter ? { ...parts, type: "COUNTER" } : parts)
  })
  const samples = metrics.map((metric) => {
    const val = metric.values[minute]!
    const fields: Json = metric.isAggregated ? { ...aggregateOf(val) } : { val }
    return writer.sample({ metricId: metric.nameAt(minute), timestamp, fields })
  })
  const body = [writer.element({ id, metrics: declared, samples })]
  if (isPretty) return JSON.stringify(body, null, 2)
  return writer.hasSpaces ? spaced(body) : JSON.stringify(body)
}

export function mixedOpenTsdbBody(
  workload: MixedWorkload,
  element: number,
  minute: number,
): string {
  const { id, metrics } = workload.elements[element]!
  const timestamp = workload.timeMs(minute, element) / 1000
  const tagsOf = { element: id, type, env: "prod" }
  return JSON.stringify(
    metrics.map((metric) => {
      const value = metric.values[minute]!
      return { metric: metric.nameAt(minute), timestamp, value, tags: tagsOf }
    }),
  )
}

function sorted(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A space behind commas and colons, as Python writes. No text of ours has a line break. */
function spaced(body: unknown): string {
  return JSON.stringify(body, null, 1)
    .replace(/([[{])\n */g, "$1")
    .replace(/\n *([\]}])/g, "$1")
    .replace(/,\n */g, ", ")
}

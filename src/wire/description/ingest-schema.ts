/**
 * What an ingest body may hold, for the API description only: samples are read by a reader of their
 * own (src/ingest), which is many times as fast and takes more forms than are told here.
 */

import * as v from "valibot"

const text = v.pipe(v.nullish(v.string()))
const number = v.nullish(v.union([v.number(), v.string()]))
const named = v.array(v.object({ name: v.string(), value: v.nullish(v.unknown()) }))

const sample = v.pipe(
  v.object({
    metricId: v.string(),
    timestamp: v.nullish(
      v.pipe(
        v.union([v.number(), v.string()]),
        v.description("Epoch milliseconds or ISO 8601; absent with INJECT_TIMESTAMP"),
      ),
    ),
    val: number,
    min: number,
    max: number,
    avg: number,
    sum: number,
    cnt: number,
  }),
  v.description("At least one of the six values"),
)

const metric = v.object({
  id: v.string(),
  unit: text,
  name: text,
  type: v.nullish(v.pipe(v.string(), v.description("GAUGE, or COUNTER for one that only rises"))),
  sparseDataStrategy: text,
  tags: v.nullish(named),
})

const element = v.object({
  id: v.string(),
  name: text,
  type: text,
  location: text,
  tags: v.nullish(named),
  attributes: v.nullish(named),
  relations: v.nullish(v.array(v.object({ fqn: v.string() }))),
  metrics: v.nullish(v.array(metric)),
  samples: v.nullish(v.array(sample)),
})

export const ingestBody = v.array(element)

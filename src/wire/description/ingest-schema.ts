/**
 * The schema of an ingest body, for the API description only: src/ingest parses samples itself,
 * which is many times as fast, and accepts more forms than are described here.
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
  type: v.nullish(
    v.pipe(
      v.string(),
      v.description(
        "GAUGE; COUNTER for one that only rises, WRAPPING_COUNTER if it wraps at 2^32 or 2^64",
      ),
    ),
  ),
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

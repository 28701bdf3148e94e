/** Messages of the stream that pages read the contents of (spec/status §2). */

import * as v from "valibot"

export const ingestMessage = v.object({
  samples: v.number(),
  requests: v.number(),
  samplesPerSecond: v.number(),
  keyName: v.nullable(v.string()),
  newestElement: v.nullable(
    v.object({ id: v.string(), fqn: v.string(), name: v.string(), type: v.string() }),
  ),
  newestSample: v.nullable(v.string()),
})
export type IngestMessage = v.InferOutput<typeof ingestMessage>

export const seriesMessage = v.object({
  series: v.array(
    v.object({
      elementId: v.string(),
      metricId: v.string(),
      /** Epoch milliseconds and value, oldest first. */
      points: v.array(v.tuple([v.number(), v.number()])),
    }),
  ),
  isPartial: v.boolean(),
})
export type SeriesMessage = v.InferOutput<typeof seriesMessage>

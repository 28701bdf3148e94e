/** Answers about the whole account: status of elements, open incidents, status of the server. */

import * as v from "valibot"
import { levels } from "../element-words.ts"

export const levelCounts = v.object({
  ok: v.number(),
  info: v.number(),
  warning: v.number(),
  critical: v.number(),
  noData: v.number(),
  maintenance: v.number(),
})
export type LevelCounts = v.InferOutput<typeof levelCounts>

/** Parts of the fleet that fell silent together (spec/search §3). */
export const silencesSchema = v.array(
  v.object({
    /** Null if it is a part of all elements, else all of this type. */
    type: v.nullable(v.string()),
    silent: v.number(),
    total: v.number(),
    /** Epoch milliseconds. */
    since: v.number(),
  }),
)
export type Silence = v.InferOutput<typeof silencesSchema>[number]

export const statusSchema = v.object({
  levels: v.array(v.picklist(levels)),
  counts: v.object({
    total: v.number(),
    levels: levelCounts,
    types: v.array(v.object({ type: v.string(), total: v.number(), levels: levelCounts })),
  }),
  silences: silencesSchema,
  columns: v.nullable(
    v.object({
      fqn: v.array(v.string()),
      name: v.array(v.string()),
      type: v.array(v.number()),
      level: v.array(v.number()),
      openIncidents: v.array(v.number()),
    }),
  ),
})
export type StatusMap = v.InferOutput<typeof statusSchema>

export const serverSchema = v.object({
  started: v.string(),
  cycle: v.object({ lastClosed: v.string(), tookMs: v.nullable(v.number()), lagMs: v.number() }),
  counts: v.object({ elements: v.number(), series: v.number() }),
  ingest: v.object({ samplesPerSecond: v.number(), newestSample: v.nullable(v.string()) }),
})
export type ServerStatus = v.InferOutput<typeof serverSchema>

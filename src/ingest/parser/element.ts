/** The posted fields of one element and its metrics (spec/ingest §4, spec/names §2). */

import { fqnCharactersMax, tagsPerEntityMax } from "../../base/limits.ts"
import type { ElementPatch, MetricPatch, SparseStrategy } from "../../model/element.ts"
import { sparseStrategies } from "../../model/element.ts"
import { cleanFqn } from "../../model/fqn.ts"
import { isObject, type JsonObject } from "../../base/json-value.ts"
import { isAbsent, type FieldReader } from "./fields.ts"
import { noPostedMetrics, PostedMetrics } from "./posted-metrics.ts"
import { quoted } from "./problems.ts"

/**
 * Fields that were not sent are undefined instead of missing: merging treats both alike, and
 * objects of one hidden class made the reference parser a tenth faster.
 */
export function readElementPatch(reader: FieldReader, element: JsonObject): ElementPatch {
  return {
    name: reader.text(element["name"], "name"),
    type: reader.text(element["type"], "type"),
    location: reader.text(element["location"], "location"),
    tags: reader.pairs(element["tags"], "tags"),
    attributes: reader.pairs(element["attributes"], "attributes"),
    relations: readRelations(reader, element["relations"]),
  } as ElementPatch
}

/** Declared metrics; the last one with an id wins (spec/ingest §5). */
export function readPostedMetrics(reader: FieldReader, value: unknown): PostedMetrics {
  const list = readList(reader, value, "metrics")
  if (list.length === 0) return noPostedMetrics
  const metrics = new Map<string, MetricPatch>()
  for (const metric of list) {
    if (!isObject(metric)) {
      reader.refuse(`an entry of metrics is no object: ${quoted(metric)}`)
      continue
    }
    reader.position.metricId = metric["id"]
    const fqn = reader.fqn(metric["id"], "id")
    const patch = readMetricPatch(reader, metric)
    if (fqn !== undefined) metrics.set(fqn, patch)
  }
  reader.position.metricId = undefined
  return new PostedMetrics(metrics)
}

/** Returns the array, or an empty one if the value is absent. */
export function readList(reader: FieldReader, value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isAbsent(value)) reader.refuse(`${field} ${quoted(value)} is not a list`)
  return []
}

/**
 * The unit is any text and only the type COUNTER has an effect, so both are stored as sent.
 * Strategies are case-insensitive; an unknown one counts as not sent, because a collector that
 * invents one still delivers meaningful samples.
 */
function readMetricPatch(reader: FieldReader, metric: JsonObject): MetricPatch {
  return {
    name: reader.text(metric["name"], "name"),
    unit: reader.text(metric["unit"], "unit"),
    type: reader.text(metric["type"], "type"),
    sparseDataStrategy: strategyOf(reader.text(metric["sparseDataStrategy"], "sparseDataStrategy")),
    tags: reader.pairs(metric["tags"], "tags"),
  } as MetricPatch
}

const strategiesByText = new Map(sparseStrategies.map((s) => [s.toLowerCase(), s]))

function strategyOf(text: string | undefined): SparseStrategy | undefined {
  return text === undefined ? undefined : strategiesByText.get(text.toLowerCase())
}

/**
 * `[{fqn}]`, or leniently `["fqn"]`. Entries whose fqn is absent or empty after cleaning are
 * ignored.
 */
function readRelations(reader: FieldReader, value: unknown): readonly string[] | undefined {
  const entries = readList(reader, value, "relations")
  if (entries.length > tagsPerEntityMax) return reader.refuseCount("relations", entries.length)
  const fqns: string[] = []
  for (const entry of entries) {
    const fqn = cleanFqn(reader.text(isObject(entry) ? entry["fqn"] : entry, "fqn") ?? "")
    if (fqn.length > fqnCharactersMax) {
      reader.refuse(
        `fqn of a relation has ${fqn.length} characters, at most ${fqnCharactersMax} fit`,
      )
    } else if (fqn.length > 0) fqns.push(fqn)
  }
  return fqns.length > 0 ? fqns : undefined
}

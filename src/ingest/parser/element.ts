/** What one posted element says about itself and its metrics (spec/ingest §4, spec/names §2). */

import { fqnCharactersMax, tagsPerEntityMax } from "../../base/limits.ts"
import type { ElementPatch, MetricPatch, SparseStrategy } from "../../model/element.ts"
import { sparseStrategies } from "../../model/element.ts"
import { cleanFqn } from "../../model/fqn.ts"
import type { FieldReader, JsonObject } from "./fields.ts"
import { isAbsent, isObject } from "./fields.ts"
import { quoted } from "./problems.ts"

/**
 * The fields that were not sent are undefined, not missing: merging treats the two alike, and
 * objects of one layout made the slow path a tenth faster.
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

/**
 * Declared metrics by cleaned id. Of several with one id the last is taken whole (spec/ingest §5).
 */
export function readMetrics(reader: FieldReader, value: unknown): ReadonlyMap<string, MetricPatch> {
  const list = readList(reader, value, "metrics")
  if (list.length === 0) return noMetrics
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
  return metrics
}

const noMetrics: ReadonlyMap<string, MetricPatch> = new Map()

/** An array, or nothing where it is absent. */
export function readList(reader: FieldReader, value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isAbsent(value)) reader.refuse(`${field} ${quoted(value)} is not a list`)
  return []
}

/**
 * The unit is any text and only the type COUNTER has an effect, so both are kept as sent. A
 * strategy is known whatever its case; an unknown one counts as not sent, since a collector in the
 * field that invents one still delivers samples that mean something.
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
 * `[{fqn}]`, or leniently `["fqn"]`. An entry whose fqn is absent or cleans to nothing says
 * nothing.
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

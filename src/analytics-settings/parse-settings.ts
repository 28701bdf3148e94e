/** Parses `properties` of an entry: the settings of a metric (spec/analytics §5). */

import { tagsPerEntityMax } from "../base/limits.ts"
import { isCounterType, isWrappingType } from "../model/effective-settings.ts"
import { sparseStrategies } from "../model/element.ts"
import {
  actualStatistics,
  type ActualStatistic,
  type MetricSettings,
} from "../model/metric-settings.ts"
import { isScalar } from "../base/json-value.ts"
import { isAbsentField, type ConfigFieldReader } from "./field-readers.ts"

/** Accepted synonyms of our names. */
const synonyms: Readonly<Record<string, ActualStatistic>> = {
  avg: "average",
  actual: "average",
  count: "cnt",
}

export function readSettings(fields: ConfigFieldReader): MetricSettings {
  const type = fields.text("type")
  const settings: Record<string, unknown> = {
    statistic: readStatistic(fields, "STATISTIC") ?? readStatistic(fields, "statistic"),
    counter: readCounter(type),
    // COUNTER leaves to the collector which of the two it is.
    wraps: type !== undefined && isWrappingType(type) ? true : undefined,
    sparseDataStrategy: readStrategy(fields),
    ...readRange(fields),
    baseline: fields.boolean("baseline"),
    correlation: fields.boolean("correlation"),
    tags: readTags(fields),
  }
  const said = Object.entries(settings).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said) as MetricSettings
}

/** Undefined if no type is given: then the collector's type applies. */
function readCounter(type: string | undefined): boolean | undefined {
  return type === undefined || type === "" ? undefined : isCounterType(type)
}

function readStatistic(fields: ConfigFieldReader, name: string): ActualStatistic | undefined {
  const text = fields.text(name)?.toLowerCase()
  if (text === undefined) return undefined
  const known = actualStatistics.find((one) => one === (synonyms[text] ?? text))
  return known ?? fields.reject(name, `one of ${actualStatistics.join(", ")}`)
}

function readStrategy(fields: ConfigFieldReader): MetricSettings["sparseDataStrategy"] {
  const text = fields.text("sparseDataStrategy")?.toLowerCase()
  if (text === undefined) return undefined
  const known = sparseStrategies.find((one) => one.toLowerCase() === text)
  return known ?? fields.reject("sparseDataStrategy", `one of ${sparseStrategies.join(", ")}`)
}

function readRange(fields: ConfigFieldReader): Pick<MetricSettings, "validMin" | "validMax"> {
  const [validMin, validMax] = [fields.number("validMin"), fields.number("validMax")]
  if (validMin !== undefined && validMax !== undefined && validMin > validMax) {
    fields.reject("validMin", `at most validMax (${validMax})`)
  }
  return {
    ...(validMin === undefined ? {} : { validMin }),
    ...(validMax === undefined ? {} : { validMax }),
  }
}

function readTags(fields: ConfigFieldReader): Record<string, string> | undefined {
  const tags = fields.child("tags")
  if (tags === undefined) return undefined
  const said = Object.entries(tags).filter(([, value]) => !isAbsentField(value))
  if (said.length > tagsPerEntityMax || !said.every(([, value]) => isScalar(value))) {
    return fields.reject("tags", `an object of at most ${tagsPerEntityMax} texts`)
  }
  if (said.length === 0) return undefined
  // Sorted by name, so that equal tags have equal JSON.
  said.sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(said.map(([name, value]) => [name, String(value)]))
}

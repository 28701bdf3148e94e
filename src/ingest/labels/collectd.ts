/**
 * collectd's own JSON, as its plugin write_http sends it with `Format "JSON"` and without
 * `StoreRates`:
 *
 *   [{"values":[9, 8], "dsnames":["rx", "tx"], "dstypes":["derive", "derive"],
 *     "time":1700000000.123, "interval":10, "host":"web-01", "plugin":"interface",
 *     "plugin_instance":"eth0", "type":"if_octets", "type_instance":""}]
 *
 * Metrics get the names that collectd's write_prometheus gives them, in both of its forms. collectd
 * discards a request that is refused, so one bad value list does not invalidate the others: they
 * are stored, and the answer lists the refused ones (spec/ingest §13).
 */

import type { LeftOutReason } from "../left-out.ts"
import type { AcceptedPeriod } from "../request.ts"
import { isObject, type JsonObject } from "../../base/json-value.ts"
import { counterType, isCounterType, wrappingCounterType } from "../../model/effective-settings.ts"
import { quoted } from "../parser/problems.ts"
import { isNoObservation, outOfPeriodProblem, reasonOf } from "../parser/sample.ts"
import { hostFqn, metricFqn, type Label } from "./label-fqn.ts"
import { textCharactersMax } from "../../base/limits.ts"

/** One data source of a value list. */
export interface DataSource {
  readonly fqn: string
  readonly labels: readonly Label[]
  /** Of the metric (model/effective-settings.ts). */
  readonly type: string
  readonly value: number
}

export interface LeftOutSource {
  readonly fqn: string
  readonly value: unknown
  readonly reason: LeftOutReason
}

export interface ValueList {
  readonly host: string
  readonly element: string
  readonly timeMs: number
  readonly sources: readonly DataSource[]
  readonly leftOut: readonly LeftOutSource[]
}

/** True if a body posted to collectd's path is not the service's own JSON. */
export function isCollectdBody(body: readonly unknown[]): boolean {
  const [first] = body
  return isObject(first) && first["id"] === undefined
}

const names = ["host", "plugin", "type"] as const
const instances = ["plugin_instance", "type_instance"] as const
/** Types of metrics by those of data sources; collectd's COUNTER wraps, its DERIVE is reset. */
const typeOfSource: ReadonlyMap<string, string> = new Map([
  ["gauge", "GAUGE"],
  ["derive", counterType],
  ["counter", wrappingCounterType],
  ["absolute", "GAUGE"],
])
const types = [...typeOfSource.keys()]

/**
 * Parses one value list; returns a text if it is invalid. `nowMs` replaces the time of the list
 * unless it is null.
 */
export function readValueList(
  list: unknown,
  period: AcceptedPeriod,
  nowMs: number | null,
): ValueList | string {
  if (!isObject(list)) return `${quoted(list)} is no value list`
  const problem = identityProblem(list)
  if (problem !== null) return problem
  const timeMs = nowMs ?? timeOf(list["time"], period)
  if (typeof timeMs === "string") return timeMs
  const { values, dsnames, dstypes } = list
  if (!isListOf(dsnames, isText)) return `dsnames ${quoted(dsnames)} is not a list of texts`
  if (!isListOf(dstypes, isType)) return `dstypes ${quoted(dstypes)}: expected ${types.join(", ")}`
  if (!Array.isArray(values)) return `values ${quoted(values)} is not a list`
  if (values.length !== dsnames.length || values.length !== dstypes.length) {
    return `${values.length} values, ${dsnames.length} dsnames and ${dstypes.length} dstypes`
  }
  const host = list["host"] as string
  const sources: DataSource[] = []
  const leftOut: LeftOutSource[] = []
  for (const [i, value] of values.entries()) {
    const source = sourceOf(list, dsnames[i]!, dstypes[i]!)
    if (typeof value === "number" && Number.isFinite(value)) {
      sources.push({ value: value + 0, ...source })
    } else if (typeof value === "number" || isNoObservation(value)) {
      leftOut.push({ fqn: source.fqn, value, reason: reasonOf(value) })
    } else return `value ${quoted(value)} of ${quoted(dsnames[i])} is not a finite number`
  }
  return { host, element: hostFqn(host), timeMs, sources, leftOut }
}

function identityProblem(list: JsonObject): string | null {
  for (const name of names) {
    const value = list[name]
    if (value === undefined) return `Missing required field '${name}'`
    if (!isText(value) || value === "") return `${name} ${quoted(value)} is not a text`
  }
  for (const name of instances) {
    const value = list[name] ?? ""
    if (!isText(value)) return `${name} ${quoted(value)} is not a text`
  }
  return null
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= textCharactersMax
}

function isType(value: unknown): value is string {
  return typeof value === "string" && types.includes(value)
}

function isListOf(value: unknown, is: (one: unknown) => one is string): value is string[] {
  return Array.isArray(value) && value.every((one) => is(one))
}

/** Epoch milliseconds of a time in seconds; a text if it is invalid. */
function timeOf(time: unknown, period: AcceptedPeriod): number | string {
  if (typeof time !== "number") return `time ${quoted(time)}: expected epoch seconds`
  const ms = Math.round(time * 1000)
  return ms >= period.oldestMs && ms <= period.newestMs
    ? ms
    : `time ${quoted(time)}, in epoch seconds: ${outOfPeriodProblem(ms, ms, period)}`
}

function sourceOf(list: JsonObject, dsname: string, dstype: string) {
  const plugin = list["plugin"] as string
  const type = typeOfSource.get(dstype)!
  const words = [
    "collectd",
    plugin === list["type"] ? "" : plugin,
    list["type"] as string,
    dsname === "value" ? "" : dsname,
    isCounterType(type) ? "total" : "",
  ]
  const labels = labelsOf(list, plugin)
  const name = words.filter((word) => word !== "").join("_")
  return { fqn: metricFqn(name, labels), labels, type }
}

function labelsOf(list: JsonObject, plugin: string): Label[] {
  const [pluginInstance = "", typeInstance = ""] = instances.map(
    (name) => (list[name] ?? "") as string,
  )
  if (pluginInstance === "") return typeInstance === "" ? [] : [[plugin, typeInstance]]
  const first: Label = [plugin, pluginInstance]
  return typeInstance === "" ? [first] : [first, ["type", typeInstance]]
}

/**
 * Notifications of collectd, as its plugin write_http sends them with `Notifications true` to the
 * address of the value lists (collectd.ts), each as an alert of Alertmanager:
 *
 *   [{"labels":{"alertname":"collectd_df_df_complex", "instance":"web-01", "severity":"FAILURE",
 *      "service":"collectd", "df":"root", "type":"free"},
 *     "annotations":{"summary":"…", "CurrentValue":"1.5"},
 *     "startsAt":"2023-11-14T22:13:20.123456789Z"}]
 *
 * They become external events of the element that the value lists of their host belong to
 * (spec/ingest §13).
 */

import { isoProblem } from "../../base/iso8601.ts"
import { isObject, isScalar, type JsonObject } from "../../base/json-value.ts"
import { tagsPerEntityMax, textCharactersMax } from "../../base/limits.ts"
import type { NameValue } from "../../model/element.ts"
import { levelOf, type EventLevel } from "../../model/records/event-level.ts"
import type { PostedEvent } from "../../model/records/posted-event.ts"
import { isAbsent } from "../parser/fields.ts"
import { quoted } from "../parser/problems.ts"
import { outOfPeriodProblem, timestampMs } from "../parser/sample.ts"
import type { AcceptedPeriod } from "../request.ts"
import { hostFqn } from "./label-fqn.ts"

const source = "collectd"
/** Members of which a value list has none. */
const members = ["labels", "annotations", "startsAt"]

/** True for an entry of a collectd body that is no value list. */
export function isNotification(entry: unknown): entry is JsonObject {
  if (!isObject(entry) || !isAbsent(entry["values"])) return false
  return members.some((name) => !isAbsent(entry[name]))
}

/** The server's time, and whether it replaces that of every event. */
interface Arrival {
  readonly nowMs: number
  readonly injectTimestamp: boolean
}

/** Reads one notification; returns a text if it is invalid. */
export function readNotification(
  { labels, annotations, startsAt }: JsonObject,
  period: AcceptedPeriod,
  { nowMs, injectTimestamp }: Arrival,
): PostedEvent | string {
  const tags = readLabels(labels ?? {})
  if (typeof tags === "string") return tags
  const notes = annotations ?? {}
  if (!isObject(notes)) return `annotations ${quoted(annotations)} is not an object`
  const { summary = null, ...further } = notes
  if (summary !== null && !isScalar(summary)) return `summary ${quoted(summary)} is not a text`
  const label = (of: string): string => tags.find(({ name }) => name === of)?.value ?? ""
  const host = label("instance")
  if (host === "") return "Missing required field 'host', the label 'instance'"
  const message = String(summary ?? "")
  const title = [message, label("alertname")].find(isTitle)
  if (title === undefined) return "Missing required field 'summary' or label 'alertname'"
  const isTimed = !injectTimestamp && !isAbsent(startsAt)
  const timeMs = isTimed ? readTime(startsAt, period) : nowMs
  if (typeof timeMs === "string") return timeMs
  const elementFqn = hostFqn(host)
  const level = levelOfSeverity(label("severity"))
  const data = { ...further, elementId: elementFqn, level, message }
  return { timeMs, isTimed, elementFqn, level, type: level, title, source, data, tags }
}

/** The labels as tags; a text if they are invalid. */
function readLabels(labels: unknown): NameValue[] | string {
  if (!isObject(labels)) return `labels ${quoted(labels)} is not an object`
  const entries = Object.entries(labels)
  if (entries.length > tagsPerEntityMax) {
    return `${entries.length} labels, at most ${tagsPerEntityMax} fit`
  }
  const tags: NameValue[] = []
  for (const [name, value] of entries) {
    if (name === "" || !isLabelText(name)) return `label ${quoted(name)} is not a name`
    if (!isLabelText(value ?? "")) return `label ${quoted(name)}: ${quoted(value)} is not a text`
    tags.push({ name, value: String(value ?? "") })
  }
  return tags
}

function isLabelText(value: unknown): boolean {
  return isScalar(value) && String(value).length <= textCharactersMax
}

function isTitle(text: string): boolean {
  return text.trim() !== "" && text.length <= textCharactersMax
}

/** Epoch milliseconds; a text if they are invalid. */
function readTime(startsAt: unknown, period: AcceptedPeriod): number | string {
  const ms = timestampMs(startsAt)
  if (ms === undefined) return `startsAt ${quoted(startsAt)}: ${isoProblem(String(startsAt))}`
  const { oldestMs, newestMs } = period
  if (ms >= oldestMs && ms <= newestMs) return ms
  return `startsAt: ${outOfPeriodProblem(startsAt, ms, period)}`
}

/** collectd's own words are OKAY, WARNING and FAILURE. */
function levelOfSeverity(severity: string): EventLevel {
  return severity.trim().toUpperCase() === "FAILURE" ? "CRITICAL" : levelOf(severity, "")
}

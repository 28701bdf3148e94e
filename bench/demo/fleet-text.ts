/** The findings of the fleet as text. Pure. */

import type { Span } from "../../src/model/span.ts"
import type { FoundRecord } from "./fleet-results.ts"
import type { WebhookRequest } from "./webhook-receiver.ts"
import type { PolicyResults, CheckResult } from "./fleet-verification.ts"
import { tableText, valueText } from "../../src/command/text/table-text.ts"

/** Rows of a table that are shown. */
const rowsMax = 40

export function policiesText(findings: readonly PolicyResults[]): string {
  const header = ["policy", "level", "events", "incidents", "told", "told of the end"]
  const rows = findings.map(({ policy, events, incidents, begun, cleared }) => [
    policy.name,
    policy.category,
    ...[events, incidents, begun, cleared].map(({ length }) => String(length)),
  ])
  return tableText(header, rows)
}

export function incidentsText(findings: readonly PolicyResults[]): string {
  const header = ["incident", "element", "first", "last", "closed"]
  const rows = findings.flatMap(({ policy, incidents }) =>
    incidents.map(({ elementName, tsFirstFired, tsLastFired, tsClosed }) => [
      policy.name,
      elementName,
      ...[tsFirstFired, tsLastFired, tsClosed].map((ts) => (ts === null ? "open" : shortTime(ts))),
    ]),
  )
  return tableText(header, rows.slice(0, rowsMax))
}

export function deliveriesText(deliveries: readonly WebhookRequest[]): string {
  const header = ["webhook got", "of", "element", "time"]
  const rows = deliveries.map(({ payloadType, policyName, elementName, timestamp }) => [
    payloadType,
    policyName,
    elementName,
    shortTime(timestamp),
  ])
  return tableText(header, rows.slice(0, rowsMax))
}

/** The records of a span as they lie to their band. */
export function bandsText(
  records: readonly FoundRecord[],
  { startMs, endMs }: Span,
  everyMs: number,
): string {
  const header = ["time", "actual", "baselineLower", "baselineMean", "baselineUpper", ""]
  const rows = records
    .filter(({ timeMs }) => timeMs >= startMs && timeMs < endMs && timeMs % everyMs === 0)
    .map(({ timeMs, data }) => {
      const { actual, baselineLower, baselineMean, baselineUpper } = data
      const isAbove = actual !== undefined && actual > (baselineUpper ?? Infinity)
      const values = [actual, baselineLower, baselineMean, baselineUpper].map((value) =>
        value === undefined ? "-" : valueText(value),
      )
      return [shortTime(new Date(timeMs).toISOString()), ...values, isAbove ? "above" : ""]
    })
  return tableText(header, rows.slice(0, rowsMax))
}

export function checksText(verdicts: readonly CheckResult[]): string {
  return verdicts.map(({ holds, sentence }) => `${holds ? "ok " : "NO "} ${sentence}`).join("\n")
}

/** `2026-01-13 10:05` */
function shortTime(text: string): string {
  return text.slice(0, 16).replace("T", " ")
}

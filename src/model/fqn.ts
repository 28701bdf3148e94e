/**
 * Names of elements and metrics (FQNs, spec/names §2), and the UUIDs that follow from them (see
 * spec/names §3).
 *
 * An FQN consists of `[a-zA-Z0-9._-]`. The rule is the same for element ids, metric ids, sample
 * metric ids and relations; two raw names with the same cleaned FQN are one element or metric.
 */

import { uuidV3 } from "../base/uuid.ts"

const spaceCode = 32

/** 1 for the codes that an FQN may contain. */
const isFqnCode = new Uint8Array(128)
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") {
  isFqnCode[character.charCodeAt(0)] = 1
}

/**
 * Turns spaces into `_` and removes other characters outside the alphabet. The result may be empty.
 *
 * @example
 * assert.equal(cleanFqn("disk usage.total%"), "disk_usage.total")
 */
export function cleanFqn(raw: string): string {
  for (let i = 0; i < raw.length; i++) {
    const code = raw.charCodeAt(i)
    if (code > 127 || isFqnCode[code] === 0) return cleanFrom(raw, i)
  }
  return raw
}

function cleanFrom(raw: string, start: number): string {
  let clean = raw.slice(0, start)
  for (let i = start; i < raw.length; i++) {
    const code = raw.charCodeAt(i)
    if (code === spaceCode) clean += "_"
    else if (code < 128 && isFqnCode[code] === 1) clean += raw[i]
  }
  return clean
}

/** The public id of an element. `elementFqn` is cleaned. */
export function elementUuid(tenantUuid: string, elementFqn: string): string {
  return uuidV3(tenantUuid, elementFqn)
}

/**
 * The public id of a metric. Both names are cleaned and contain no NUL, so no two pairs of names,
 * nor a pair and an element, are hashed as the same text.
 */
export function metricUuid(tenantUuid: string, elementFqn: string, metricFqn: string): string {
  return uuidV3(tenantUuid, `${elementFqn}\0${metricFqn}`)
}

/**
 * The metric that the server adds to each element: the percentage of its metrics with samples in
 * the cycle (spec/time §4). Metrics that never had any, such as computed ones, do not count.
 */
export const collectedPercentFqn = "netuitive.metrics.collected.percent"

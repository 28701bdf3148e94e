/**
 * FQNs of series that are identified by labels (spec/ingest §12). They are stored, so the rules
 * never change.
 *
 *   collectd_interface_if_octets_rx_total {interface="eth0"}
 *   ─► collectd_interface_if_octets_rx_total.interface-eth0
 *   node_filesystem_avail_bytes {device="/dev/sda1", mountpoint="/"}
 *   ─► node_filesystem_avail_bytes.device-_dev_sda1.mountpoint-_.3f9a2b1c0d4e
 *
 * A plain FQN is reversible, so no two are alike; any other ends in a hash of its labels.
 */

import { fqnCharactersMax } from "../../base/limits.ts"
import { uuidV3 } from "../../base/uuid.ts"

/** A label: its name and its value, which is not empty. */
export type Label = readonly [name: string, value: string]

/** A hashed name is cut to this length before its hash. */
const hashedCharactersMax = 480
const hashDigits = 12
const noNamespace = "00000000-0000-0000-0000-000000000000"

const plainName = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const plainValue = /^(?:[a-zA-Z0-9_-]+|-?\d+\.\d+)$/
const plainHost = /^[a-zA-Z0-9.-]+(?::\d+)?$/

/** The FQN of the metric `name` with `labels`, in any order. */
export function metricFqn(name: string, labels: readonly Label[]): string {
  const sorted = sortedByName(labels)
  const parts = sorted.map(([label, value]) => `.${label}-${value}`)
  const fqn = replaced(name + parts.join(""))
  const isPlain =
    plainName.test(name) &&
    sorted.every(([label, value]) => plainName.test(label) && plainValue.test(value)) &&
    fqn.length <= fqnCharactersMax
  return isPlain ? fqn : hashed(fqn, [["__name__", name], ...sorted])
}

/** The FQN of the element that one label identifies, independent of the label's name. */
export function hostFqn(host: string): string {
  const isPlain = plainHost.test(host) && host.length <= fqnCharactersMax
  return isPlain ? host.replace(":", "_") : hashed(replaced(host), [["instance", host]])
}

const hostNames = ["instance", "host", "hostname", "host_name"]
const plainJob = /^[a-zA-Z0-9-]+$/

/**
 * The FQN of the element that these labels identify, in any order; at least one. A host alone has
 * the FQN of its value, an instance of a job `instance__job`; any other has the values joined by
 * dots, and a hash.
 */
export function elementLabelsFqn(labels: readonly Label[]): string {
  const [first, second] = labels
  if (second === undefined && hostNames.includes(first![0])) return hostFqn(first![1])
  const sorted = sortedByName(labels)
  const [job, instance] = sorted.toReversed()
  if (labels.length === 2 && job![0] === "job" && instance![0] === "instance") {
    const [host, name] = [instance![1], job![1]]
    const fqn = `${host.replace(":", "_")}__${name}`
    const isPlain = plainHost.test(host) && plainJob.test(name) && fqn.length <= fqnCharactersMax
    if (isPlain) return fqn
  }
  return hashed(replaced(sorted.map(([, value]) => value).join(".")), sorted)
}

function sortedByName(labels: readonly Label[]): Label[] {
  return labels.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
}

function replaced(text: string): string {
  return text.replace(/[^a-zA-Z0-9._-]/g, "_")
}

/** The digits are those of MD5 over the pairs in order, each part preceded by its length. */
function hashed(fqn: string, pairs: readonly Label[]): string {
  const text = pairs.flat().map((part) => `${part.length}:${part}`)
  const digits = uuidV3(noNamespace, text.join("")).replaceAll("-", "").slice(0, hashDigits)
  return `${fqn.slice(0, hashedCharactersMax)}.${digits}`
}

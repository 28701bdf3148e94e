/**
 * Where the labels of a series go, for formats whose series have labels instead of FQNs:
 *
 *   element   labels that tell monitored things apart: job, instance, host, …
 *   shared    labels with few values that many series share: env, region, … They become tags
 *   metric    the rest, which is part of the metric's FQN (label-fqn.ts) and becomes tags of it
 *
 * The FQNs are stored, so the rules never change.
 */

import { elementLabelsFqn, type Label } from "./label-fqn.ts"

/** Labels of elements, unless an operator names others. */
const elementLabelNames = ["cluster", "job", "instance", "namespace", "pod", "container"] as const
/** The first of them takes the place of `instance` if that is absent. */
const hostLabelNames = ["host", "hostname", "host_name"] as const
const sharedLabelNames: ReadonlySet<string> = new Set([
  "region",
  "zone",
  "env",
  "environment",
  "datacenter",
  "dc",
  "stage",
  "tenant",
  "prometheus",
  "prometheus_replica",
  "monitor",
  "replica",
])

export interface SplitLabels {
  /** FQN of the element; null if no label names one. */
  readonly fqn: string | null
  readonly element: readonly Label[]
  readonly shared: readonly Label[]
  readonly metric: readonly Label[]
}

/** Splits labels with distinct names and values that are not empty. */
export function splitLabels(
  labels: readonly Label[],
  elementNames: readonly string[] = elementLabelNames,
): SplitLabels {
  const names = new Set(labels.map(([name]) => name))
  const host = names.has("instance") ? undefined : hostLabelNames.find((name) => names.has(name))
  const isElement = (name: string): boolean => elementNames.includes(name) || name === host
  const element = labels.filter(([name]) => isElement(name))
  const rest = labels.filter(([name]) => !isElement(name))
  return {
    fqn: element.length === 0 ? null : elementLabelsFqn(element),
    element,
    shared: rest.filter(([name]) => sharedLabelNames.has(name)),
    metric: rest.filter(([name]) => !sharedLabelNames.has(name)),
  }
}

/** The display name of an element: its instance or host, container, pod or job. */
export function elementName(labels: readonly Label[]): string {
  const values = new Map(labels)
  for (const name of ["instance", ...hostLabelNames, "container", "pod", "job"]) {
    const value = values.get(name)
    if (value !== undefined) return value
  }
  return labels[0]![1]
}

/** The type of an element: SERVER for a host alone, a kind of Kubernetes, or the job. */
export function elementType(labels: readonly Label[]): string | undefined {
  const values = new Map(labels)
  if (values.has("container")) return "CONTAINER"
  if (values.has("pod")) return "POD"
  if (hostLabelNames.some((name) => values.has(name))) return "SERVER"
  return values.get("job")
}

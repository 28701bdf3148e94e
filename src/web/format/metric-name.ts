/**
 * The metric that the server adds to each element, the share of its metrics with samples: its name
 * is one of the API, from the service that clients and packages were made for.
 */

const addedName = "netuitive.metrics.collected.percent"
const shownName = "metrics.collected.percent"

/** Whether the server added a metric; pages do not choose such a one by themselves. */
export function isAdded(metricFqn: string): boolean {
  return metricFqn === addedName
}

/** The name of a metric as pages show it. */
export function metricName(metricFqn: string): string {
  return isAdded(metricFqn) ? shownName : metricFqn
}

/** Names in their order, but those that the server added last. */
export function addedLast<Named extends { readonly fqn: string }>(
  names: readonly Named[],
): readonly Named[] {
  return [...names.filter(({ fqn }) => !isAdded(fqn)), ...names.filter(({ fqn }) => isAdded(fqn))]
}

/** Whether a node of the tree of names has nothing below it but what the server added. */
export function holdsAddedAlone(node: { readonly fqn: string; readonly metrics: number }): boolean {
  return node.metrics === 1 && (isAdded(node.fqn) || addedName.startsWith(`${node.fqn}.`))
}

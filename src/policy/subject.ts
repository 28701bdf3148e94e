/** Elements and metrics as policies see them. */

import type { ElementInfo, MetricDefinition, NameValue } from "../model/element.ts"
import type { ScopeSubject } from "./scope.ts"

/** An element as scopes test it: with posted tags and those that users set, of one name too. */
export function scopeSubjectOf(fqn: string, info: ElementInfo): ScopeSubject {
  const { name, type, attributes, tags, serviceTags = [] } = info
  return { fqn, name, type, attributes, tags: [...serviceTags, ...tags] }
}

/** Tags of a metric: posted ones, overridden by those that users or packages set. */
export function policyTagsOf(definition: MetricDefinition): readonly NameValue[] {
  const { tags, serviceTags = [], settings } = definition
  const given = Object.entries(settings?.tags ?? {}).map(([name, value]) => ({ name, value }))
  const winning = new Set([...serviceTags, ...given].map(({ name }) => name))
  return [...serviceTags, ...given, ...tags.filter(({ name }) => !winning.has(name))]
}

/** The unit for display: a tag of a package or a user corrects what the collector sent. */
export function policyUnitOf(definition: MetricDefinition): string {
  const tag = policyTagsOf(definition).find(({ name }) => name === "unit")
  return tag?.value || definition.unit
}

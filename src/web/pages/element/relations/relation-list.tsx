/** The related elements as a list: the same as the graph, in words. */

import type { ElementStatus } from "../../../api/elements.ts"
import { visibleText } from "../../../format/visible-text.ts"
import { LevelMark } from "../../../parts/level-mark.tsx"
import { relationsAddress, type RelationGraphProps } from "./relation-graph.tsx"
import type { ElementNode, RelationNode, RelationView } from "./relation-view.ts"
import style from "./relations.module.css"
import { text } from "./text.ts"

/** Containers that are named. */
const namedMax = 3

export function RelationList({ view, statuses }: RelationGraphProps) {
  const containers = containersOf(view)
  return (
    <section class={style["listHolder"]} tabIndex={0} aria-label={text.list}>
      <ul class={style["list"]} aria-label={text.list}>
        {view.nodes.map((node) => (
          <li key={node.id}>
            {node.kind === "joined" ? (
              <span dir="auto">{text.joined(node.count, visibleText(node.type))}</span>
            ) : (
              <Name node={node} status={statuses.get(node.id)} />
            )}
            <span class="secondary" dir="auto">
              {factsOf(node, containers.get(node.id) ?? []).join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface NameProps {
  readonly node: ElementNode
  readonly status: ElementStatus | undefined
}

function Name({ node: { element, steps }, status }: NameProps) {
  const { name, fqn } = element
  return (
    <span class={style["name"]}>
      {status !== undefined && (
        <LevelMark level={status.level} word={text.levels[status.level]} isAlone />
      )}
      {steps === 0 ? (
        <strong dir="auto">{visibleText(name)}</strong>
      ) : (
        <a href={relationsAddress(fqn)} dir="auto">
          {visibleText(name)}
        </a>
      )}
    </span>
  )
}

/** Names of what each node is a member of. */
function containersOf({ nodes, memberships }: RelationView): ReadonlyMap<string, string[]> {
  const names = new Map(nodes.map((node) => [node.id, nameOf(node)]))
  const containers = new Map<string, string[]>()
  for (const { member, container } of memberships) {
    const known = containers.get(member) ?? []
    containers.set(member, [...known, names.get(container) ?? ""])
  }
  return containers
}

function nameOf(node: RelationNode): string {
  if (node.kind === "joined") return text.joined(node.count, visibleText(node.type))
  return visibleText(node.element.name)
}

function factsOf(node: RelationNode, containers: readonly string[]): string[] {
  const more = Math.max(0, containers.length - namedMax)
  const of = containers.length === 0 ? [] : [text.memberOf(containers.slice(0, namedMax), more)]
  if (node.kind === "joined") return of
  const steps = node.steps === 0 ? text.thisElement : text.stepsAway(node.steps)
  return [visibleText(node.element.type), steps, ...of]
}

/**
 * The graph: curves of one SVG, and a link for each element on top of it. One link is in the order
 * of Tab; arrows move from it.
 */

import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks"
import type { ElementStatus } from "../../../api/elements.ts"
import { visibleText } from "../../../format/visible-text.ts"
import { LevelMark } from "../../../parts/level-mark.tsx"
import { useStateOf } from "../../../parts/use-state-of.ts"
import { printAddress } from "../../../url/address.ts"
import { moveBy } from "./moves.ts"
import { nodeSize, relationLayout, type PlacedNode } from "./relation-layout.ts"
import type { ElementNode, JoinedNode, RelationView } from "./relation-view.ts"
import style from "./relations.module.css"
import { text } from "./text.ts"

export interface RelationGraphProps {
  readonly view: RelationView
  /** Of the drawn elements, by id; an element that was deleted meanwhile has none. */
  readonly statuses: ReadonlyMap<string, ElementStatus>
}

/** The page of a related element, on the same tab: one walks from element to element. */
export function relationsAddress(fqn: string): string {
  return printAddress(["elements", fqn], new URLSearchParams({ tab: "relations" }))
}

export function RelationGraph({ view, statuses }: RelationGraphProps) {
  const placed = useMemo(() => relationLayout(view), [view])
  const [current, setCurrent] = useStateOf(placed, 0)
  const [pointed, setPointed] = useState<string | null>(null)
  const holder = useRef<HTMLDivElement>(null)
  const hintId = useId()
  useEffect(() => {
    const [first] = placed.nodes
    if (holder.current !== null && first !== undefined) showMiddle(holder.current, first)
  }, [placed])
  const go = (index: number): void => {
    setCurrent(index)
    holder.current?.querySelector<HTMLElement>(`[data-node="${index}"]`)?.focus()
  }
  const press = (event: KeyboardEvent): void => {
    const next = event.key === "Home" ? 0 : moveBy(event.key, placed.nodes, current)
    if (next === null) return
    event.preventDefault()
    go(next)
  }
  return (
    <div ref={holder} class={style["holder"]}>
      <div
        class={style["graph"]}
        style={{ width: `${placed.width}px`, height: `${placed.height}px` }}
        role="group"
        aria-label={text.graph}
        aria-describedby={hintId}
        onKeyDown={press}
        onPointerLeave={() => setPointed(null)}
      >
        <Curves placed={placed} pointed={pointed} />
        {placed.nodes.map(({ node, x, y }, i) => (
          <div
            key={node.id}
            class={style["located"]}
            style={{ left: `${x}px`, top: `${y}px`, ...size }}
            onPointerEnter={() => setPointed(node.id)}
          >
            {node.kind === "joined" ? (
              <Joined node={node} index={i} isCurrent={i === current} onFocus={setCurrent} />
            ) : (
              <NodeLink
                node={node}
                status={statuses.get(node.id)}
                index={i}
                isCurrent={i === current}
                onFocus={setCurrent}
              />
            )}
          </div>
        ))}
      </div>
      <p id={hintId} class="visually-hidden">
        {text.graphKeys}
      </p>
    </div>
  )
}

const size = { width: `${nodeSize.width}px`, height: `${nodeSize.height}px` }

/** Scrolls so that a node is in the middle. */
function showMiddle(holder: HTMLElement, { x, y }: PlacedNode): void {
  const { clientWidth, clientHeight } = holder
  holder.scrollTo({
    left: x + nodeSize.width / 2 - clientWidth / 2,
    top: y + nodeSize.height / 2 - clientHeight / 2,
  })
}

interface CurvesProps {
  readonly placed: ReturnType<typeof relationLayout>
  /** Id of the node under the pointer: its curves are drawn stronger. */
  readonly pointed: string | null
}

function Curves({ placed: { width, height, memberships }, pointed }: CurvesProps) {
  return (
    <svg class={style["curves"]} width={width} height={height} aria-hidden="true">
      {memberships.map(({ member, container, path, arrow }) => (
        <g
          key={`${member} ${container}`}
          class={style[[member, container].includes(pointed ?? "") ? "strong" : "plain"]}
        >
          <path class={style["curve"]} d={path} />
          <path class={style["arrow"]} d={arrow} />
        </g>
      ))}
    </svg>
  )
}

interface InOrder {
  readonly index: number
  /** Whether Tab reaches it. */
  readonly isCurrent: boolean
  readonly onFocus: (index: number) => void
}

interface NodeLinkProps extends InOrder {
  readonly node: ElementNode
  readonly status: ElementStatus | undefined
}

function NodeLink({ node, status, index, isCurrent, onFocus }: NodeLinkProps) {
  const { name, fqn, type } = node.element
  return (
    <a
      href={relationsAddress(fqn)}
      class={style["node"]}
      data-node={index}
      data-level={status?.level ?? "none"}
      tabIndex={isCurrent ? 0 : -1}
      aria-current={node.steps === 0 ? "page" : undefined}
      title={visibleText(name)}
      onFocus={() => onFocus(index)}
    >
      <strong dir="auto">{visibleText(name)}</strong>
      <span class={style["under"]}>
        {status !== undefined && (
          <LevelMark level={status.level} word={text.levels[status.level]} />
        )}
        <span class={style["type"]} dir="auto">
          {visibleText(type)}
        </span>
      </span>
    </a>
  )
}

/** Several elements together: no link. */
function Joined({ node, index, isCurrent, onFocus }: InOrder & { readonly node: JoinedNode }) {
  const { count, type } = node
  return (
    <div
      class={style["joined"]}
      data-node={index}
      role="note"
      tabIndex={isCurrent ? 0 : -1}
      title={text.joinedHint(count, visibleText(type))}
      onFocus={() => onFocus(index)}
      dir="auto"
    >
      {text.joined(count, visibleText(type))}
    </div>
  )
}

/**
 * The tree of names. Up and Down move, Right opens or goes below, Left closes or goes above, Home
 * and End jump; Enter, Space and a press show the names below a node, and show all again.
 */

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { metricName } from "../../format/metric-name.ts"
import { visibleText } from "../../format/visible-text.ts"
import { wholeText } from "../../format/words.ts"
import style from "./element.module.css"
import type { NameNode } from "./metric-tree.ts"
import { text } from "./text.ts"

interface NameTreeProps {
  readonly nodes: readonly NameNode[]
  /** Name of the node that is shown; empty for all. */
  readonly shown: string
  readonly onShow: (name: string) => void
}

interface Row {
  readonly node: NameNode
  readonly level: number
}

/** More rows are found by typing. */
const rowsMax = 500

export function NameTree({ nodes, shown, onShow }: NameTreeProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set())
  const [current, setCurrent] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const rows = useMemo(() => rowsOf(nodes, open, 1).slice(0, rowsMax), [nodes, open])
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.name === (current ?? shown)),
  )
  useLayoutEffect(() => {
    if (current !== null) list.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus()
  }, [current])
  const toggle = (name: string, isOpen: boolean): void => {
    const next = new Set(open)
    if (isOpen) next.add(name)
    else next.delete(name)
    setOpen(next)
  }
  const show = (name: string): void => onShow(name === shown ? "" : name)
  const press = (event: KeyboardEvent): void => {
    const act = keyAction(event.key, rows, at, open)
    if (act === null) return
    event.preventDefault()
    if (act.kind === "go") setCurrent(act.name)
    else if (act.kind === "show") show(act.name)
    else toggle(act.name, act.kind === "open")
  }
  return (
    <ul ref={list} class={style["tree"]} role="tree" aria-label={text.nameTree} onKeyDown={press}>
      {rows.map(({ node, level }, i) => (
        <li
          key={node.name}
          role="treeitem"
          aria-level={level}
          aria-selected={node.name === shown}
          aria-expanded={node.children.length === 0 ? undefined : open.has(node.name)}
          tabIndex={i === at ? 0 : -1}
          class={style["treeRow"]}
          style={{ paddingInlineStart: `${(level - 1) * 14}px` }}
          onClick={() => {
            setCurrent(node.name)
            if (node.children.length > 0 && node.name !== shown) toggle(node.name, true)
            show(node.name)
          }}
        >
          <RowContent
            node={node}
            isOpen={open.has(node.name)}
            onToggle={(isOpen) => toggle(node.name, isOpen)}
          />
        </li>
      ))}
    </ul>
  )
}

interface KeyAction {
  readonly kind: "go" | "open" | "close" | "show"
  readonly name: string
}

/** The act of a key at a row; null for a key that does nothing there. */
function keyAction(
  key: string,
  rows: readonly Row[],
  at: number,
  open: ReadonlySet<string>,
): KeyAction | null {
  const row = rows[at]
  if (row === undefined) return null
  const { name, children } = row.node
  const isOpen = open.has(name)
  const go = (to: Row | undefined): KeyAction => ({ kind: "go", name: to?.node.name ?? name })
  switch (key) {
    case "ArrowDown":
      return go(rows[at + 1])
    case "ArrowUp":
      return go(rows[at - 1])
    case "Home":
      return go(rows[0])
    case "End":
      return go(rows.at(-1))
    case "ArrowRight":
      if (isOpen) return go(rows[at + 1])
      return children.length > 0 ? { kind: "open", name } : null
    case "ArrowLeft":
      if (isOpen) return { kind: "close", name }
      return go(rows.slice(0, at).findLast(({ level }) => level < row.level))
    case "Enter":
    case " ":
      return { kind: "show", name }
    default:
      return null
  }
}

interface RowContentProps {
  readonly node: NameNode
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
}

/** The mark opens and closes; the name shows what is below. */
function RowContent({ node, isOpen, onToggle }: RowContentProps) {
  const { name, label, count, children } = node
  const hasMore = children.length > 0
  return (
    <>
      <span
        aria-hidden="true"
        class={style["treeMark"]}
        onClick={(event) => {
          if (!hasMore) return
          event.stopPropagation()
          onToggle(!isOpen)
        }}
      >
        {!hasMore ? "" : isOpen ? "▾" : "▸"}
      </span>
      <span class={style["treeName"]} title={visibleText(metricName(name))} dir="auto">
        {visibleText(metricName(label))}
      </span>
      {hasMore && <span class="secondary">{wholeText(count)}</span>}
    </>
  )
}

function rowsOf(nodes: readonly NameNode[], open: ReadonlySet<string>, level: number): Row[] {
  return nodes.flatMap((node) => {
    const below = open.has(node.name) ? rowsOf(node.children, open, level + 1) : []
    return [{ node, level }, ...below]
  })
}

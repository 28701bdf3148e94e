/**
 * The names of an element's metrics as a tree of their dotted parts. A part with one part below,
 * that is no metric itself, is one node with it: `netuitive.linux` instead of two levels.
 */

import { groupBy } from "../../platform/group-by.ts"

export interface NameNode {
  /** The whole name up to here. */
  readonly name: string
  /** The part that it adds to the node above. */
  readonly label: string
  /** Metrics here and below. */
  readonly count: number
  readonly children: readonly NameNode[]
}

/** The first level of the tree, by name. */
export function nameTree(names: readonly string[]): readonly NameNode[] {
  return levelOf([...names].sort(), "")
}

/** `names`: sorted, all of them begin with `prefix`. */
function levelOf(names: readonly string[], prefix: string): NameNode[] {
  const groups = groupBy(names, (name) => {
    const dot = name.indexOf(".", prefix.length)
    return dot < 0 ? name : name.slice(0, dot)
  })
  return Array.from(groups, ([head, own]) => nodeOf(head, own, prefix))
}

function nodeOf(name: string, own: readonly string[], prefix: string): NameNode {
  const below = own.filter((one) => one !== name)
  const children = levelOf(below, `${name}.`)
  const [only] = children
  if (only !== undefined && children.length === 1 && below.length === own.length) {
    return { ...only, label: only.name.slice(prefix.length) }
  }
  return { name, label: name.slice(prefix.length), count: own.length, children }
}

/** Names at or below a node that have all the typed words, in order. */
export function passingNames(
  names: readonly string[],
  { under, typed }: { readonly under: string; readonly typed: string },
): readonly string[] {
  const words = typed.toLowerCase().split(/\s+/)
  return names
    .filter((name) => under === "" || name === under || name.startsWith(`${under}.`))
    .filter((name) => words.every((word) => name.toLowerCase().includes(word)))
    .toSorted()
}

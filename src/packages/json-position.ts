/** Positions in JSON texts, for messages; the only module that uses `jsonc-parser`. */

import { findNodeAtOffset, parseTree, printParseErrorCode } from "jsonc-parser"
import type { Node, ParseError } from "jsonc-parser"

/** A syntax problem of a JSON text. */
export interface JsonProblem {
  /** From 1. */
  readonly line: number
  /** The JSON path, null at the root. */
  readonly path: string | null
  readonly problem: string
}

/** Finds syntax errors, comments, trailing commas, and duplicate names in one object. */
export function jsonProblems(text: string): JsonProblem[] {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const broken = errors.map(({ error, offset }) => ({
    line: lineAt(text, offset),
    path: root === undefined ? null : pathTo(findNodeAtOffset(root, offset)),
    problem: `expected JSON: ${printParseErrorCode(error)}`,
  }))
  return [...broken, ...duplicates(text, root, "")]
}

function duplicates(text: string, node: Node | undefined, path: string): JsonProblem[] {
  const names = new Set<string>()
  return (node?.children ?? []).flatMap((child, i) => {
    if (node!.type === "array") return duplicates(text, child, `${path}[${i}]`)
    const name = String(child.children?.[0]?.value)
    const own = path === "" ? name : `${path}.${name}`
    const isTwice = names.has(name)
    names.add(name)
    const problem = "expected a name once in an object, got it again"
    const found = isTwice ? [{ line: lineAt(text, child.offset), path: own, problem }] : []
    return [...found, ...duplicates(text, child.children?.[1], own)]
  })
}

function pathTo(node: Node | undefined): string | null {
  if (node?.parent === undefined) return null
  const { parent } = node
  const outer = pathTo(parent) ?? ""
  if (parent.type === "array") return `${outer}[${parent.children!.indexOf(node)}]`
  if (parent.type !== "property" || parent.children![0] === node) return outer || null
  const name = String(parent.children![0]!.value)
  return outer === "" ? name : `${outer}.${name}`
}

/** Line of the value at a path such as `policy.conditions[0].level`, or of its nearest ancestor. */
export function lineOf(text: string, path: string): number {
  let node = parseTree(text)
  let rest = path
  while (node !== undefined && rest !== "") {
    const next: readonly [Node, string] | null = step(node, rest)
    if (next === null) break
    ;[node, rest] = next
  }
  return lineAt(text, node?.offset ?? 0)
}

/** The child that the path begins with, and the rest of the path; names may contain dots. */
function step(node: Node, path: string): readonly [Node, string] | null {
  const children = node.children ?? []
  if (node.type === "array") {
    const index = /^\[(\d+)\]\.?/.exec(path)
    const child = index === null ? undefined : children[Number(index[1])]
    return child === undefined ? null : [child, path.slice(index![0].length)]
  }
  if (node.type !== "object") return null
  for (const property of children) {
    const name = String(property.children?.[0]?.value)
    const after = path[name.length]
    const isIt = path.startsWith(name) && (after === undefined || after === "." || after === "[")
    const value = property.children?.[1]
    if (isIt && value !== undefined) return [value, path.slice(name.length).replace(/^\./, "")]
  }
  return null
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length
}

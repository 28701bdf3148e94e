/** Spreads of lists into the arguments of calls, which end in a RangeError if the list is long. */

import { codeOf, type Source } from "./sources.ts"

/** Behind a call or on the line before it: `// spread of at most 64: groups of one pattern`. */
const allowance = /\/\/ spread of at most \w+: \S/
const apply = /\.apply\([^(){}]*,|\bReflect\.apply\(/

/** Each line of a file where a list becomes arguments, unless it states its largest length. */
export function spreadCalls({ path, text }: Source): string[] {
  const code = codeOf(text)
  const lines = text.split("\n")
  const found = new Set<number>()
  for (const { index } of code.matchAll(/\.\.\./g)) {
    if (isArgument(code, index)) found.add(lineOf(code, index))
  }
  for (const [line, each] of code.split("\n").entries()) if (apply.test(each)) found.add(line)
  return [...found]
    .filter((line) => !allowance.test(lines[line]!) && !allowance.test(lines[line - 1] ?? ""))
    .map((line) => `${path}:${line + 1}: ${lines[line]!.trim()}  → base/iterables.ts`)
}

function lineOf(code: string, at: number): number {
  return code.slice(0, at).split("\n").length - 1
}

/** True if the dots are in the parentheses of a call, not of parameters or a literal. */
function isArgument(code: string, at: number): boolean {
  const open = openerOf(code, at)
  if (code[open] !== "(" || !/[\w$\])>.]\s*$/.test(code.slice(0, open))) return false
  const isTyped = /^\.\.\.[\w$]+\s*:/.test(code.slice(at))
  return !isTyped && !/^\s*=>/.test(code.slice(closerOf(code, open) + 1))
}

/** Index of the bracket that directly encloses `at`; -1 if there is none. */
function openerOf(code: string, at: number): number {
  let depth = 0
  for (let i = at - 1; i >= 0; i--) {
    if (")]}".includes(code[i]!)) depth++
    else if ("([{".includes(code[i]!) && depth-- === 0) return i
  }
  return -1
}

/** Where the bracket at `open` closes. */
function closerOf(code: string, open: number): number {
  let depth = 0
  for (let i = open; i < code.length; i++) {
    if ("([{".includes(code[i]!)) depth++
    else if (")]}".includes(code[i]!) && --depth === 0) return i
  }
  return code.length
}

/** Files of the project as the architecture tests read them: text, code, imports. */

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { rootFolder } from "../support/project-paths.ts"

export interface Source {
  /** From the project's folder, with forward slashes: `src/base/clock.ts`. */
  readonly path: string
  readonly text: string
}

export interface Import {
  readonly from: string
  /** A path like `from` for our own files; the package's name, or `node:…`, for others. */
  readonly target: string
}

/** All TypeScript files under these folders of the project. */
export function readSources(...folders: string[]): Source[] {
  return folders.flatMap((folder) => {
    if (!existsSync(join(rootFolder, folder))) return []
    const entries = readdirSync(join(rootFolder, folder), { recursive: true, encoding: "utf8" })
    return entries
      .filter((entry) => /\.tsx?$/.test(entry) && !entry.endsWith(".d.ts"))
      .map((entry) => {
        const path = posix.join(folder, entry.replaceAll("\\", "/"))
        return { path, text: readFileSync(join(rootFolder, path), "utf8") }
      })
  })
}

/** The TypeScript files of one folder, without those of its sub-folders. */
export function filesOf(folder: string): Source[] {
  return readdirSync(join(rootFolder, folder))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => {
      const path = posix.join(folder, file)
      return { path, text: readFileSync(join(rootFolder, path), "utf8") }
    })
}

/** The text of a file of the project; `undefined` if there is no such file. */
export function readText(path: string): string | undefined {
  const whole = join(rootFolder, path)
  return existsSync(whole) ? readFileSync(whole, "utf8") : undefined
}

const importForms = [
  /^[ \t]*(?:import|export)\b[^"';=(]*\bfrom\s*"([^"]+)"/gm,
  /^[ \t]*import\s*"([^"]+)"/gm,
  /\bimport\(\s*"([^"]+)"/g,
  // The entry of a worker thread.
  /\bnew URL\(\s*"(\.[^"]+\.[jt]s)"\s*,\s*import\.meta\.url/g,
]

/** The imports of a file; `import type` counts like any other, and so does a worker's entry. */
export function importsOf({ path, text }: Source): Import[] {
  const code = codeOf(text, { keepQuoted: true })
  const names = importForms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1]!))
  return [...new Set(names)].map((name) => ({ from: path, target: resolveName(path, name) }))
}

function resolveName(from: string, name: string): string {
  if (name.startsWith(".")) return posix.join(posix.dirname(from), name).replace(/\.js$/, ".ts")
  if (name.startsWith("node:")) return name
  return name.split("/", name.startsWith("@") ? 2 : 1).join("/")
}

/**
 * A text without its comments and without the contents of strings and regular expressions; on
 * demand it keeps strings in double quotes, as names of imports are. Lines keep their numbers.
 */
export function codeOf(text: string, options: { keepQuoted?: boolean } = {}): string {
  let code = ""
  let at = 0
  while (at < text.length) {
    const { end, kind } = tokenAt(text, at, code)
    const token = text.slice(at, end)
    if (kind === "comment") code += token.replace(/[^\n]/g, "")
    else if (kind === "literal") code += literalCode(token, options)
    else if (kind === "template") code += templateCode(token, options)
    else code += token
    at = end
  }
  return code
}

/**
 * The strings of a text: quoted ones, and templates with `${}` for each expression. Strings in
 * expressions of templates follow those.
 */
export function stringsOf(text: string): string[] {
  const found: string[] = []
  let code = ""
  let at = 0
  while (at < text.length) {
    const { end, kind } = tokenAt(text, at, code)
    const token = text.slice(at, end)
    if (kind === "literal" && token[0] !== "/") found.push(token.slice(1, -1))
    else if (kind === "template") found.push(...templateStrings(token))
    if (kind !== "comment") code += token
    at = end
  }
  return found
}

function templateStrings(token: string): string[] {
  const inside: string[] = []
  let text = ""
  for (let i = 1; i < token.length - 1; i++) {
    if (!token.startsWith("${", i)) text += token[i]
    else {
      const end = expressionEnd(token, i + 2)
      inside.push(...stringsOf(token.slice(i + 2, end)))
      text += "${}"
      i = end
    }
  }
  return [text, ...inside]
}

type TokenKind = "code" | "comment" | "literal" | "template"

function tokenAt(text: string, at: number, before: string): { end: number; kind: TokenKind } {
  const rest = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0].length ?? 0
  }
  const found = (length: number, kind: TokenKind) => ({ end: at + Math.max(1, length), kind })
  switch (text[at]) {
    case '"':
      return found(rest(/"(?:[^"\\\n]|\\.)*"/sy), "literal")
    case "'":
      return found(rest(/'(?:[^'\\\n]|\\.)*'/sy), "literal")
    case "`":
      return found(templateEnd(text, at) - at, "template")
    case "/":
      if (text[at + 1] === "/") return found(rest(/\/\/[^\n]*/y), "comment")
      if (text[at + 1] === "*") return found(rest(/\/\*.*?\*\//sy), "comment")
      if (!regexMayFollow(before)) return found(1, "code")
      return found(rest(/\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y), "literal")
    default:
      return found(rest(/[^"'`/]+/y), "code")
  }
}

/** A slash divides after a value and opens a regular expression after anything else. */
function regexMayFollow(before: string): boolean {
  const last = /(\w+|\S)\s*$/.exec(before.slice(-200))?.[1] ?? ""
  return last === "" || /^(?:return|typeof|case|in|of)$/.test(last) || !/[\w)\]}"'`]/.test(last)
}

/** Where the template literal at `at` ends; expressions in it may hold templates themselves. */
function templateEnd(text: string, at: number): number {
  let depth = 0
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === "\\") i++
    else if (depth === 0 && text[i] === "`") return i + 1
    else if (text.startsWith("${", i)) {
      depth++
      i++
    } else if (depth > 0 && text[i] === "{") depth++
    else if (depth > 0 && text[i] === "}") depth--
    else if (depth > 0 && text[i] === "`") i = templateEnd(text, i) - 1
  }
  return text.length
}

function literalCode(token: string, options: { keepQuoted?: boolean }): string {
  if (options.keepQuoted && token[0] === '"') return token
  return token[0] + token.slice(1, -1).replace(/[^\n]/g, "") + token.at(-1)
}

/** The expressions of a template are code; its text is a string. */
function templateCode(token: string, options: { keepQuoted?: boolean }): string {
  let code = "`"
  for (let i = 1; i < token.length - 1; i++) {
    if (token[i] === "\\") i++
    else if (token.startsWith("${", i)) {
      const end = expressionEnd(token, i + 2)
      code += "${" + codeOf(token.slice(i + 2, end), options) + "}"
      i = end
    } else if (token[i] === "\n") code += "\n"
  }
  return code + "`"
}

function expressionEnd(token: string, start: number): number {
  let depth = 0
  for (let i = start; i < token.length; i++) {
    if (token[i] === "`") i = templateEnd(token, i) - 1
    else if (token[i] === "{") depth++
    else if (token[i] === "}" && depth-- === 0) return i
  }
  return token.length
}

/** Pages on the store: what happens when, and its bytes. */
export const storePages: readonly string[] = [
  "src/store/ARCHITECTURE.md",
  ...["README", "wal", "records", "columns"].map((name) => `src/store/format/${name}.md`),
]

/**
 * The language of the code: words that the glossary of src/README.md replaces, and phrases of
 * comments with what is written instead.
 */

import { section, tableRows } from "../support/project/markdown.ts"
import { codeOf, stringsOf, type Source } from "./sources.ts"

export interface Phrase {
  readonly pattern: RegExp
  readonly instead: string
}

/** Phrases that no comment, test title or document of the project has. */
export const bannedPhrases: readonly Phrase[] = [
  { pattern: /\bwhere there (?:is|are) (?:none|no)\b/i, instead: "if there is none" },
  { pattern: /\bwhere absent\b/i, instead: "if absent" },
  { pattern: /\b(?:whoever|somebody|nobody|anybody|everybody|those who)\b/i, instead: "the actor" },
  { pattern: /\btold\b|\btells? (?:of|the log)\b/i, instead: "reported, notified, logged" },
  { pattern: /\bstands? (?:for|in|there|behind|before|under|beside)\b/i, instead: "is, has" },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\bat once\b/i, instead: "immediately, or together" },
  { pattern: /\bso many\b/i, instead: "this number of" },
  { pattern: /\bbeside\b/i, instead: "besides, next to" },
  { pattern: /^\s*(?:\/\*\*|\*|\/\/)\s*Else\b|[.;] Else\b/, instead: "Otherwise" },
  { pattern: /^\s*(?:\/\*\*|\/\/)\s*What\b/, instead: "the subject first" },
  { pattern: /\bused to\b/i, instead: "the present state only" },
  { pattern: /\bin vain\b|\bfor ever\b/i, instead: "without effect, for good" },
  { pattern: /\bquestions?\b/i, instead: "query" },
  { pattern: /\bdear(?:er)?\b/i, instead: "expensive" },
  {
    pattern: /\b(?:the house|cellar|rehears(?:al|e)|postman|caretaker)\b/i,
    instead: "the glossary",
  },
]

/** Words of the glossary's last column, as they would be in an identifier. */
export function bannedWords(sourceReadme: string): string[] {
  return tableRows(section(sourceReadme, /^## Glossary/))
    .slice(1)
    .flatMap((cells) => cells.at(-1)!.split(","))
    .map((word) => word.trim())
    .filter((word) => word !== "")
}

/** Identifiers of `source` with one of `words` in them: `isSealed` has "sealed", `steal` has none. */
export function bannedIdentifiers(source: Source, words: readonly string[]): string[] {
  const wanted = new Set(words.map((word) => word.replaceAll(" ", "").toLowerCase()))
  const found = new Set<string>()
  for (const [name] of codeOf(source.text).matchAll(/[A-Za-z_$][\w$]*/g)) {
    const parts = name.split(/(?=[A-Z])|_|\d+/).map((part) => part.toLowerCase())
    const pairs = parts.slice(1).map((part, i) => parts[i]! + part)
    if ([...parts, ...pairs].some((part) => wanted.has(part))) found.add(name)
  }
  return [...found].map((name) => `${source.path}: ${name}`)
}

/** A matcher of `words` in any form: "seals", "sealed", "unsealed". */
function anyForm(words: readonly string[]): RegExp {
  return new RegExp(`\\b(?:un)?(?:${words.join("|")})(?:e?s|e?d|ing)?\\b`, "i")
}

/** Lines of comments and test titles with one of `words` in any form; quoted code is skipped. */
export function commentProblems({ path, text }: Source, words: readonly string[]): string[] {
  const word = anyForm(words)
  return text
    .split("\n")
    .filter(isCommentOrTitle)
    .filter((line) => word.test(line.replace(/`[^`]*`/g, "``")))
    .map((line) => `${path}: ${line.trim()}`)
}

/** Lines of comments, test titles or prose with a banned phrase, and what to write instead. */
export function phraseProblems({ path, text }: Source): string[] {
  const isDocument = path.endsWith(".md")
  let isInFence = false
  return text.split("\n").flatMap((line, i) => {
    if (isDocument && line.startsWith("```")) isInFence = !isInFence
    // Tables and code of documents quote words: the glossary those that it replaces.
    if (isDocument ? isInFence || line.startsWith("|") : !isCommentOrTitle(line)) return []
    const quoted = line.replace(/`[^`]*`/g, "``")
    return bannedPhrases
      .filter(({ pattern }) => pattern.test(quoted))
      .map(({ instead }) => `${path}:${i + 1}: ${line.trim()}  → ${instead}`)
  })
}

/**
 * Strings of `source` with a banned phrase or with one of `words` in any form ("seals", "sealed").
 * Paths of imports are no texts.
 */
export function stringProblems(source: Source, words: readonly string[]): string[] {
  const word = anyForm(words)
  return stringsOf(source.text)
    .filter((text) => !/^\.{0,2}\/\S*$/.test(text))
    .filter((text) => word.test(text) || bannedPhrases.some(({ pattern }) => pattern.test(text)))
    .map((text) => `${source.path}: ${text}`)
}

function isCommentOrTitle(line: string): boolean {
  return /^\s*(?:\/\*\*|\*|\/\/)|^\s*(?:await )?(?:test|it|describe)\(|\s\/\/ /.test(line)
}

/** Exported names by the files that declare them; re-exports are no declarations. */
export function exportedNames(sources: readonly Source[]): Map<string, string[]> {
  const form =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|enum|const|let) ([\w$]+)/gm
  const files = new Map<string, string[]>()
  for (const { path, text } of sources) {
    for (const name of new Set([...codeOf(text).matchAll(form)].map((match) => match[1]!))) {
      files.set(name, [...(files.get(name) ?? []), path])
    }
  }
  return files
}

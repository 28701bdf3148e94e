/**
 * Templates of display names: text with references `${tags.X}`, `${attributes.X}` and `${meta.X}`
 * to properties of an element. An unknown property is empty, or the default after a `!`:
 *
 *   "${tags.Name!"no name"} ${attributes["ram bytes"]} (${meta.location})"
 */

import { textCharactersMax } from "../../base/limits.ts"
import { pushAll } from "../../base/iterables.ts"
import type { NameValue } from "../../model/element.ts"
import type { Problems } from "../problems.ts"
import { shown } from "../problems.ts"

const metaFields = ["fqn", "location", "type", "id", "tenantId", "originalName"] as const
export type MetaField = (typeof metaFields)[number]

/** The properties that references resolve to. */
export interface TemplateSubject {
  readonly tags: readonly NameValue[]
  readonly attributes: readonly NameValue[]
  readonly meta: Readonly<Record<MetaField, string>>
}

export type TemplatePart =
  | { readonly from: "text"; readonly text: string }
  | { readonly from: "tags" | "attributes"; readonly name: string; readonly fallback: string }
  | { readonly from: "meta"; readonly name: MetaField; readonly fallback: string }

/** The parts of a template; invalid references are added to `problems`. */
export function readTemplate(template: string, problems: Problems): TemplatePart[] {
  if (template.length > textCharactersMax) {
    problems.add(`template: expected at most ${textCharactersMax} characters`)
    return []
  }
  const parts: TemplatePart[] = []
  let at = 0
  for (;;) {
    const start = template.indexOf("${", at)
    parts.push({ from: "text", text: template.slice(at, start < 0 ? undefined : start) })
    if (start < 0) return parts
    const end = template.indexOf("}", start)
    if (end < 0) {
      problems.add(`template: expected } after ${shown(template.slice(start))}`)
      return []
    }
    pushAll(parts, readReference(template.slice(start + 2, end), problems))
    at = end + 1
  }
}

function readReference(text: string, problems: Problems): TemplatePart[] {
  const read = splitReference(text.trim())
  if (read?.from === "tags" || read?.from === "attributes") return [{ ...read, from: read.from }]
  const field = metaFields.find((one) => one === read?.name)
  if (read?.from === "meta" && field !== undefined) {
    return [{ from: "meta", name: field, fallback: read.fallback }]
  }
  problems.add(
    `template: expected tags.<name>, attributes.<name> or one of ` +
      `${metaFields.map((one) => `meta.${one}`).join(", ")}, got ${shown(text)}`,
  )
  return []
}

interface Reference {
  readonly from: string
  readonly name: string
  readonly fallback: string
}

/** `from.name` or `from["name"]`, then perhaps `!` with or without a quoted text; else null. */
function splitReference(text: string): Reference | null {
  const bracket = text.indexOf('["')
  const dot = text.indexOf(".")
  if (bracket >= 0 && (dot < 0 || bracket < dot)) {
    const end = text.indexOf('"]', bracket)
    const fallback = end < 0 ? null : readFallback(text.slice(end + 2).trim())
    if (fallback === null) return null
    return { from: text.slice(0, bracket), name: text.slice(bracket + 2, end), fallback }
  }
  const mark = text.indexOf("!")
  const nameEnd = mark < 0 ? text.length : mark
  const fallback = readFallback(text.slice(nameEnd))
  const name = text.slice(dot + 1, nameEnd).trim()
  if (dot < 0 || dot > nameEnd || name === "" || fallback === null) return null
  return { from: text.slice(0, dot), name, fallback }
}

/** Nothing, `!`, or `!` and a quoted text; null for anything else. */
function readFallback(text: string): string | null {
  if (text === "" || text === "!") return ""
  const quoted = text.slice(1).trim()
  const isQuoted = text.startsWith("!") && quoted.length > 1
  return isQuoted && quoted.startsWith('"') && quoted.endsWith('"') ? quoted.slice(1, -1) : null
}

/**
 * The text of a template, its references resolved.
 *
 * @example
 * import { Problems } from "../problems.ts"
 * const parts = readTemplate('${tags.Name!"no name"} (${meta.fqn})', new Problems())
 * const meta = { fqn: "web-1", location: "", type: "", id: "", tenantId: "", originalName: "" }
 * assert.equal(renderTemplate(parts, { tags: [], attributes: [], meta }), "no name (web-1)")
 */
export function renderTemplate(parts: readonly TemplatePart[], subject: TemplateSubject): string {
  return parts.map((part) => renderPart(part, subject)).join("")
}

function renderPart(part: TemplatePart, { tags, attributes, meta }: TemplateSubject): string {
  if (part.from === "text") return part.text
  if (part.from === "meta") return meta[part.name] || part.fallback
  const pairs = part.from === "tags" ? tags : attributes
  return pairs.find(({ name }) => name === part.name)?.value ?? part.fallback
}

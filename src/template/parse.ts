/**
 * Templates: text with interpolations `${…}`, comments `<#-- … -->` and the directives `if`,
 * `elseif`, `else`, `list` and `sep`. Everything else that begins with `<#`, `</#`, `<@` or `#{` is
 * a construct of FreeMarker that is not supported, and an error.
 */

import { TemplateCursor } from "./template-cursor.ts"
import { readExpression } from "./expression.ts"
import type { TemplateExpression, TemplateNode } from "./syntax.ts"

/** The limit of a record is 64 KiB, so no template is longer. */
const templateCharactersMax = 65_536

type EndTag = "</#if>" | "</#list>"

const supported = "one of ${…}, <#if>, <#elseif>, <#else>, <#list>, <#sep>, <#-- -->"
/** Ends plain text. */
const special = /\$\{|#\{|<\/?#|<\/?@/g

/**
 * Throws `TemplateError` with the position of the first unsupported construct.
 *
 * @example
 * import { render } from "./render.ts"
 * const nodes = parseTemplate("${name}: <#list tags as tag>${tag}<#sep>, </#list>")
 * assert.equal(render(nodes, { name: "web-1", tags: ["a", "b"] }), "web-1: a, b")
 */
export function parseTemplate(text: string): readonly TemplateNode[] {
  const cursor = new TemplateCursor(text)
  if (text.length > templateCharactersMax) {
    throw cursor.expected(`at most ${templateCharactersMax} characters`)
  }
  return new TemplateReader(cursor).read()
}

class TemplateReader {
  private readonly cursor: TemplateCursor
  private listDepth = 0

  constructor(cursor: TemplateCursor) {
    this.cursor = cursor
  }

  read(): readonly TemplateNode[] {
    const nodes = this.nodes()
    if (!this.cursor.isAtEnd) throw this.cursor.expected(supported)
    return nodes
  }

  /** Nodes up to the end, or up to a tag that `node` does not read. */
  private nodes(): TemplateNode[] {
    const nodes: TemplateNode[] = []
    for (;;) {
      const text = this.plainText()
      if (text !== "") nodes.push({ kind: "text", text })
      if (this.cursor.isAtEnd) return nodes
      if (this.comment()) continue
      const node = this.node()
      if (node === undefined) return nodes
      nodes.push(node)
    }
  }

  private plainText(): string {
    const { cursor } = this
    special.lastIndex = cursor.at
    const end = special.exec(cursor.text)?.index ?? cursor.text.length
    const text = cursor.text.slice(cursor.at, end)
    cursor.at = end
    return text
  }

  private comment(): boolean {
    const { cursor } = this
    if (!cursor.startsWith("<#--")) return false
    const end = cursor.text.indexOf("-->", cursor.at)
    if (end < 0) throw cursor.expected("a comment that ends with -->")
    cursor.at = end + "-->".length
    return true
  }

  private node(): TemplateNode | undefined {
    const { cursor } = this
    if (cursor.accept("${")) return { kind: "output", of: this.interpolation() }
    if (cursor.match(/<#if(?=\s)/y)) return cursor.nested(() => this.if())
    if (cursor.match(/<#list(?=\s)/y)) return cursor.nested(() => this.list())
    if (this.listDepth > 0 && cursor.accept("<#sep>")) return this.sep()
    return undefined
  }

  private interpolation(): TemplateExpression {
    const of = readExpression(this.cursor, false)
    this.cursor.skipSpace()
    if (!this.cursor.accept("}")) throw this.cursor.expected("} at the end of the interpolation")
    return of
  }

  private if(): TemplateNode {
    const { cursor } = this
    const branches = [{ when: this.condition() as TemplateExpression | null, body: this.nodes() }]
    while (cursor.match(/<#else?if(?=\s)/y)) {
      branches.push({ when: this.condition(), body: this.nodes() })
    }
    if (cursor.match(/<#else\s*\/?>/y)) branches.push({ when: null, body: this.nodes() })
    this.end("</#if>")
    return { kind: "if", branches }
  }

  private condition(): TemplateExpression {
    const condition = readExpression(this.cursor, true)
    this.tagEnd()
    return condition
  }

  private list(): TemplateNode {
    const { cursor } = this
    const of = readExpression(cursor, true)
    cursor.skipSpace()
    const as = cursor.match(/as\s+[\p{L}_$][\p{L}\p{N}_$]*/uy)?.replace(/^as\s+/, "")
    if (as === undefined) throw cursor.expected('"as" and a name for the item')
    this.tagEnd()
    this.listDepth++
    const body = this.nodes()
    this.listDepth--
    const otherwise = cursor.match(/<#else\s*\/?>/y) ? this.nodes() : []
    this.end("</#list>")
    return { kind: "list", of, as, body, otherwise }
  }

  /** Extends to its own end tag, or to the end of the list. */
  private sep(): TemplateNode {
    const body = this.nodes()
    this.cursor.accept("</#sep>")
    return { kind: "sep", body }
  }

  private tagEnd(): void {
    this.cursor.skipSpace()
    if (!this.cursor.accept(">")) throw this.cursor.expected("> at the end of the directive")
  }

  private end(tag: EndTag): void {
    if (!this.cursor.accept(tag)) throw this.cursor.expected(`${tag}, or ${supported}`)
  }
}

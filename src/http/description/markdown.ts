/** Markdown: a page of the handbook as HTML that needs neither script nor inline style. */

import { Marked, type RendererObject, type Tokens } from "marked"

export interface RenderedPage {
  /** Text of the first heading, as HTML. */
  readonly title: string
  readonly html: string
  /** Headings of level two. */
  readonly sections: readonly Section[]
}

export interface Section {
  readonly id: string
  /** HTML. */
  readonly title: string
}

interface MarkdownOptions {
  /** Address of a link, or null for a file that is not served: its path is shown instead. */
  readonly linkTarget: (href: string) => string | null
  /** Paths that become links where they stand as code. */
  readonly servedPaths: ReadonlySet<string>
  /** Path of the page in the project, `src/docs/api.md`. */
  readonly path: string
}

/** Throws if the page contains HTML; comments are dropped. */
export function renderMarkdown(markdown: string, options: MarkdownOptions): RenderedPage {
  const sections: Section[] = []
  let title: string | null = null
  const heading: RendererObject["heading"] = function ({ tokens, depth }) {
    const text = this.parser.parseInline(tokens)
    if (depth === 1) title ??= text
    const id = headingId(text)
    if (depth === 2) sections.push({ id, title: text })
    return `<h${depth} id="${id}"><a href="#${id}">${text}</a></h${depth}>\n`
  }
  const html = new Marked({ renderer: { ...rendererOf(options), heading } }).parse(markdown)
  if (title === null || typeof html !== "string") throw new Error("Expected a page with a title")
  return { title, html, sections }
}

/** The id that GitHub gives a heading, so that links to headings work in both. */
export function headingId(html: string): string {
  const text = html.replace(/<[^>]*>|&[#\w]+;/g, "").toLowerCase()
  return text.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-")
}

function rendererOf({ linkTarget, servedPaths, path }: MarkdownOptions): RendererObject {
  return {
    html: ({ text }) => {
      if (/^\s*<!--.*-->\s*$/s.test(text)) return ""
      throw new Error(`Expected Markdown without HTML, got ${text.slice(0, 80)}`)
    },
    image: ({ href }) => {
      throw new Error(`Expected no image, got ${href}`)
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      const target = linkTarget(href)
      if (target !== null) return `<a href="${escapeHtml(target)}">${text}</a>`
      return `${text} (<code>${escapeHtml(projectPath(href, path))}</code>)`
    },
    codespan: ({ text }) => {
      const code = `<code>${escapeHtml(text)}</code>`
      return servedPaths.has(text) ? `<a href="${escapeHtml(text)}">${code}</a>` : code
    },
    // Both scroll by themselves on a narrow screen, and so must be reachable by keys.
    code: ({ text, lang = "" }) => {
      const label = lang === "" ? "Text" : `Code, ${escapeHtml(lang)}`
      const code = `<code>${escapeHtml(text)}\n</code>`
      return `<pre tabindex="0" role="group" aria-label="${label}">${code}</pre>\n`
    },
    table({ header, rows }) {
      const cell = ({ tokens, header: isHead }: Tokens.TableCell) => {
        const tag = isHead ? "th" : "td"
        return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`
      }
      const row = (cells: Tokens.TableCell[]) => `<tr>${cells.map(cell).join("")}</tr>\n`
      const head = `<thead>${row(header)}</thead>`
      const body = `<tbody>${rows.map(row).join("")}</tbody>`
      const label = `tabindex="0" role="group" aria-label="Table"`
      return `<div class="table" ${label}><table>${head}${body}</table></div>\n`
    },
  }
}

/** `../spec/ingest.md` on `src/docs/api.md` is `src/spec/ingest.md`. */
function projectPath(href: string, path: string): string {
  return new URL(href, `file:///${path}`).pathname.slice(1)
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
}

/**
 * Handbook: the pages of src/docs as HTML, with a common navigation.
 *
 * `README.md` is the front page; the list on it names all others in reading order. Nothing is read
 * before the first request, and only that list is kept: the route keeps what is rendered.
 */

import { readDocsFile } from "./docs-files.ts"
import { renderMarkdown, type RenderedPage } from "./markdown.ts"

const frontPage = "README"
const servedPaths = new Set(["/docs", "/docs/reference", "/openapi.json"])

interface PageLink {
  /** File name without its extension, and last segment of the path. */
  readonly name: string
  readonly title: string
}

export class Handbook {
  private list: readonly PageLink[] | null = null

  /** All pages but the front page, in reading order. */
  get pages(): readonly PageLink[] {
    this.list ??= linksOf(readDocsFile(`${frontPage}.md`))
    return this.list
  }

  has(name: string): boolean {
    return this.pages.some((page) => page.name === name)
  }

  /** HTML of a page, by default of the front page; throws if the handbook has none of this name. */
  render(name = frontPage): string {
    const page = renderMarkdown(readDocsFile(`${name}.md`), {
      linkTarget: (href) => this.linkTarget(href),
      servedPaths,
      path: `src/docs/${name}.md`,
    })
    const parts: Readonly<Record<string, string>> = {
      title: name === frontPage ? page.title : `${page.title} – Tidegauge handbook`,
      navigation: this.navigation(name, page),
      content: page.html,
      next: this.nextLink(name),
    }
    const template = readDocsFile("handbook.html")
    return template.replace(/\{(\w+)\}/g, (_, part: string) => parts[part]!)
  }

  /** `settings.md#settings` → `/docs/settings#settings`; null for a file outside the handbook. */
  private linkTarget(href: string): string | null {
    if (/^(#|https?:)/.test(href)) return href
    const [, name, fragment = ""] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? []
    if (name === frontPage) return `/docs${fragment}`
    return name !== undefined && this.has(name) ? `/docs/${name}${fragment}` : null
  }

  private navigation(current: string, { sections }: RenderedPage): string {
    const items = [{ name: frontPage, title: "Handbook" }, ...this.pages].map(({ name, title }) => {
      const path = name === frontPage ? "/docs" : `/docs/${name}`
      if (name !== current) return `<li><a href="${path}">${title}</a></li>`
      const inner = sections.map(({ id, title: text }) => `<li><a href="#${id}">${text}</a></li>`)
      const list = inner.length === 0 ? "" : `<ul class="sections">${inner.join("")}</ul>`
      return `<li><a href="${path}" aria-current="page">${title}</a>${list}</li>`
    })
    items.push('<li><a href="/docs/reference">API reference: try it</a></li>')
    return items.join("\n")
  }

  private nextLink(name: string): string {
    const next = this.pages[this.pages.findIndex((page) => page.name === name) + 1]
    return next === undefined ? "" : `<p>Next: <a href="/docs/${next.name}">${next.title}</a></p>`
  }
}

/** The links of the list on the front page. */
function linksOf(markdown: string): PageLink[] {
  const items = markdown.matchAll(/^\d+\. \[([^\]]+)\]\(([\w-]+)\.md\)/gm)
  return Array.from(items, ([, title, name]) => ({ name: name!, title: title! }))
}

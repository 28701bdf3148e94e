import assert from "node:assert/strict"
import { test } from "node:test"
import { headingId, renderMarkdown } from "../../src/http/description/markdown.ts"

const render = (markdown: string) =>
  renderMarkdown(`# Title\n\n${markdown}\n`, {
    linkTarget: (href) => (href === "other.md" ? "/docs/other" : null),
    servedPaths: new Set(["/docs"]),
    path: "src/docs/page.md",
  })

test("headings have an id, link to themselves, and those of level two are sections", () => {
  const { title, sections, html } = render("## A `code` & more: it's here\n\n### Deeper")
  assert.equal(title, "Title")
  assert.deepEqual(
    sections.map(({ id }) => id),
    ["a-code--more-its-here"],
  )
  assert.match(html, /<h3 id="deeper"><a href="#deeper">Deeper<\/a><\/h3>/)
  assert.equal(headingId("Größe &amp; <em>Maß</em>"), "größe--maß")
})

test("links lead to pages that are served; other files are shown with their path", () => {
  assert.match(render("[one](other.md)").html, /<a href="\/docs\/other">one<\/a>/)
  const { html } = render("[the rules](../spec/ingest.md#x)")
  assert.match(html, /<p>the rules \(<code>src\/spec\/ingest\.md<\/code>\)<\/p>/)
  assert.match(render("`/docs`, `/x`").html, /<a href="\/docs"><code>\/docs<\/code><\/a>, <code>/)
})

test("text, code and tables are escaped", () => {
  const { html } = render(
    'a < b & `<i>"` \n\n```sh\n<b>\n```\n\n| <https://x.example> |\n|---|\n| & |',
  )
  assert.match(html, /a &lt; b &amp; <code>&lt;i&gt;&quot;<\/code>/)
  assert.match(html, /aria-label="Code, sh"><code>&lt;b&gt;\n<\/code>/)
  assert.match(html, /<td>&amp;<\/td>/)
})

test("comments are dropped; HTML, images and pages without a title are refused", () => {
  assert.doesNotMatch(render("<!-- generated: x -->\n\ntext").html, /generated/)
  assert.throws(() => render("<script>alert(1)</script>"), /without HTML, got <script>/)
  assert.throws(() => render("text <b onclick=x>y</b>"), /without HTML/)
  assert.throws(() => render("<!-- a --><b>"), /without HTML/)
  assert.throws(() => render("![x](https://x.example/y.png)"), /no image/)
  const options = { linkTarget: () => null, servedPaths: new Set<string>(), path: "a.md" }
  assert.throws(() => renderMarkdown("text", options), /with a title/)
})

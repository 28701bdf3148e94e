/**
 * The page at `/docs`: plain HTML, script and style, as texts, so that it travels in the bundle and
 * needs nothing from elsewhere.
 *
 * Every text of the description enters as a text node; nothing is ever read as HTML.
 */

export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tidegauge API</title>
<link rel="stylesheet" href="/docs/page.css">
<script src="/docs/page.js" defer></script>
</head>
<body>
<header>
  <h1>Tidegauge API</h1>
  <p id="about"></p>
  <form id="login" autocomplete="off">
    <label>E-mail <input id="user" autocomplete="off"></label>
    <label>Password <input id="password" type="password" autocomplete="off"></label>
    <label>Find <input id="find" type="search"></label>
    <a href="/openapi.json">openapi.json</a>
  </form>
</header>
<main id="operations"><p>Reading the description…</p></main>
<noscript><p>The page needs its script; the description is at /openapi.json.</p></noscript>
</body>
</html>
`

/** Colours have a contrast of at least 4.5 : 1 on either ground, also over the shade of a text. */
export const docsStyle = `:root {
  color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif;
  --ground: #fff; --ink: #1f2328; --quiet: #4c545d; --line: #c4cad1; --shade: #f1f3f5;
  --link: #0550ae; --get: #1a7037; --post: #0550ae; --put: #835400; --delete: #b31d28;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181d; --ink: #e6e9ed; --quiet: #b3bcc6; --line: #454d57; --shade: #20262d;
    --link: #79b8ff; --get: #63d083; --post: #79b8ff; --put: #e3b341; --delete: #ff9492;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--ground); color: var(--ink);
  overflow-wrap: anywhere;
}
a { color: var(--link); }
h1 { margin: 0; }
h2 { margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
#login { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; }
#login label { display: grid; font-size: .85rem; flex: 1 1 12rem; }
input, textarea, button { font: inherit; padding: .25rem .5rem; max-width: 100%; }
textarea { width: 100%; font: 13px/1.4 ui-monospace, monospace; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
details { margin: .25rem 0; border: 1px solid var(--line); border-radius: .3rem; }
summary { cursor: pointer; padding: .35rem .6rem; }
details > div { padding: 0 .8rem .8rem; }
code, pre { font: 13px/1.4 ui-monospace, monospace; }
pre {
  overflow: auto; max-height: 24rem; padding: .6rem; background: var(--shade); border-radius: .3rem;
}
.method { display: inline-block; min-width: 4.8rem; font-weight: 700; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); }
.delete { color: var(--delete); }
.what { color: var(--quiet); margin-left: .6rem; }
.field { display: grid; grid-template-columns: 14rem 16rem 1fr; gap: .1rem .8rem; }
.field { align-items: baseline; margin: .5rem 0; }
.field p { margin: 0; color: var(--quiet); }
@media (max-width: 50rem) { .field { grid-template-columns: minmax(0, 1fr); } }
`

export const docsScript = `"use strict"

const byId = (id) => document.getElementById(id)

/** An element with texts and elements in it. */
function make(tag, attributes, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value)
  node.append(...children)
  return node
}

const asText = (value) => JSON.stringify(value, null, 2)

async function start() {
  const api = await (await fetch("/openapi.json")).json()
  byId("about").textContent = api.info.description
  const main = byId("operations")
  main.replaceChildren()
  for (const { name } of api.tags) {
    const section = make("section", {}, make("h2", {}, name))
    for (const [path, item] of Object.entries(api.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (operation.tags[0] === name) section.append(card(api, path, method, operation))
      }
    }
    main.append(section)
  }
  byId("find").addEventListener("input", find)
  byId("login").addEventListener("submit", (event) => event.preventDefault())
}

/** Shows the operations whose path or summary holds what was typed. */
function find() {
  const wanted = byId("find").value.toLowerCase()
  for (const node of document.querySelectorAll("details.operation")) {
    node.hidden = !node.firstChild.textContent.toLowerCase().includes(wanted)
  }
  for (const node of document.querySelectorAll("section")) {
    node.hidden = node.querySelector("details:not([hidden])") === null
  }
}

function card(api, path, method, operation) {
  const head = make(
    "summary",
    {},
    make("span", { class: "method " + method }, method.toUpperCase()),
    make("code", {}, path),
    make("span", { class: "what" }, operation.summary),
  )
  const node = make("details", { class: "operation", id: operation.operationId }, head)
  // Built when it is opened: there are many.
  node.addEventListener("toggle", () => {
    if (node.childElementCount === 1) node.append(inside(api, path, method, operation))
  })
  return node
}

/** A text that scrolls, so that keys must reach it; the name is for those who do not see it. */
function block(name, attributes, ...texts) {
  return make("pre", { tabindex: "0", role: "group", "aria-label": name, ...attributes }, ...texts)
}

function inside(api, path, method, operation) {
  const id = operation.operationId
  const title = method.toUpperCase() + " " + path
  const inputs = (operation.parameters || []).map((parameter, index) => {
    const input = make("input", {
      id: id + "-" + index,
      "aria-describedby": id + "-" + index + "-what",
      placeholder: parameter.required ? "required" : "",
    })
    const example = [parameter.example].flat()[0]
    if (parameter.required && example !== undefined) input.value = example
    return { parameter, input }
  })
  const body = bodyOf(operation)
  const area = body && make("textarea", { id: id + "-body", rows: "10", spellcheck: "false" })
  if (area) area.value = body.example === undefined ? "" : asText(body.example)
  const output = block("Answer of " + title, {
    class: "answer",
    "aria-live": "polite",
    hidden: "",
  })
  const button = make("button", { type: "button" }, "Send")
  button.addEventListener("click", () => {
    void send({ path, method, operation, inputs, area, type: body && body.type, output })
  })
  return make(
    "div",
    {},
    ...inputs.map(field),
    ...(body ? [make("p", {}, operation.requestBody.description)] : []),
    ...(body ? [make("label", { for: id + "-body" }, "Body"), area] : []),
    ...(body && body.schema ? [schemaView("Schema of the body", api, body.schema)] : []),
    make("p", {}, button),
    output,
    ...answers(api, operation, title),
  )
}

function bodyOf(operation) {
  if (!operation.requestBody) return null
  const [[type, content]] = Object.entries(operation.requestBody.content)
  return { type, example: content.example, schema: content.schema }
}

/** A parameter: its name, where it is typed, and what it means. */
function field({ parameter, input }) {
  const id = input.getAttribute("id")
  return make(
    "div",
    { class: "field" },
    make("label", { for: id }, make("code", {}, parameter.name), " (" + parameter.in + ")"),
    input,
    make("p", { id: id + "-what" }, parameter.description),
  )
}

function answers(api, operation, title) {
  return Object.entries(operation.responses).map(([status, response]) => {
    const line = make("p", {}, make("b", {}, status), " " + response.description)
    const content = response.content && response.content["application/json"]
    if (!content) return line
    const example = content.example
    const shown = block("Example of an answer of " + title, {}, asText(example))
    const parts = example === undefined ? [] : [shown]
    if (Object.keys(content.schema).length > 0) {
      parts.push(schemaView("Schema of the answer", api, content.schema))
    }
    return make("div", {}, line, ...parts)
  })
}

/** A schema, with what it refers to below it. */
function schemaView(title, api, schema) {
  if (Object.keys(schema).length === 0) return ""
  const names = new Set()
  const look = (node) => {
    if (typeof node !== "object" || node === null) return
    if (typeof node.$ref === "string" && !names.has(node.$ref)) {
      names.add(node.$ref)
      look(api.components.schemas[node.$ref.split("/").pop()])
    }
    Object.values(node).forEach(look)
  }
  look(schema)
  const others = [...names].map((ref) => {
    const name = ref.split("/").pop()
    return block("Schema " + name, {}, name + ": " + asText(api.components.schemas[name]))
  })
  const node = make("details", {}, make("summary", {}, title))
  node.append(make("div", {}, block(title, {}, asText(schema)), ...others))
  return node
}

/** Basic credentials of the form; texts beyond Latin-1 go as UTF-8. */
function credentials() {
  const user = byId("user").value
  if (user === "") return {}
  const bytes = new TextEncoder().encode(user + ":" + byId("password").value)
  return { Authorization: "Basic " + btoa(String.fromCharCode(...bytes)) }
}

async function send({ path, method, operation, inputs, area, type, output }) {
  const query = new URLSearchParams()
  const headers = operation.security && operation.security.length === 0 ? {} : credentials()
  let url = path
  for (const { parameter, input } of inputs) {
    if (input.value === "" && parameter.in !== "path") continue
    if (parameter.in === "path") {
      url = url.replace("{" + parameter.name + "}", encodeURIComponent(input.value))
    } else if (parameter.in === "header") headers[parameter.name] = input.value
    else query.append(parameter.name, input.value)
  }
  if (query.size > 0) url += "?" + query
  const init = { method: method.toUpperCase(), headers, credentials: "omit" }
  if (area) {
    headers["Content-Type"] = type === "*/*" ? "text/plain" : type
    init.body = area.value
  }
  output.hidden = false
  output.textContent = init.method + " " + url + " …"
  try {
    const response = await fetch(url, init)
    const text = await response.text()
    output.textContent = init.method + " " + url + " → " + response.status + "\\n\\n" + pretty(text)
  } catch (error) {
    output.textContent = String(error)
  }
}

function pretty(text) {
  try {
    return asText(JSON.parse(text))
  } catch {
    return text
  }
}

void start().catch((error) => {
  byId("operations").textContent = "The description cannot be read: " + error
})
`

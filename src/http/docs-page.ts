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

export const docsStyle = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; }
h1 { margin: 0; }
h2 { margin: 2rem 0 .5rem; border-bottom: 1px solid #8886; }
#login { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; }
label { display: inline-grid; font-size: .85rem; }
input, textarea, button { font: inherit; padding: .25rem .5rem; }
textarea { width: 100%; box-sizing: border-box; font: 13px/1.4 ui-monospace, monospace; }
details { margin: .25rem 0; border: 1px solid #8884; border-radius: .3rem; }
summary { cursor: pointer; padding: .35rem .6rem; }
details > div { padding: 0 .8rem .8rem; }
code, pre { font: 13px/1.4 ui-monospace, monospace; }
pre { overflow: auto; max-height: 24rem; padding: .6rem; background: #8881; border-radius: .3rem; }
.method { display: inline-block; min-width: 4.2rem; font-weight: 700; }
.get { color: #1a7f37; } .post { color: #0969da; } .put { color: #9a6700; }
.delete { color: #cf222e; }
.what { opacity: .8; margin-left: .6rem; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; }
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

function inside(api, path, method, operation) {
  const inputs = (operation.parameters || []).map((parameter) => {
    const input = make("input", { placeholder: parameter.required ? "required" : "" })
    const example = [parameter.example].flat()[0]
    if (parameter.required && example !== undefined) input.value = example
    return { parameter, input }
  })
  const body = bodyOf(operation)
  const area = body && make("textarea", { rows: "10", spellcheck: "false" })
  if (area) area.value = body.example === undefined ? "" : asText(body.example)
  const output = make("pre", { class: "answer", hidden: "", tabindex: "0" })
  const button = make("button", { type: "button" }, "Send")
  button.addEventListener("click", () => {
    void send({ path, method, operation, inputs, area, type: body && body.type, output })
  })
  return make(
    "div",
    {},
    ...(inputs.length > 0 ? [parameterTable(inputs)] : []),
    ...(body ? [make("p", {}, operation.requestBody.description), area] : []),
    ...(body && body.schema ? [schemaView("Schema of the body", api, body.schema)] : []),
    make("p", {}, button),
    output,
    ...answers(api, operation),
  )
}

function bodyOf(operation) {
  if (!operation.requestBody) return null
  const [[type, content]] = Object.entries(operation.requestBody.content)
  return { type, example: content.example, schema: content.schema }
}

function parameterTable(inputs) {
  const rows = inputs.map(({ parameter, input }) =>
    make(
      "tr",
      {},
      make("td", {}, make("code", {}, parameter.name), " (" + parameter.in + ")"),
      make("td", {}, input),
      make("td", {}, parameter.description),
    ),
  )
  return make("table", {}, ...rows)
}

function answers(api, operation) {
  return Object.entries(operation.responses).map(([status, response]) => {
    const line = make("p", {}, make("b", {}, status), " " + response.description)
    const content = response.content && response.content["application/json"]
    if (!content) return line
    const example = content.example
    const parts = example === undefined ? [] : [make("pre", {}, asText(example))]
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
    return make("pre", {}, name + ": " + asText(api.components.schemas[name]))
  })
  const node = make("details", {}, make("summary", {}, title))
  node.append(make("div", {}, make("pre", {}, asText(schema)), ...others))
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

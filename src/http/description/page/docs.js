/**
 * Docs: the script of the page at /docs/reference. It shows the API description and sends requests.
 *
 * Browsers run this file unchanged; `tsc` checks its types (tsconfig.json beside it). All texts of
 * the description become text nodes; nothing is ever parsed as HTML.
 */

"use strict"

/** @typedef {{ $ref?: string }} Schema */
/** @typedef {{ schema: Schema, example?: unknown }} Content */
/**
 * @typedef {{ name: string, in: string, description: string, required?: true, example?: unknown }}
 *   Parameter
 */
/** @typedef {{ description: string, content?: Record<string, Content> }} ResponseOf */
/**
 * @typedef {{
 *   operationId: string, summary: string, tags: string[], security?: unknown[],
 *   parameters?: Parameter[], responses: Record<string, ResponseOf>,
 *   requestBody?: { description: string, content: Record<string, Content> },
 * }} Operation
 */
/**
 * @typedef {{
 *   info: { description: string }, tags: { name: string }[],
 *   paths: Record<string, Record<string, Operation>>,
 *   components: { schemas: Record<string, Schema> },
 * }} Api
 */
/** @typedef {{ path: string, method: string, operation: Operation }} Endpoint */
/** @typedef {{ parameter: Parameter, input: HTMLInputElement }} Field */

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id))

/** @param {string} id */
const inputById = (id) => /** @type {HTMLInputElement} */ (byId(id))

/**
 * Creates an element with attributes and children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
function make(tag, attributes, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  node.append(...children)
  return node
}

/** @param {unknown} value */
const asText = (value) => JSON.stringify(value, null, 2)

async function start() {
  const api = /** @type {Api} */ (await (await fetch("/openapi.json")).json())
  byId("about").textContent = api.info.description
  const main = byId("operations")
  main.replaceChildren()
  for (const { name } of api.tags) {
    const section = make("section", {}, make("h2", {}, name))
    for (const [path, item] of Object.entries(api.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (operation.tags[0] === name) section.append(card(api, { path, method, operation }))
      }
    }
    main.append(section)
  }
  byId("find").addEventListener("input", filterOperations)
  byId("login").addEventListener("submit", (event) => event.preventDefault())
}

/** Shows the operations whose path or summary contains the search text. */
function filterOperations() {
  const wanted = inputById("find").value.toLowerCase()
  /** @type {NodeListOf<HTMLElement>} */
  const cards = document.querySelectorAll("details.operation")
  for (const node of cards) {
    const title = node.firstChild?.textContent ?? ""
    node.hidden = !title.toLowerCase().includes(wanted)
  }
  for (const node of document.querySelectorAll("section")) {
    node.hidden = node.querySelector("details:not([hidden])") === null
  }
}

/**
 * The collapsed view of an operation.
 * @param {Api} api
 * @param {Endpoint} endpoint
 */
function card(api, endpoint) {
  const { path, method, operation } = endpoint
  const head = make(
    "summary",
    {},
    make("span", { class: "method " + method }, method.toUpperCase()),
    make("code", {}, path),
    make("span", { class: "what" }, operation.summary),
  )
  const node = make("details", { class: "operation", id: operation.operationId }, head)
  // Its content is created when it is first opened, since there are many operations.
  node.addEventListener("toggle", () => {
    if (node.childElementCount === 1) node.append(cardContent(api, endpoint))
  })
  return node
}

/**
 * A scrollable text. It can have the keyboard focus, and a name for screen readers.
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {string[]} texts
 */
function block(name, attributes, ...texts) {
  return make("pre", { tabindex: "0", role: "group", "aria-label": name, ...attributes }, ...texts)
}

/**
 * Inputs, button and responses of an operation.
 * @param {Api} api
 * @param {Endpoint} endpoint
 */
function cardContent(api, endpoint) {
  const { path, method, operation } = endpoint
  const id = operation.operationId
  const title = method.toUpperCase() + " " + path
  const fields = (operation.parameters ?? []).map((parameter, index) => {
    const input = make("input", {
      id: id + "-" + index,
      "aria-describedby": id + "-" + index + "-what",
      placeholder: parameter.required ? "required" : "",
    })
    const example = [parameter.example].flat()[0]
    if (parameter.required && example !== undefined) input.value = String(example)
    return { parameter, input }
  })
  const body = bodyOf(operation)
  const area = body && make("textarea", { id: id + "-body", rows: "10", spellcheck: "false" })
  if (area && body.example !== undefined) area.value = asText(body.example)
  const output = block("Answer of " + title, {
    class: "answer",
    "aria-live": "polite",
    hidden: "",
  })
  const button = make("button", { type: "button" }, "Send")
  button.addEventListener("click", () => {
    void send(endpoint, { fields, area, type: body?.type ?? "", output })
  })
  return make(
    "div",
    {},
    ...fields.map(fieldView),
    ...(body ? [make("p", {}, body.description)] : []),
    ...(area ? [make("label", { for: id + "-body" }, "Body"), area] : []),
    ...(body?.schema ? [schemaView("Schema of the body", api, body.schema)] : []),
    make("p", {}, button),
    output,
    ...responseViews(api, operation, title),
  )
}

/** @param {Operation} operation */
function bodyOf({ requestBody }) {
  const [entry] = Object.entries(requestBody?.content ?? {})
  if (requestBody === undefined || entry === undefined) return null
  const [type, { example, schema }] = entry
  return { type, example, schema, description: requestBody.description }
}

/**
 * A parameter: its name, its input and its description.
 * @param {Field} field
 */
function fieldView({ parameter, input }) {
  const id = input.getAttribute("id") ?? ""
  return make(
    "div",
    { class: "field" },
    make("label", { for: id }, make("code", {}, parameter.name), " (" + parameter.in + ")"),
    input,
    make("p", { id: id + "-what" }, parameter.description),
  )
}

/**
 * @param {Api} api
 * @param {Operation} operation
 * @param {string} title
 */
function responseViews(api, operation, title) {
  return Object.entries(operation.responses).map(([status, response]) => {
    const line = make("p", {}, make("b", {}, status), " " + response.description)
    const content = response.content?.["application/json"]
    if (!content) return line
    const { example } = content
    const shown = block("Example of an answer of " + title, {}, asText(example) ?? "")
    /** @type {(Node | string)[]} */
    const parts = example === undefined ? [] : [shown]
    if (Object.keys(content.schema).length > 0) {
      parts.push(schemaView("Schema of the answer", api, content.schema))
    }
    return make("div", {}, line, ...parts)
  })
}

/**
 * A schema, followed by the schemas that it refers to.
 * @param {string} title
 * @param {Api} api
 * @param {Schema} schema
 */
function schemaView(title, api, schema) {
  if (Object.keys(schema).length === 0) return ""
  /** @type {Set<string>} */
  const names = new Set()
  /** @param {unknown} node */
  const collect = (node) => {
    if (typeof node !== "object" || node === null) return
    const name = "$ref" in node && typeof node.$ref === "string" ? nameOf(node.$ref) : null
    if (name !== null && !names.has(name)) {
      names.add(name)
      collect(api.components.schemas[name])
    }
    Object.values(node).forEach(collect)
  }
  collect(schema)
  const others = [...names].map((name) => {
    return block("Schema " + name, {}, name + ": " + asText(api.components.schemas[name]))
  })
  const node = make("details", {}, make("summary", {}, title))
  node.append(make("div", {}, block(title, {}, asText(schema)), ...others))
  return node
}

/**
 * The name of a schema in a reference.
 * @param {string} ref
 */
function nameOf(ref) {
  return ref.slice(ref.lastIndexOf("/") + 1)
}

/**
 * Basic credentials of the form, encoded as UTF-8.
 * @returns {Record<string, string>}
 */
function credentials() {
  const user = inputById("user").value
  if (user === "") return {}
  const bytes = new TextEncoder().encode(user + ":" + inputById("password").value)
  return { Authorization: "Basic " + btoa(String.fromCharCode(...bytes)) }
}

/**
 * Sends a request and shows the response.
 * @param {Endpoint} endpoint
 * @param {{ fields: Field[], area: HTMLTextAreaElement | null, type: string, output: HTMLElement }}
 *   form
 */
async function send({ path, method, operation }, { fields, area, type, output }) {
  const query = new URLSearchParams()
  const headers = operation.security?.length === 0 ? {} : credentials()
  let url = path
  for (const { parameter, input } of fields) {
    if (input.value === "" && parameter.in !== "path") continue
    if (parameter.in === "path") {
      url = url.replace("{" + parameter.name + "}", encodeURIComponent(input.value))
    } else if (parameter.in === "header") headers[parameter.name] = input.value
    else query.append(parameter.name, input.value)
  }
  if (query.size > 0) url += "?" + query
  /** @type {RequestInit} */
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
    output.textContent = init.method + " " + url + " → " + response.status + "\n\n" + pretty(text)
  } catch (error) {
    output.textContent = String(error)
  }
}

/** @param {string} text */
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

/** The script of the page, run in as much of a browser as it needs. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { createContext, Script } from "node:vm"
import { docsScript, referencePage } from "../../src/http/description/docs-files.ts"
import { describeApi } from "../../src/http/description/openapi.ts"
import { describedRoutes } from "../../src/http/api/routes/route-table.ts"

/** The part of a DOM element that the script uses. */
class Node {
  readonly attributes: Record<string, string> = {}
  readonly listeners = new Map<string, (event: unknown) => void>()
  children: (Node | string)[] = []
  value = ""
  hidden = false
  readonly tag: string

  constructor(tag: string) {
    this.tag = tag
  }
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value
  }
  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null
  }
  append(...children: (Node | string)[]): void {
    this.children.push(...children)
  }
  replaceChildren(...children: Node[]): void {
    this.children = children
  }
  addEventListener(name: string, listener: (event: unknown) => void): void {
    this.listeners.set(name, listener)
  }
  get firstChild(): Node {
    return this.children[0] as Node
  }
  get childElementCount(): number {
    return this.children.filter((child) => child instanceof Node).length
  }
  get textContent(): string {
    return this.children
      .map((child) => (child instanceof Node ? child.textContent : child))
      .join("")
  }
  set textContent(text: string) {
    this.children = [text]
  }
  all(isWanted: (node: Node) => boolean): Node[] {
    const inside = this.children.flatMap((child) =>
      child instanceof Node ? child.all(isWanted) : [],
    )
    return isWanted(this) ? [this, ...inside] : inside
  }
  querySelector(): Node | null {
    return this.all(({ tag, hidden }) => tag === "details" && !hidden)[0] ?? null
  }
}

const api = describeApi(describedRoutes, "1.2.3")

async function openPage() {
  const byId = new Map<string, Node>()
  for (const [, id] of referencePage.matchAll(/id="(\w+)"/g)) byId.set(id!, new Node("x"))
  const main = byId.get("operations")!
  const sent: { url: string; init?: { method: string; headers: object; body?: string } }[] = []
  const fetch = async (url: string, init?: never) => {
    sent.push({ url, ...(init === undefined ? {} : { init }) })
    if (url === "/openapi.json") return { json: async () => JSON.parse(JSON.stringify(api)) }
    return { status: 200, text: async () => '{"it":"works"}' }
  }
  const isCard = (node: Node) => node.attributes["class"] === "operation"
  const document = {
    getElementById: (id: string) => byId.get(id),
    createElement: (tag: string) => new Node(tag),
    querySelectorAll: (selector: string) =>
      main.all((node) => (selector === "section" ? node.tag === "section" : isCard(node))),
  }
  const globals = { document, fetch, URLSearchParams, TextEncoder, btoa, encodeURIComponent }
  new Script(docsScript).runInContext(createContext(globals))
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  return { byId, main, sent, cards: main.all(isCard) }
}

test("every operation has a card, which shows what it takes when it is opened", async () => {
  const { cards } = await openPage()
  const operations = describedRoutes.flatMap(({ operations: own }) => Object.keys(own))
  assert.equal(cards.length, operations.length)
  for (const card of cards) {
    card.listeners.get("toggle")!({})
    card.listeners.get("toggle")!({})
    assert.equal(card.childElementCount, 2, card.textContent)
    assert.equal(card.all(({ tag }) => tag === "button").length, 1)
  }
})

test("a card sends what was typed, with the credentials, and shows the answer", async () => {
  const { byId, sent, cards } = await openPage()
  byId.get("user")!.value = "ada@example.org"
  byId.get("password")!.value = "pässword"
  const card = cards.find(({ attributes }) => attributes["id"] === "putUsersId")!
  card.listeners.get("toggle")!({})
  const [input] = card.all(({ tag }) => tag === "input")
  input!.value = "a/b"
  const [button] = card.all(({ tag }) => tag === "button")
  button!.listeners.get("click")!({})
  await new Promise(setImmediate)
  const { url, init } = sent.at(-1)!
  assert.equal(url, "/users/a%2Fb")
  assert.equal(init!.method, "PUT")
  const { Authorization: basic } = init!.headers as Record<string, string>
  assert.equal(
    Buffer.from(basic!.slice("Basic ".length), "base64").toString(),
    "ada@example.org:pässword",
  )
  assert.deepEqual(JSON.parse(init!.body!), {
    user: { active: true, properties: { theme: "light" } },
  })
  const output = card.all(({ tag, attributes }) => tag === "pre" && "hidden" in attributes)
  assert.match(output[0]!.textContent, /^PUT \/users\/a%2Fb → 200\n\n\{\n {2}"it": "works"/)
})

test("the search hides operations that do not match, and empty sections", async () => {
  const { byId, main, cards } = await openPage()
  byId.get("find")!.value = "FeatureUsage"
  byId.get("find")!.listeners.get("input")!({})
  assert.deepEqual(
    cards.filter(({ hidden }) => !hidden).map(({ attributes }) => attributes["id"]),
    ["getUsersIdFeatureusage"],
  )
  const sections = main.all(({ tag }) => tag === "section")
  assert.equal(sections.filter(({ hidden }) => !hidden).length, 1)
})

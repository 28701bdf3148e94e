/** Routes of the handbook, the API description and the page that shows it. */

import { ServiceError } from "../../../base/errors.ts"
import { anything, mapOf, text } from "../../../wire/answer.ts"
import { shown } from "../../../wire/problems.ts"
import { docsScript, docsStyle, referencePage } from "../../description/docs-files.ts"
import type { Handbook } from "../../description/handbook.ts"
import { describeApi } from "../../description/openapi.ts"
import { pathParameter } from "../../shared/parameters.ts"
import { acceptedCoding } from "../../shared/send.ts"
import { StaticText } from "../../shared/static-text.ts"
import {
  route,
  type Call,
  type Handler,
  type Parameter,
  type Reply,
  type Route,
  type DescribedRoute,
} from "../../shared/route.ts"

const section = "Description"

/**
 * The pages load nothing from other origins, may not be framed and run no inline script, since
 * users type a password on one of them.
 */
const pageHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
}

/** Routes that describe `routes`, themselves included. */
export function descriptionRoutes(routes: () => readonly DescribedRoute[]): readonly Route[] {
  let printed: StaticText | null = null
  const description: Handler = async (call, { version }) => {
    printed ??= new StaticText(() => JSON.stringify(describeApi(routes(), version)))
    return replyWith(printed, call, { "Content-Type": "application/json" })
  }
  return [
    open("/openapi.json", "This description, as OpenAPI 3.1", { handle: description }),
    ...docsRoutes(),
  ]
}

function docsRoutes(): readonly Route[] {
  const front = handbookPage(() => undefined)
  const reference = page(() => referencePage, "text/html")
  return [
    open("/docs", "The handbook", front),
    open("/docs/reference", "This description as a page to read and try", reference),
    open(
      "/docs/page.js",
      "Script of the page",
      page(() => docsScript, "text/javascript"),
    ),
    open(
      "/docs/page.css",
      "Style of the pages",
      page(() => docsStyle, "text/css"),
    ),
    open("/docs/:page", "A page of the handbook", namedPages()),
  ]
}

interface Page {
  readonly handle: Handler
  /** Content type; JSON if absent. */
  readonly type?: string
  readonly parameters?: readonly Parameter[]
}

function open(path: string, summary: string, { handle, type, parameters = [] }: Page): Route {
  const schema = type === undefined ? mapOf(anything) : text
  const response = {
    status: 200,
    description: summary,
    schema,
    ...(type !== undefined && { type }),
  }
  return route(section, path, { GET: { summary, access: "anyone", parameters, response, handle } })
}

/** `body` is called at the first request. */
function page(body: () => string, type: string): Page {
  const headers = { ...pageHeaders, "Content-Type": `${type}; charset=utf-8` }
  const bytes = new StaticText(body)
  return { type, handle: (call) => replyWith(bytes, call, headers) }
}

function namedPages(): Page {
  const parameters = [pathParameter("page", "Name of the page", { example: "getting-started" })]
  return { ...handbookPage((call) => call.path["page"]!), parameters }
}

/** The page of this name, or the front page. */
function handbookPage(nameOf: (call: Call) => string | undefined): Page {
  const type = "text/html"
  const pages = new Map<string | undefined, Page>()
  let handbook: Handbook | null = null
  const handle: Handler = async (call, deps) => {
    handbook ??= await openHandbook()
    const opened = handbook
    const name = nameOf(call)
    if (name !== undefined && !opened.has(name)) {
      throw new ServiceError("missing", `Expected a page that /docs lists, got ${shown(name)}`)
    }
    const known = pages.get(name) ?? page(() => opened.render(name), type)
    pages.set(name, known)
    return known.handle(call, deps)
  }
  return { type, handle }
}

/** With the first page: a start need not load the Markdown parser. */
async function openHandbook(): Promise<Handbook> {
  const module = await import("../../description/handbook.ts")
  return new module.Handbook()
}

async function replyWith(
  text: StaticText,
  { request }: Call,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const coding = acceptedCoding(request.headers.get("accept-encoding") ?? undefined)
  const bytes = await text.encodedAs(coding)
  const vary = { Vary: "Accept-Encoding" }
  if (coding === null) return { status: 200, bytes, headers: { ...headers, ...vary } }
  return { status: 200, bytes, headers: { ...headers, ...vary, "Content-Encoding": coding } }
}

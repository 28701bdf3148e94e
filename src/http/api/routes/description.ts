/** Routes of the API description and of the page that shows it. */

import { docsPage, docsScript, docsStyle } from "../../description/docs-page.ts"
import { anything, mapOf, text } from "../../../wire/answer.ts"
import { describeApi } from "../../description/openapi.ts"
import { acceptedCoding } from "../../shared/send.ts"
import { StaticText } from "../../shared/static-text.ts"
import {
  route,
  type Call,
  type Handler,
  type Reply,
  type Route,
  type DescribedRoute,
} from "../../shared/route.ts"

const section = "Description"

/**
 * The page loads nothing from other origins, may not be framed and runs no inline script, since
 * users type a password there.
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
    open("/docs", "This description as a page to read and try", page(docsPage, "text/html")),
    open("/docs/page.js", "Script of the page", page(docsScript, "text/javascript")),
    open("/docs/page.css", "Style of the page", page(docsStyle, "text/css")),
  ]
}

interface Page {
  readonly handle: Handler
  /** Content type; JSON if absent. */
  readonly type?: string
}

function open(path: string, summary: string, { handle, type }: Page): Route {
  const schema = type === undefined ? mapOf(anything) : text
  const response = {
    status: 200,
    description: summary,
    schema,
    ...(type !== undefined && { type }),
  }
  return route(section, path, { GET: { summary, access: "anyone", response, handle } })
}

function page(body: string, type: string): Page {
  const headers = { ...pageHeaders, "Content-Type": `${type}; charset=utf-8` }
  const bytes = new StaticText(() => body)
  return { type, handle: (call) => replyWith(bytes, call, headers) }
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

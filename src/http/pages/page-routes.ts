/**
 * Routes of the web interface: below /app/ a file of that name, or else the one page, which reads
 * the path itself. Public, since it holds nothing of any account: the page asks the API.
 */

import type { HttpBindings } from "@hono/node-server"
import type { Hono } from "hono"
import type { AppContext } from "../api/send-reply.ts"
import type { LiveSettings } from "../shared/live-settings.ts"
import type { RouteDeps } from "../shared/route.ts"
import { acceptedCoding } from "../shared/send.ts"
import { WebFiles, type IndexPage, type WebFile } from "./web-files.ts"

/** The pages load nothing from elsewhere, run no inline script and cannot make HTML of a text. */
const pageHeaders = {
  Vary: "Accept-Encoding",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
    "connect-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'self'; " +
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types tidegauge",
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy":
    "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), " +
    "midi=(), payment=(), usb=(), fullscreen=(self), clipboard-write=(self)",
}

/** Names of files have a hash of their content. */
const forever = "public, max-age=31536000, immutable"

/** How the route is named in the server's own metrics. */
const pattern = "/app/*"

export interface PageRouteDeps {
  readonly live: Pick<LiveSettings, "baseUrl">
  readonly metrics: RouteDeps["metrics"]
}

export function addPageRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  { live, metrics }: PageRouteDeps,
): void {
  const files = new WebFiles()
  app.get(pattern, (context) => {
    const startedMs = metrics.startRequest()
    const name = context.req.path.replace(/^\/app\/?/, "")
    const file = files.find(name)
    const response =
      file === undefined
        ? sendIndex(context, files.indexPage(pathOf(live.baseUrl), name))
        : sendFile(context, file, { "Cache-Control": forever })
    metrics.countRequest(pattern, response.status, startedMs)
    return response
  })
}

/** The path of the public address without its last slash. */
function pathOf(baseUrl: string | null): string {
  if (baseUrl === null || !URL.canParse(baseUrl)) return ""
  return new URL(baseUrl).pathname.replace(/\/$/, "")
}

type Headers = Readonly<Record<string, string>>

function sendFile({ req }: AppContext, file: WebFile, more: Headers): Response {
  const coding = acceptedCoding(req.header("accept-encoding"))
  const bytes = coding === null ? file.plain() : file.coded[coding]
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      ...pageHeaders,
      "Content-Type": file.type,
      ...(coding !== null && { "Content-Encoding": coding }),
      ...more,
    },
  })
}

function sendIndex(context: AppContext, page: IndexPage): Response {
  const headers = { "Cache-Control": "no-cache", ETag: page.etag }
  if (context.req.header("if-none-match") !== page.etag) return sendFile(context, page, headers)
  return new Response(null, { status: 304, headers: { ...pageHeaders, ...headers } })
}

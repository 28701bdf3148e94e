/** A person at the pages: a signed-in browser with empty caches, and its figures by DevTools. */

import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core"
import type { Server } from "../load/server.ts"
import { administrator } from "../load/subjects.ts"
import { record } from "./recorder.ts"

export interface Visit {
  readonly page: Page
  readonly devTools: CDPSession
  readonly url: string
}

export interface VisitOptions {
  /** Below /app/. */
  readonly path: string
  /** Selectors that are waited for, by name. */
  readonly selectors?: Readonly<Record<string, string>>
  /** Called before the page is opened. */
  readonly prepare?: (visit: Visit) => Promise<void>
}

export const addressOf = ({ launch }: Server) => `http://127.0.0.1:${launch.target.port}`

/** The cookie of a session of the administrator. Throws if the server refuses the login. */
export async function signIn(server: Server) {
  const url = addressOf(server)
  const answer = await fetch(`${url}/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Tidegauge-Request": "1" },
    body: JSON.stringify(administrator),
  })
  const [name, value] = (answer.headers.get("set-cookie") ?? "").split(";")[0]!.split("=")
  if (answer.status !== 201 || !name || !value) throw new Error(`sessions: ${answer.status}`)
  return { name, value, url }
}

export class Visitor {
  private readonly browser: Browser
  private readonly server: Server
  private cookie: Awaited<ReturnType<typeof signIn>> | null = null

  constructor(browser: Browser, server: Server) {
    this.browser = browser
    this.server = server
  }

  /** Opens a page in a browser profile of its own, which is closed after `visit`. */
  async visit<T>(options: VisitOptions, visit: (visit: Visit) => Promise<T>): Promise<T> {
    this.cookie ??= await signIn(this.server)
    const context: BrowserContext = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: "en-US",
    })
    try {
      await context.addCookies([this.cookie])
      const page = await context.newPage()
      const devTools = await context.newCDPSession(page)
      const visited = { page, devTools, url: addressOf(this.server) }
      await record(page, options.selectors)
      await options.prepare?.(visited)
      await page.goto(`${visited.url}/app/${options.path}`)
      return await visit(visited)
    } finally {
      await context.close()
    }
  }
}

export interface PageMemory {
  readonly heapBytes: number
  readonly nodes: number
  readonly listeners: number
}

/** After garbage has been collected. */
export async function memoryOf({ devTools }: Visit): Promise<PageMemory> {
  await devTools.send("Performance.enable")
  // A second collection frees what the first one finalizes.
  for (let i = 0; i < 2; i++) await devTools.send("HeapProfiler.collectGarbage")
  const { metrics } = await devTools.send("Performance.getMetrics")
  const value = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
  return {
    heapBytes: value("JSHeapUsedSize"),
    nodes: value("Nodes"),
    listeners: value("JSEventListeners"),
  }
}

/** Keeps the status of the server for all parts of the page: one call, then what the stream says. */

import { useEffect } from "preact/hooks"
import * as v from "valibot"
import { serverStatus } from "../../api/overview/overview.ts"
import type { ServerStatus } from "../../api/overview/overview-answer.ts"
import { ingestMessage } from "../../api/stream-answer.ts"
import { every } from "../../platform/timers.ts"
import { useApp } from "../app.ts"
import { useLoaded } from "../use-loaded.ts"
import { useReloadOn } from "./use-live.ts"

/** The stream does not say that a cycle is late, nor that nothing is sent any more. */
const reloadMs = 60_000

/** Null before the first answer. */
export function useServerStatus(): ServerStatus | null {
  const { api, live, server } = useApp()
  const loaded = useLoaded("server", (signal) => serverStatus(api, signal))
  const { value, error, reload } = loaded
  useReloadOn(["cycle"], reload)
  useEffect(() => every(reloadMs, reload), [reload])
  useEffect(() => {
    server.value = loaded
  }, [value, error])
  useEffect(() => {
    return live.listen(({ event, data }) => {
      const former = server.peek()
      const message = event === "ingest" ? v.safeParse(ingestMessage, data) : null
      if (message?.success !== true || !former?.value) return
      server.value = { ...former, value: { ...former.value, ingest: message.output } }
    })
  }, [live])
  return server.value?.value ?? null
}

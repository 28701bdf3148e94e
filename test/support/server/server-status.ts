/** The status of a server that was just started, for tests of the HTTP layer alone. */

import type { ServerStatus } from "../../../src/http/http.ts"

export const serverStatus: ServerStatus = {
  startedMs: 0,
  isSimulated: false,
  speed: 1,
  settings: () => ({
    retentionMs: { ZERO: 1, PT5M: 2, PT1H: 3, PT24H: 4 },
    bodyBytesMax: 1024,
    seriesMax: 1,
    newSeriesPerMinuteMax: 1,
    textBytesMax: 1,
    diskQuotaBytes: 0,
    eventsPerMinute: 0,
    queryTimeoutMs: 1,
    baseUrl: null,
  }),
  cycle: () => ({ closedUpToMs: 0, tookMs: null, lagMs: 0 }),
  figures: () => Promise.reject(new Error("no store here")),
}

/** The input of a query as HTTP hands it over: unread texts and JSON, structured-clonable. */

import type { TenantIndex } from "../../model/ids.ts"

export interface QueryInput {
  /** Index of the tenant, as in the catalogue. */
  readonly tenant: TenantIndex
  /**
   * Every query parameter with all its values, decoded, in order. Names from the path are among
   * them, and win over a query parameter of that name: `elementId` for "element"; `elementId` and
   * `metricId` for "samples". `ui: ["true"]` asks for the `/ui` variant of "samples".
   */
  readonly params: Readonly<Record<string, readonly string[]>>
  /** The body's JSON value; `undefined` or `null` if the request has none (GET). */
  readonly body: unknown
  /** Arrival of the request: the end of a `duration`, and the default end of a window. */
  readonly nowMs: number
}

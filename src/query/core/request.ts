/** What a reader asks, as the HTTP room hands it over: unread texts and JSON, structured-clonable. */

/** Questions about elements and across them (element-questions.ts). */
export const elementQueryKinds = [
  "names",
  "tags",
  "namePreview",
  "relationships",
  "elementList",
  "elementIds",
  "elementMetrics",
  "acrossElements",
  "aggregateStatistics",
] as const
export type ElementQueryKind = (typeof elementQueryKinds)[number]

/** Questions that the query room answers; a test keeps the list and `Query` equal. */
export const queryKinds = [
  "statistics",
  "samples",
  "metricQuery",
  "metricAgg",
  "metrics",
  "elementQuery",
  "elementAgg",
  "fqns",
  "element",
  "elementFacts",
  "scopes",
  ...elementQueryKinds,
] as const
export type QueryKind = (typeof queryKinds)[number]

export interface QueryRequest {
  readonly kind: QueryKind
  /** Index of the tenant, as in the catalogue. */
  readonly tenant: number
  /**
   * Every query parameter with all its values, decoded, in order. Names from the path stand in it
   * too, and win over a query parameter of that name: `elementId` for "element"; `elementId` and
   * `metricId` for "samples". `ui: ["true"]` asks for the `/ui` variant of "samples".
   */
  readonly params: Readonly<Record<string, readonly string[]>>
  /** The body's JSON value; `undefined` or `null` where the request has none (GET). */
  readonly body: unknown
  /** When the request came: the end of a `duration`, and the default end of a window. */
  readonly nowMs: number
}

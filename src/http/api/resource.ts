/**
 * Resource: the operations that most records have in common.
 *
 *   GET  /things        list             GET     /things/:id   get
 *   POST /things        create           PUT     /things/:id   change
 *                                        DELETE  /things/:id   remove
 *
 * Bodies and responses wrap one record as `{ thing: … }` and a list as `{ things: [ … ] }`. Route
 * files write out all other operations.
 */

import { assert } from "../../base/assert.ts"
import { isObject } from "../../base/json-value.ts"
import { listOf, record } from "../../wire/answer.ts"
import type { Schema } from "../../wire/body.ts"
import { json, noBody, noContent, ok } from "../shared/route.ts"
import type {
  Call,
  Operation,
  Parameter,
  Reply,
  ResponseDescription,
  Route,
  RouteDeps,
} from "../shared/route.ts"

/** An operation on records; `run` returns the JSON of one record, or of each record of a list. */
interface RecordOperation<Result> extends Pick<
  Operation,
  "summary" | "parameters" | "body" | "mayMiss"
> {
  /** Description of the response. */
  readonly returns: string
  readonly run: (call: Call, deps: RouteDeps) => Promise<Result>
  /** "reader" for list and get and "writer" for the others if absent. */
  readonly access?: Operation["access"]
}

type Operations = Route["operations"]

export interface Resource {
  /** Path of the list; one record is at `path/:id`. */
  readonly path: string
  readonly section: string
  readonly id: Parameter
  /** Members that wrap one record and a list of records. */
  readonly names: readonly [one: string, many: string]
  /** Schema and example of one record in a response. */
  readonly schema: Schema
  readonly example?: object
  readonly list?: RecordOperation<readonly unknown[]>
  readonly create?: RecordOperation<unknown>
  readonly get?: RecordOperation<unknown>
  readonly change?: RecordOperation<unknown>
  readonly remove?: RecordOperation<void>
  /** Operations of `path` and of `path/:id` that the route file writes out, and no other has. */
  readonly ofList?: Operations
  readonly ofRecord?: Operations
}

/**
 * The routes of `path` and of `path/:id`. They are separate values, since routes with a fixed
 * segment, such as `/policies/events`, must come between them.
 *
 *     const [listRoute, recordRoute] = resourceRoutes({
 *       path: "/widgets",
 *       names: ["widget", "widgets"],
 *       list: { summary: "All widgets", returns: "`widgets`, by name", run: listWidgets },
 *       …
 *     })
 *     export const widgetRoutes = [listRoute, recordRoute]
 */
export function resourceRoutes(resource: Resource): readonly [list: Route, record: Route] {
  const { path, section, list, create, get, change, remove } = resource
  const [oneRecord, manyRecords] = responsesOf(resource)
  const reader = { access: "reader" } as const
  const writer = { access: "writer" } as const
  const byId = { parameters: [resource.id] }
  const listOperations: Operations = {
    ...(list && { GET: operationOf(list, { ...manyRecords, ...reader }) }),
    ...(create && { POST: operationOf(create, { ...oneRecord, ...writer }) }),
    ...resource.ofList,
  }
  assertApart(resource.ofList, { GET: list, POST: create })
  const recordOperations: Operations = {
    ...(get && { GET: operationOf(get, { ...oneRecord, ...reader, ...byId }) }),
    ...(change && { PUT: operationOf(change, { ...oneRecord, ...writer, ...byId }) }),
    ...resource.ofRecord,
    ...(remove && { DELETE: operationOf(remove, { ...noRecord, ...writer, ...byId }) }),
  }
  assertApart(resource.ofRecord, { GET: get, PUT: change, DELETE: remove })
  return [
    { path, section, operations: listOperations },
    { path: `${path}/:id`, section, operations: recordOperations },
  ]
}

/** Asserts that the route file writes out no operation that the resource has. */
function assertApart(written: Operations = {}, own: Readonly<Record<string, unknown>>): void {
  for (const method of Object.keys(written)) {
    assert(own[method] === undefined, `Expected one operation for ${method}`)
  }
}

interface Responses<Result> {
  readonly describe: (description: string) => ResponseDescription
  readonly reply: (result: Result) => Reply
}

function responsesOf({ names, schema, example }: Resource) {
  const [one, many] = names
  const oneRecord: Responses<unknown> = {
    describe: (description) =>
      ok(description, record({ [one]: schema }), example && { [one]: example }),
    reply: (result) => {
      assert(isObject(result), "Expected the JSON of one record")
      return json({ [one]: result })
    },
  }
  const manyRecords: Responses<readonly unknown[]> = {
    describe: (description) =>
      ok(description, record({ [many]: listOf(schema) }), example && { [many]: [example] }),
    reply: (results) => {
      assert(results.every(isObject), "Expected the JSON of each record")
      return json({ [many]: results })
    },
  }
  return [oneRecord, manyRecords] as const
}

const noRecord: Responses<void> = {
  describe: (description) => noBody(204, description),
  reply: () => noContent,
}

function operationOf<Result>(
  { run, returns, ...described }: RecordOperation<Result>,
  { describe, reply, ...defaults }: Responses<Result> & Pick<Operation, "access" | "parameters">,
): Operation {
  return {
    ...defaults,
    ...described,
    response: describe(returns),
    handle: async (call, deps) => reply(await run(call, deps)),
  }
}

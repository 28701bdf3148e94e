/** Routes of policies (spec/policies §1). */

import { invalid } from "../../../base/errors.ts"
import type { Policy } from "../../../model/records/policy.ts"
import type { StoredRecord } from "../../../records/core/record-collection.ts"
import { muteMsMax } from "../../../records/incidents/policies.ts"
import { shown } from "../../../wire/problems.ts"
import type { PolicyReplayQuery } from "../../../query/query.ts"
import { policyWrapper, readPolicyDraft } from "../../../wire/records/policy-body.ts"
import { listOf, mapOf, record, described, wholeNumber } from "../../../wire/answer.ts"
import { policyDocument, policyRecord } from "../../../wire/records/policy-document.ts"
import {
  policyReplayAnswer,
  policyReplayBody,
  readPolicyReplay,
} from "../../../wire/records/policy-replay.ts"
import { countWatchedElements } from "../element-lookup.ts"
import { elementParameter, windowParameters } from "../query-handler.ts"
import { readSpan } from "../event-filter-parameters.ts"
import { callerOf, readUuid } from "../call-parameters.ts"
import { resourceRoutes } from "../resource.ts"
import { pathParameter, uuidValue, wholeValue } from "../../shared/parameters.ts"
import { json, jsonBody, noBody, ok, route, type Handler, type Route } from "../../shared/route.ts"

const section = "Policies"

const id = pathParameter("id", "Id of a policy", { value: uuidValue })

const elementCounts: Handler = async (call, deps) => {
  // Only validated: the server does not record which elements a policy watched in the past.
  readSpan(call)
  const policies = await deps.records.policies.list(call.tenant)
  const counts = await countWatchedElements({ call, deps }, scopesOf(policies))
  return json(Object.fromEntries(counts))
}

const ofElement: Handler = async (call, deps) => {
  const policies = await deps.records.policies.list(call.tenant)
  const element = call.path["elementId"] ?? ""
  const watches = await countWatchedElements({ call, deps, element }, scopesOf(policies))
  const found = policies.filter(({ id }) => watches.get(id) === 1)
  return json({ policies: found.map(documentOf) })
}

const eventCounts: Handler = async (call, deps) => {
  const span = readSpan(call)
  const policies = await deps.records.policies.list(call.tenant)
  const counts = await deps.records.events.countByPolicy(call.tenant, span)
  return json(Object.fromEntries(policies.map(({ id }) => [id, counts.get(id) ?? 0])))
}

const eventCount: Handler = async (call, deps) => {
  const span = readSpan(call)
  const { id } = await deps.records.policies.get(call.tenant, readUuid(call))
  const counts = await deps.records.events.countByPolicy(call.tenant, span)
  return json(counts.get(id) ?? 0)
}

const mutes: Handler = async (call, deps) =>
  json(Object.fromEntries(await deps.records.policies.mutes(call.tenant)))

const mute: Handler = async (call, deps) => {
  const text = call.path["muteMs"] ?? ""
  const muteMs = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (muteMs < 1 || muteMs > muteMsMax) {
    throw invalid(`muteMs: expected milliseconds, 1 to ${muteMsMax}, got ${shown(text)}`)
  }
  await deps.records.policies.mute(call.tenant, readUuid(call), muteMs)
  return { status: 200 }
}

const unmute: Handler = async (call, deps) => {
  await deps.records.policies.unmute(call.tenant, readUuid(call))
  return { status: 200 }
}

/** Replays a policy over the past; the query threads read its window from the parameters. */
const evaluate: Handler = async (call, deps) => {
  const asked = readPolicyReplay(call.body)
  const { policyId, policy: given, elements, detail } = asked
  const policy =
    policyId === null
      ? readPolicyDraft(given)
      : (await deps.records.policies.get(call.tenant, policyId)).body
  const body: PolicyReplayQuery = { policy, elements, detail }
  const times = ["startTime", "endTime", "duration"] as const
  const params = Object.fromEntries(
    times.flatMap((name) => (asked[name] === null ? [] : [[name, [asked[name]]]])),
  )
  const { tenant, nowMs, requester } = call
  const answer = await deps.runQuery(
    { kind: "policyReplay", tenant, params, body, nowMs },
    requester,
  )
  return { status: 200, answer }
}

function documentOf({ id, body, updatedMs }: StoredRecord<Policy>): Record<string, unknown> {
  return policyDocument({ ...body, id }, updatedMs)
}

function scopesOf(policies: readonly StoredRecord<Policy>[]) {
  return Object.fromEntries(policies.map(({ id, body }) => [id, body.scope]))
}

const policyExample = {
  policy: {
    name: "WINSRV Example",
    scope: { elementTypes: ["WINSRV"] },
    duration: 300,
    conditions: [
      { metric: "diskspace.root.byte_percentfree", analytic: "actual", operator: "<", level: 5 },
    ],
    actions: [{ type: "event", category: 1 }],
  },
}

const [listRoute, recordRoute] = resourceRoutes({
  path: "/policies",
  section,
  id,
  names: ["policy", "policies"],
  schema: policyRecord,
  list: {
    summary: "All policies",
    returns: "`policies`, oldest first",
    run: async (call, deps) => (await deps.records.policies.list(call.tenant)).map(documentOf),
  },
  create: {
    summary: "Create a policy; what is not given has a default",
    body: jsonBody(
      "The policy in its wrapper; a name and one condition are needed",
      policyWrapper,
      policyExample,
    ),
    returns: "`policy`, with its id",
    run: async (call, deps) => {
      const { email } = callerOf(call, deps)
      return documentOf(await deps.records.policies.create(call.tenant, call.body, email))
    },
  },
  get: {
    summary: "One policy",
    returns: "`policy`",
    run: async (call, deps) =>
      documentOf(await deps.records.policies.get(call.tenant, readUuid(call))),
  },
  change: {
    summary: "Change a policy; fields that are not given stay as they are",
    body: jsonBody("The policy in its wrapper", policyWrapper, policyExample),
    returns: "`policy`, as it is now",
    run: async (call, deps) =>
      documentOf(await deps.records.policies.change(call.tenant, readUuid(call), call.body)),
  },
  remove: {
    summary: "Delete a policy; its events stay",
    returns: "It is gone",
    run: (call, deps) => deps.records.policies.remove(call.tenant, readUuid(call)),
  },
})

const counts = described(mapOf(wholeNumber), "By id of the policy")

/** Routes with fixed segments precede `/policies/:id`, which would match them. */
export const policyRoutes: readonly Route[] = [
  listRoute,
  route(section, "/policies/elements", {
    GET: {
      summary: "How many elements each policy watches",
      access: "reader",
      parameters: windowParameters,
      response: ok("An object of counts by policy id", counts),
      handle: elementCounts,
    },
  }),
  route(section, "/policies/events", {
    GET: {
      summary: "How many events each policy found in a window, the last hour if none is given",
      access: "reader",
      parameters: windowParameters,
      response: ok("An object of counts by policy id", counts),
      handle: eventCounts,
    },
  }),
  route(section, "/policies/mute", {
    GET: {
      summary: "When the silence of each muted policy ends",
      access: "reader",
      response: ok("An object of epoch milliseconds by policy id", counts),
      handle: mutes,
    },
  }),
  route(section, "/policies/evaluate", {
    POST: {
      summary: "Where a policy would have fired: its replay over the past",
      access: "reader",
      mayMiss: true,
      body: jsonBody(
        "A policy, stored or not, and a window of at most two weeks, the last hour if none is " +
          "given; detail cycles adds the values of one element",
        policyReplayBody,
        { policy: policyExample.policy, duration: "P1D" },
      ),
      response: ok("What it would have found, and the messages about it", policyReplayAnswer),
      handle: evaluate,
    },
  }),
  recordRoute,
  route(section, "/policies/:id/events", {
    GET: {
      summary: "How many events a policy found in a window, the last hour if none is given",
      access: "reader",
      parameters: [id, ...windowParameters],
      response: ok("A bare number", wholeNumber),
      handle: eventCount,
    },
  }),
  route(section, "/policies/:id/mute", {
    DELETE: {
      summary: "Let a policy send notifications again",
      access: "writer",
      parameters: [id],
      response: noBody(200, "No body"),
      handle: unmute,
    },
  }),
  route(section, "/policies/:id/mute/:muteMs", {
    POST: {
      summary: "Silence the notifications of a policy for a while; its events go on",
      access: "writer",
      parameters: [
        id,
        pathParameter("muteMs", "Milliseconds from now", {
          value: wholeValue(1, muteMsMax),
          example: "3600000",
        }),
      ],
      response: noBody(200, "No body"),
      handle: mute,
    },
  }),
  route("Elements", "/elements/:elementId/policies", {
    GET: {
      summary: "Policies that watch an element",
      access: "reader",
      parameters: [elementParameter],
      response: ok("`policies`, oldest first", record({ policies: listOf(policyRecord) })),
      handle: ofElement,
    },
  }),
]

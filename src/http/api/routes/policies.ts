/** Routes of policies (spec/policies §1). */

import { invalid } from "../../../base/errors.ts"
import type { Policy } from "../../../model/records/policy.ts"
import type { StoredRecord } from "../../../records/core/record-collection.ts"
import { muteMsMax } from "../../../records/incidents/policies.ts"
import { shown } from "../../../wire/problems.ts"
import { policyWrapper } from "../../../wire/records/policy-body.ts"
import { listOf, mapOf, record, described, wholeNumber } from "../../../wire/answer.ts"
import { policyDocument, policyRecord } from "../../../wire/records/policy-document.ts"
import { countWatchedElements } from "../element-lookup.ts"
import { windowParameters } from "../query-handler.ts"
import { readSpan } from "../event-filter-parameters.ts"
import { callerOf, uuidParameter } from "../call-parameters.ts"
import { json, noBody, noContent } from "../../shared/route.ts"
import type { Handler, Parameter, Route } from "../../shared/route.ts"
import { uuidValue, wholeValue } from "../../shared/values.ts"

const section = "Policies"

const list: Handler = async (call, deps) => {
  const found = await deps.records.policies.list(call.tenant)
  return json({ policies: found.map(documentOf) })
}

const create: Handler = async (call, deps) => {
  const { email } = callerOf(call, deps)
  const stored = await deps.records.policies.create(call.tenant, call.body, email)
  return json({ policy: documentOf(stored) })
}

const get: Handler = async (call, deps) => {
  const stored = await deps.records.policies.get(call.tenant, uuidParameter(call))
  return json({ policy: documentOf(stored) })
}

const change: Handler = async (call, deps) => {
  const stored = await deps.records.policies.change(call.tenant, uuidParameter(call), call.body)
  return json({ policy: documentOf(stored) })
}

const remove: Handler = async (call, deps) => {
  await deps.records.policies.remove(call.tenant, uuidParameter(call))
  return noContent
}

const elementCounts: Handler = async (call, deps) => {
  // Read only to be judged: which elements a policy watched then is not recorded.
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
  const { id } = await deps.records.policies.get(call.tenant, uuidParameter(call))
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
  await deps.records.policies.mute(call.tenant, uuidParameter(call), muteMs)
  return { status: 200 }
}

const unmute: Handler = async (call, deps) => {
  await deps.records.policies.unmute(call.tenant, uuidParameter(call))
  return { status: 200 }
}

function documentOf({ id, body, updatedMs }: StoredRecord<Policy>): Record<string, unknown> {
  return policyDocument({ ...body, id }, updatedMs)
}

function scopesOf(policies: readonly StoredRecord<Policy>[]) {
  return Object.fromEntries(policies.map(({ id, body }) => [id, body.scope]))
}

const idParameter: Parameter = {
  name: "id",
  in: "path",
  description: "Id of a policy",
  required: true,
  value: uuidValue,
}

const onePolicy = record({ policy: policyRecord })
const manyPolicies = record({ policies: listOf(policyRecord) })
const counts = described(mapOf(wholeNumber), "By id of the policy")

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

/** Routes with fixed segments come first: they compete with `:id`. */
export const policyRoutes: readonly Route[] = [
  {
    path: "/policies",
    section,
    operations: {
      GET: {
        summary: "All policies",
        access: "reader",
        response: { status: 200, description: "`policies`, oldest first", schema: manyPolicies },
        handle: list,
      },
      POST: {
        summary: "Create a policy; what is not given has a default",
        access: "writer",
        body: {
          kind: "json",
          description: "The policy in its wrapper; a name and one condition are needed",
          schema: policyWrapper,
          example: policyExample,
        },
        response: { status: 200, description: "`policy`, with its id", schema: onePolicy },
        handle: create,
      },
    },
  },
  {
    path: "/policies/elements",
    section,
    operations: {
      GET: {
        summary: "How many elements each policy watches",
        access: "reader",
        parameters: windowParameters,
        response: { status: 200, description: "An object of counts by policy id", schema: counts },
        handle: elementCounts,
      },
    },
  },
  {
    path: "/policies/events",
    section,
    operations: {
      GET: {
        summary: "How many events each policy found in a window, the last hour where none is given",
        access: "reader",
        parameters: windowParameters,
        response: { status: 200, description: "An object of counts by policy id", schema: counts },
        handle: eventCounts,
      },
    },
  },
  {
    path: "/policies/mute",
    section,
    operations: {
      GET: {
        summary: "When the silence of each muted policy ends",
        access: "reader",
        response: {
          status: 200,
          description: "An object of epoch milliseconds by policy id",
          schema: counts,
        },
        handle: mutes,
      },
    },
  },
  {
    path: "/policies/:id",
    section,
    operations: {
      GET: {
        summary: "One policy",
        access: "reader",
        parameters: [idParameter],
        response: { status: 200, description: "`policy`", schema: onePolicy },
        handle: get,
      },
      PUT: {
        summary: "Change a policy; fields that are not given stay as they are",
        access: "writer",
        parameters: [idParameter],
        body: {
          kind: "json",
          description: "The policy in its wrapper",
          schema: policyWrapper,
          example: policyExample,
        },
        response: { status: 200, description: "`policy`, as it is now", schema: onePolicy },
        handle: change,
      },
      DELETE: {
        summary: "Delete a policy; its events stay",
        access: "writer",
        parameters: [idParameter],
        response: noBody(204, "It is gone"),
        handle: remove,
      },
    },
  },
  {
    path: "/policies/:id/events",
    section,
    operations: {
      GET: {
        summary: "How many events a policy found in a window, the last hour where none is given",
        access: "reader",
        parameters: [idParameter, ...windowParameters],
        response: { status: 200, description: "A bare number", schema: wholeNumber },
        handle: eventCount,
      },
    },
  },
  {
    path: "/policies/:id/mute",
    section,
    operations: {
      DELETE: {
        summary: "Let a policy send notifications again",
        access: "writer",
        parameters: [idParameter],
        response: noBody(200, "No body"),
        handle: unmute,
      },
    },
  },
  {
    path: "/policies/:id/mute/:muteMs",
    section,
    operations: {
      POST: {
        summary: "Silence the notifications of a policy for a while; its events go on",
        access: "writer",
        parameters: [
          idParameter,
          {
            name: "muteMs",
            in: "path",
            description: "Milliseconds from now",
            value: wholeValue(1, muteMsMax),
            required: true,
            example: "3600000",
          },
        ],
        response: noBody(200, "No body"),
        handle: mute,
      },
    },
  },
  {
    path: "/elements/:elementId/policies",
    section: "Elements",
    operations: {
      GET: {
        summary: "Policies that watch an element",
        access: "reader",
        parameters: [
          {
            name: "elementId",
            in: "path",
            description: "Id or FQN of an element",
            required: true,
            example: "web-1",
          },
        ],
        response: { status: 200, description: "`policies`, oldest first", schema: manyPolicies },
        handle: ofElement,
      },
    },
  },
]

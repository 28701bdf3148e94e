/** API keys of the caller's account (spec/accounts §7), for administrators. */

import type { ApiKeyChange, ApiKeyRecord } from "../../../../accounts/accounts.ts"
import { rotatedKeyMs } from "../../../../base/limits/keys.ts"
import { listOf, record } from "../../../../wire/answer.ts"
import {
  changedKeyBody,
  keyDocument,
  keyRecord,
  madeKeyAnswer,
  newKeyBody,
  readChangedKey,
  readNewKey,
} from "../../../../wire/accounts/key-document.ts"
import { pathParameter } from "../../../shared/parameters.ts"
import { json, jsonBody, noBody, noContent, ok, route } from "../../../shared/route.ts"
import type { Call, Handler, Route, RouteDeps } from "../../../shared/route.ts"

const section = "Keys"

const list: Handler = async ({ tenant }, deps) => {
  const keys = deps.accounts.keys.list(tenant)
  return json({ keys: keys.map((key) => documentOf(key, deps)) })
}

const create: Handler = async (call, deps) => {
  const { datasourceId, ...properties } = readNewKey(call.body)
  const id = datasourceId ?? (await firstDatasource(call, deps))
  // Throws if there is no such datasource.
  await deps.records.datasources.get(call.tenant, String(id))
  const made = await deps.accounts.keys.createWith(call.tenant, id, given(properties))
  return madeAnswer(call, deps, made)
}

/** The one that came with the account. */
async function firstDatasource({ tenant }: Call, { records }: RouteDeps): Promise<number> {
  const [first] = await records.datasources.list(tenant)
  return Number(first?.id ?? 0)
}

const change: Handler = async (call, deps) => {
  const { id } = deps.accounts.keys.get(call.tenant, idOf(call))
  const changed = await deps.accounts.keys.update(call.tenant, id, given(readChangedKey(call.body)))
  return json({ key: documentOf(changed, deps) })
}

const remove: Handler = async (call, { accounts }) => {
  const { id } = accounts.keys.get(call.tenant, idOf(call))
  await accounts.keys.remove(call.tenant, id)
  return noContent
}

const rotate: Handler = async (call, deps) => {
  const { accounts } = deps
  const made = await accounts.keys.rotateWithGrace(call.tenant, idOf(call), rotatedKeyMs)
  return madeAnswer(call, deps, made)
}

function madeAnswer(
  { tenant }: Call,
  deps: RouteDeps,
  { id, key }: { readonly id: string; readonly key: string },
) {
  const document = documentOf(deps.accounts.keys.get(tenant, id), deps)
  return json({ key: document, apiKey: key }, 201)
}

function documentOf(key: ApiKeyRecord, { accounts }: RouteDeps) {
  return keyDocument(key, accounts.keyUses.lastUsedMs(key.id))
}

/** Only the fields that were sent. */
function given(fields: { readonly [Name in keyof ApiKeyChange]: ApiKeyChange[Name] | undefined }) {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(sent) as ApiKeyChange
}

function idOf({ path }: Call): string {
  return path["id"]!.toLowerCase()
}

const id = pathParameter("id", "Id of the key, as in its record")

const example = keyDocument(
  {
    id: "9f2c".padEnd(64, "0"),
    name: "Agents of the lab",
    datasourceId: 1,
    enabled: true,
    createdMs: 1_767_571_200_000,
    payloadsPerMinute: 600,
  },
  1_767_571_260_000,
)
const one = record({ key: keyRecord })
const made = {
  status: 201,
  description: "The key, shown once only",
  schema: madeKeyAnswer,
  example: { key: example, apiKey: "9f2c6b1e0d8a4c73b5e6f7a8091b2c3d" },
}

export const keyRoutes: readonly Route[] = [
  route(section, "/keys", {
    GET: {
      summary: "All API keys of the account, without the keys themselves",
      access: "administrator",
      response: ok("The oldest first", record({ keys: listOf(keyRecord) }), { keys: [example] }),
      handle: list,
    },
    POST: {
      summary: "Make an API key",
      access: "administrator",
      body: jsonBody(
        "Without `datasourceId` it belongs to the datasource that came with the account",
        newKeyBody,
        { key: { name: "first steps" } },
      ),
      response: made,
      mayMiss: true,
      handle: create,
    },
  }),
  route(section, "/keys/:id", {
    PUT: {
      summary: "Change an API key",
      access: "administrator",
      parameters: [id],
      body: jsonBody("What is absent stays; a rate of null is the server's", changedKeyBody, {
        key: { name: "Agents of the lab", enabled: true, payloadsPerMinute: 600 },
      }),
      response: ok("The key as it is now", one, { key: example }),
      handle: change,
    },
    DELETE: {
      summary: "Remove an API key: it is refused from now on",
      access: "administrator",
      parameters: [id],
      response: noBody(204, "Done"),
      handle: remove,
    },
  }),
  route(section, "/keys/:id/rotate", {
    POST: {
      summary: "Replace an API key; the old one is accepted for a day",
      access: "administrator",
      parameters: [id],
      response: made,
      handle: rotate,
    },
  }),
]

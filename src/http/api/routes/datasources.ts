/** Routes of datasources, also called integrations (spec/records §3). */

import type { Datasource } from "../../../records/integrations/datasources.ts"
import type { StoredRecord } from "../../../records/core/record-collection.ts"
import { visibleProperties } from "../../../records/secrets/secret-fields.ts"
import type { Records } from "../../../records/records.ts"
import { hiddenSecret } from "../../../records/secrets/secret-values.ts"
import {
  changedDatasourceBody,
  newDatasourceBody,
  newDatasourceListBody,
  newDatasourcesBody,
} from "../../../wire/records/datasource-body.ts"
import { either, listOf, record } from "../../../wire/answer.ts"
import { datasourceDocument, datasourceRecord } from "../../../wire/records/datasource-document.ts"
import { readRecord } from "../../../wire/records/fields.ts"
import { readFlag, readNumberId, viewerOf } from "../call-parameters.ts"
import { resourceRoutes } from "../resource.ts"
import { flagValue, idValue, pathParameter, queryParameter } from "../../shared/parameters.ts"
import { json, jsonBody, ok, type Call, type Handler, type Route } from "../../shared/route.ts"

/** An array creates all of its datasources or none, and is answered with an array. */
const create: Handler = async (call, { records }) => {
  const { body, tenant } = call
  if (!Array.isArray(body)) {
    const { dataSource } = readRecord(newDatasourceBody, body)
    const [made] = await records.datasources.create(tenant, [dataSource], () => "dataSource")
    return json({ dataSource: documentOf(made!.datasource, call, records, made!.apiKey) })
  }
  const fields = readRecord(newDatasourceListBody, body).map(({ dataSource }) => dataSource)
  const made = await records.datasources.create(tenant, fields, (i) => `[${i}].dataSource`)
  return json(
    made.map(({ datasource, apiKey }) => ({
      dataSource: documentOf(datasource, call, records, apiKey),
    })),
  )
}

/** Only a new datasource shows its `apiKey`, since the store has only a hash of it. */
function documentOf(
  stored: StoredRecord<Datasource>,
  call: Call,
  { datasources }: Records,
  apiKey: string | null = null,
) {
  const { id, body } = stored
  const { name, type, enabled, hasKey } = body
  const properties = visibleProperties(body.properties, viewerOf(call))
  const apiId = hasKey ? (apiKey ?? hiddenSecret) : null
  const lostSecrets = datasources.lostSecrets(call.tenant, stored)
  return datasourceDocument({
    id: Number(id),
    name,
    type,
    properties,
    enabled,
    apiId,
    lostSecrets,
  })
}

const example = {
  dataSource: {
    name: "Metricly AWS",
    type: "AWS",
    properties: {
      awsAuthentication: "role",
      iamRole: "arn:aws:iam::120056789012:role/Metricly-Read-Only-Role-1200567890",
      ec2Enabled: true,
    },
  },
}

const exampleRecord = datasourceDocument({
  id: 1,
  name: "Custom",
  type: "CUSTOM",
  properties: {},
  enabled: true,
  apiId: hiddenSecret,
})
const wrapped = record({ dataSource: datasourceRecord })

export const datasourceRoutes: readonly Route[] = resourceRoutes({
  path: "/datasources",
  section: "Datasources",
  id: pathParameter("id", "Id of the datasource, a whole number", { value: idValue, example: "1" }),
  names: ["dataSource", "dataSources"],
  schema: datasourceRecord,
  example: exampleRecord,
  list: {
    summary: "All datasources, those that came with the account too",
    parameters: [
      queryParameter(
        "includeElements",
        "Accepted for real clients; collectors and their elements are not recorded",
        { value: flagValue(false), example: "true" },
      ),
    ],
    returns: "`dataSources`, by id",
    run: async (call, { records }) => {
      // Only validated: the server does not record which element came through which datasource.
      readFlag(call, "includeElements", false)
      const found = await records.datasources.list(call.tenant)
      return found.map((datasource) => documentOf(datasource, call, records))
    },
  },
  ofList: {
    POST: {
      summary: "Create one datasource, or many with an array",
      access: "writer",
      body: jsonBody(
        "Values of properties are kept as texts and not validated. A type that agents send " +
          "for gets an API key of its own",
        newDatasourcesBody,
        example,
      ),
      response: ok(
        "What was created, in the form that was sent; only this answer has `apiId`",
        either([wrapped, listOf(wrapped)]),
        { dataSource: exampleRecord },
      ),
      handle: create,
    },
  },
  get: {
    summary: "One datasource",
    returns: "The datasource; secrets are hidden, and addresses from Read Only",
    run: async (call, { records }) => {
      const datasource = await records.datasources.get(call.tenant, readNumberId(call))
      return documentOf(datasource, call, records)
    },
  },
  change: {
    summary: "Change a datasource; a disabled one's API keys are refused",
    body: jsonBody(
      "What is absent stays, properties are merged; a hidden secret sent back stays." +
        " If an address leads to another origin, secrets are to be sent again",
      changedDatasourceBody,
      { dataSource: { name: "Custom", properties: { note: "agents of the lab" } } },
    ),
    returns: "The datasource as it is now",
    run: async (call, { records }) => {
      const id = readNumberId(call)
      const { dataSource } = readRecord(changedDatasourceBody, call.body)
      const changed = await records.datasources.change(call.tenant, id, dataSource)
      return documentOf(changed, call, records)
    },
  },
  remove: {
    summary: "Remove a datasource with its API keys; those of the account stay",
    returns: "Done",
    run: (call, { records }) => records.datasources.remove(call.tenant, readNumberId(call)),
  },
})

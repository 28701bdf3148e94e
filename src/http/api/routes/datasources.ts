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
import { flagParameter, numberParameter, viewerOf } from "../call-parameters.ts"
import {
  json,
  noBody,
  noContent,
  type Call,
  type Handler,
  type Parameter,
  type Route,
} from "../../shared/route.ts"
import { flagValue, idValue } from "../../shared/values.ts"

const section = "Datasources"

const idParameter: Parameter = {
  name: "id",
  in: "path",
  description: "Id of the datasource, a whole number",
  value: idValue,
  required: true,
  example: "1",
}

const list: Handler = async (call, { records }) => {
  // Read only to be judged: which element came through which datasource is not recorded.
  flagParameter(call, "includeElements", false)
  const found = await records.datasources.list(call.tenant)
  return json({ dataSources: found.map((datasource) => documentOf(datasource, call, records)) })
}

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

const get: Handler = async (call, { records }) => {
  const datasource = await records.datasources.get(call.tenant, numberParameter(call))
  return json({ dataSource: documentOf(datasource, call, records) })
}

const change: Handler = async (call, { records }) => {
  const id = numberParameter(call)
  const { dataSource } = readRecord(changedDatasourceBody, call.body)
  const changed = await records.datasources.change(call.tenant, id, dataSource)
  return json({ dataSource: documentOf(changed, call, records) })
}

const remove: Handler = async (call, { records }) => {
  await records.datasources.remove(call.tenant, numberParameter(call))
  return noContent
}

/** `apiKey` is told at the creation only: it is stored as a hash. */
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
const oneDatasource = { status: 200, schema: wrapped, example: { dataSource: exampleRecord } }

export const datasourceRoutes: readonly Route[] = [
  {
    path: "/datasources",
    section,
    operations: {
      GET: {
        summary: "All datasources, those that came with the account too",
        access: "reader",
        parameters: [
          {
            name: "includeElements",
            in: "query",
            value: flagValue(false),
            description:
              "Accepted for real clients; collectors and their elements are not recorded",
            example: "true",
          },
        ],
        response: {
          status: 200,
          description: "`dataSources`, by id",
          schema: record({ dataSources: listOf(datasourceRecord) }),
          example: { dataSources: [exampleRecord] },
        },
        handle: list,
      },
      POST: {
        summary: "Create one datasource, or many with an array",
        access: "writer",
        body: {
          kind: "json",
          description:
            "Values of properties are kept as texts and not validated. A type that agents send " +
            "for gets an API key of its own",
          schema: newDatasourcesBody,
          example,
        },
        response: {
          ...oneDatasource,
          schema: either([wrapped, listOf(wrapped)]),
          description: "What was created, in the form that was sent; `apiId` is told only here",
        },
        handle: create,
      },
    },
  },
  {
    path: "/datasources/:id",
    section,
    operations: {
      GET: {
        summary: "One datasource",
        access: "reader",
        parameters: [idParameter],
        response: {
          ...oneDatasource,
          description: "The datasource; secrets are hidden, and addresses from Read Only",
        },
        handle: get,
      },
      PUT: {
        summary: "Change a datasource; a disabled one's API keys are refused",
        access: "writer",
        parameters: [idParameter],
        body: {
          kind: "json",
          description:
            "What is absent stays, properties are merged; a hidden secret sent back stays." +
            " If an address leads to another origin, secrets are to be sent again",
          schema: changedDatasourceBody,
          example: { dataSource: { name: "Custom", properties: { note: "agents of the lab" } } },
        },
        response: { ...oneDatasource, description: "The datasource as it is now" },
        handle: change,
      },
      DELETE: {
        summary: "Remove a datasource with its API keys; those of the account stay",
        access: "writer",
        parameters: [idParameter],
        response: noBody(204, "Done"),
        handle: remove,
      },
    },
  },
]

/**
 * Ingest paths in the API description. They have no handler here, since they are served before
 * Hono (http/ingest).
 */

import { acceptedRecord } from "../../../wire/description/server-answers.ts"
import { ingestBody } from "../../../wire/description/ingest-schema.ts"
import { pathParameter } from "../../shared/parameters.ts"
import {
  jsonBody,
  type Operation,
  type Parameter,
  type DescribedRoute,
} from "../../shared/route.ts"

const example = [
  {
    id: "web-01.example.com",
    name: "web-01",
    type: "SERVER",
    tags: [{ name: "env", value: "prod" }],
    metrics: [{ id: "cpu.total.utilization", unit: "percent", type: "GAUGE" }],
    samples: [{ metricId: "cpu.total.utilization", val: 41.5 }],
  },
]

const options: Parameter = {
  name: "X-Service-Api-Options",
  in: "header",
  description:
    "Separated by commas: INJECT_TIMESTAMP gives samples without one the server's time, " +
    "SEND_RESPONSE_BODY asks for a body in the answer",
  example: "INJECT_TIMESTAMP,SEND_RESPONSE_BODY",
}

const key: Parameter = pathParameter("apiId", "API key of the datasource that sends")

const kind: Parameter = pathParameter(
  "kind",
  "Any word but events and webhook, such as infrastructure; with collectd the body may also be " +
    "the JSON of its plugin write_http; packages that come with the server " +
    "and call it compatible install with its first data",
  { example: "infrastructure" },
)

function post(parameters: readonly Parameter[]): Omit<Operation, "handle"> {
  return {
    summary: "Store elements with metrics and samples, all of them or none",
    access: "key",
    parameters,
    body: jsonBody("Elements; may be compressed with gzip, deflate or br", ingestBody, example),
    response: {
      status: 202,
      description: "On disk; with a body only if SEND_RESPONSE_BODY asks for it",
      schema: acceptedRecord,
      mayBeEmpty: true,
    },
  }
}

export const ingestRoutes: readonly DescribedRoute[] = [
  { path: "/ingest/:apiId", section: "Ingest", operations: { POST: post([key, options]) } },
  {
    path: "/ingest/:kind/:apiId",
    section: "Ingest",
    operations: { POST: post([kind, key, options]) },
  },
]

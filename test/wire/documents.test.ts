import assert from "node:assert/strict"
import { test } from "node:test"
import { defaultDefinition } from "../../src/model/element.ts"
import { elementDocument } from "../../src/wire/elements/element-document.ts"
import { metricDocument } from "../../src/wire/metric-document.ts"

const definition = {
  ...defaultDefinition,
  unit: "percent",
  tags: [{ name: "__proto__", value: "kept" }],
}
const metric = { id: "m", elementId: "e", fqn: "cpu.total", definition }

test("a metric document holds every documented field", () => {
  assert.equal(
    JSON.stringify(metricDocument(metric)),
    '{"id":"m","elementId":"e","fqn":"cpu.total","name":"cpu.total","unit":"percent","type":null,' +
      '"sparseDataStrategy":"None","dataSourceId":1,' +
      '"serviceTags":{"n.statistic":"AVG","unit":"percent"},' +
      '"netuitiveTags":{"n.statistic":"AVG","unit":"percent"},' +
      '"sourceTags":{"__proto__":"kept"},"processingFlags":{}}',
  )
})

test("a counter's document names no statistic, and no unit if none is known", () => {
  const counter = { ...metric, definition: { ...defaultDefinition, type: "COUNTER" } }
  const document = metricDocument(counter)
  assert.deepEqual(document.serviceTags, {})
  assert.equal(document.unit, "")
  assert.equal(document.type, "COUNTER")
})

test("a metric document holds the fields that are kept, in their order", () => {
  assert.deepEqual(Object.keys(metricDocument(metric, ["id", "unit"])), ["id", "unit"])
})

test("an element document holds every field of the record, its metrics without element ids", () => {
  const tags = [{ name: "env", value: "prod" }]
  const attributes = [{ name: "cpus", value: "4" }]
  const info = {
    name: "Web 1",
    type: "SERVER",
    location: null,
    tags,
    attributes,
    relations: ["db"],
    createdMs: 0,
  }
  const attributeId = (name: string) => `id of ${name}`
  const element = {
    id: "e",
    tenantId: "t",
    fqn: "web-1",
    info,
    metrics: [metric],
    attributeId,
    checkNames: [],
  }
  const { metrics, ...document } = elementDocument(element)
  assert.deepEqual(document, {
    id: "e",
    fqn: "web-1",
    name: "Web 1",
    type: "SERVER",
    location: null,
    serviceTags: {},
    netuitiveTags: {},
    sourceTags: { env: "prod" },
    attributes: [
      { id: "id of cpus", dataSourceId: 1, name: "cpus", value: "4", attributeType: "TEXT" },
    ],
    tenantId: "t",
    tags,
  })
  const { elementId: _, ...rest } = metricDocument(metric)
  assert.deepEqual(metrics, [rest])
})

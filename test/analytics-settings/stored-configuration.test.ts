import assert from "node:assert/strict"
import { test } from "node:test"
import { inPrecedenceOrder } from "../../src/analytics-settings/stored-configuration.ts"

test("inOrder() puts packages by id and their files as listed, texts and values alike", () => {
  const ofPackage = (packageId: string, position: number, configuration: unknown) => ({
    packageId,
    position,
    configuration,
  })
  const stored = [
    { id: "1", document: ofPackage("b", 0, '{"name":"b0"}') },
    { id: "2", document: ofPackage("a", 10, '{"name":"a10"}') },
    { id: "3", document: ofPackage("a", 9, { name: "a9" }) },
    { id: "4", document: { name: "bare" } },
  ]
  const found = inPrecedenceOrder(stored)
  const names = ["bare", "a9", "a10", "b0"]
  assert.deepEqual(
    found.map(({ json }) => (json() as { name: string }).name),
    names,
  )
  assert.deepEqual(
    found.map(({ text }) => text),
    names.map((name) => JSON.stringify({ name })),
  )
})

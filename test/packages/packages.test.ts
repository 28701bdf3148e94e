/** Installations: upgrade in place, changes by users stay, removal leaves nothing behind. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { ServiceError } from "../../src/base/errors.ts"
import { Packages } from "../../src/packages/packages.ts"
import { unzip } from "../../src/packages/unzip.ts"
import { ada } from "../records/test-deps.ts"
import {
  configurationFile,
  dashboardFile,
  packageArchive,
  policyFile,
} from "../support/packages/package-files.ts"
import type { PackageDraft } from "../support/packages/package-files.ts"
import { openTestPackages } from "./test-packages.ts"

const draft: PackageDraft = {
  policies: { "a.json": policyFile("A"), "b.json": policyFile("B") },
  analyticConfigurations: { "m.json": configurationFile("cpu") },
  dashboards: { "d.json": dashboardFile("D") },
}

test("an upgrade keeps id and creation time, and removes vanished assets", async () => {
  const { install, packages, records, clock, documents } = openTestPackages()
  const first = await install(draft)
  clock.advance(60_000)
  const next = { ...draft, version: "2.0.0", policies: { "b.json": policyFile("B2") } }
  const second = await install({ ...next, dashboards: {}, analyticConfigurations: {} })
  assert.equal(second.id, first.id)
  assert.equal(second.createdMs, first.createdMs)
  assert.equal(second.updatedMs, first.createdMs + 60_000)
  assert.deepEqual(
    second.policies,
    first.policies.slice(1).map(({ id }) => ({ id, name: "B2" })),
  )
  assert.deepEqual(
    (await records.policies.list(0)).map(({ body }) => body.name),
    ["B2"],
  )
  assert.deepEqual(await records.dashboards.list(ada), [])
  assert.deepEqual(await documents.list("analyticConfiguration:0"), [])
  assert.equal((await packages.list(0)).length, 1)
})

test("ids are equal after a removal, which leaves nothing behind", async () => {
  const { install, packages, records, documents } = openTestPackages()
  const before = documents.dump()
  assert.equal(before, "[]")
  const first = await install(draft)
  await packages.remove(0, first.id)
  assert.deepEqual(await packages.list(0), [])
  assert.deepEqual(await records.policies.list(0), [])
  for (const kind of ["dashboard:0", "widget:0", "widgetPlace:0", "analyticConfiguration:0"]) {
    assert.deepEqual(await documents.list(kind), [], kind)
  }
  const again = await install(draft)
  assert.deepEqual(
    [again.id, again.policies, again.dashboards],
    [first.id, first.policies, first.dashboards],
  )
  assert.equal((await records.policies.list(0)).length, 2)
  await assert.rejects(packages.remove(1, first.id), { code: "missing" })
})

test("changes by users to enabled and notifications stay, others do not", async () => {
  const { install, records, packages } = openTestPackages()
  const properties = { name: "n", address: "a@b.c" }
  const made = await records.notifications.create(0, { type: "email", properties })
  const known = Number(made.id)
  const first = await install(draft)
  const [a, b] = first.policies
  const notification = { type: "notification", id: known, notifyFrequencyMin: 60 }
  const actions = [{ type: "event", category: 3 }, notification]
  await records.policies.change(0, a!.id, { policy: { enabled: false, actions, duration: 600 } })
  await records.policies.remove(0, b!.id)
  await records.dashboards.remove(ada, first.dashboards[0]!.id)

  const category = { actions: [{ type: "event", category: 1 }] }
  const policies = { "a.json": policyFile("A2", category), "b.json": policyFile("B2") }
  const second = await install({ ...draft, policies })
  const { body } = await records.policies.get(0, a!.id)
  assert.deepEqual([body.name, body.enabled, body.duration], ["A2", false, 300])
  const shown = body.actions.map((action) =>
    action.type === "event" ? action.category : action.id,
  )
  assert.deepEqual(shown, [1, known])
  // Assets that a user removed are not created again, and not reported.
  assert.deepEqual(second.policies, [{ id: a!.id, name: "A2" }])
  assert.deepEqual(second.dashboards, [])
  await packages.remove(0, first.id)
  assert.deepEqual(await records.policies.list(0), [])
})

test("values that users did not change follow the package", async () => {
  const { install, records } = openTestPackages()
  const disabled = { policies: { "a.json": policyFile("A", { enabled: false }) } }
  const first = await install(disabled)
  await install({ policies: { "a.json": policyFile("A", { enabled: true }) } })
  assert.equal((await records.policies.get(0, first.policies[0]!.id)).body.enabled, true)
})

test("an unknown notification is omitted with a warning; a known one stays", async () => {
  const { install, records } = openTestPackages()
  const properties = { name: "n", address: "a@b.c" }
  const { id } = await records.notifications.create(0, { type: "email", properties })
  const actions = [
    { type: "notification", id: 23513 },
    { type: "notification", id: Number(id) },
  ]
  const { policies, warnings } = await install({
    policies: { "a.json": policyFile("A", { actions }) },
  })
  assert.deepEqual(warnings, [
    "policies/a.json: policy.actions[0].id: left out, since there is no notification 23513",
  ])
  const { body } = await records.policies.get(0, policies[0]!.id)
  assert.deepEqual(
    body.actions.map((action) => action.type === "notification" && action.id),
    [Number(id)],
  )
})

test("archives of one request are installed all or none", async () => {
  const { packages, archives, records, documents } = openTestPackages()
  const url = (name: string) => `https://packages.example/${name}.zip`
  archives.set(url("good"), await packageArchive({ ...draft, id: "good" }))
  archives.set(url("bad"), await packageArchive({ ...draft, id: "bad", version: "x" }))
  archives.set(url("other"), await packageArchive({ ...draft, id: "other" }))
  const before = documents.dump()
  for (const second of [url("bad"), url("none"), url("good")]) {
    await assert.rejects(packages.installUrls(ada, [url("good"), second], null), {
      code: "invalid",
    })
  }
  assert.deepEqual(await records.policies.list(0), [])
  assert.equal((await packages.list(0)).length, 0)
  assert.equal(documents.dump().replace(/\[\[?"[a-zA-Z]+:0"\],?/g, ""), before.slice(1))
  const { packages: installed } = await packages.installUrls(
    ada,
    [url("good"), url("other")],
    "a@b",
  )
  assert.deepEqual(
    installed.map(({ packageId, downloadUrl, userEmail }) => [packageId, downloadUrl, userEmail]),
    [
      ["good", url("good"), "a@b"],
      ["other", url("other"), "a@b"],
    ],
  )
})

test("an installation whose transaction fails stores nothing", async () => {
  const { install, packages, documents, records } = openTestPackages()
  documents.failAfterPuts = 0
  await assert.rejects(install(draft), /power cut/)
  documents.failAfterPuts = Infinity
  assert.deepEqual(await packages.list(0), [])
  assert.deepEqual(await records.policies.list(0), [])
})

test("the list is filtered by packageId and by version or range", async () => {
  const { install, packages, clock } = openTestPackages()
  for (const [id, version] of [
    ["a", "1.0.0"],
    ["b", "1.4.2"],
    ["c", "2.0.0-rc.1"],
  ]) {
    clock.advance(1_000)
    await install({ ...draft, id: id!, version: version! })
  }
  const ids = async (filter: Parameters<Packages["list"]>[1]) =>
    (await packages.list(0, filter)).map(({ packageId }) => packageId).join("")
  assert.equal(await ids({ version: "1.4.2" }), "b")
  assert.equal(await ids({ version: "1.4.1" }), "")
  assert.equal(await ids({ version: "^1.0.0" }), "ab")
  assert.equal(await ids({ version: "1.x" }), "ab")
  assert.equal(await ids({ version: ">=1.4.0" }), "bc")
  assert.equal(await ids({ packageId: "c" }), "c")
  await assert.rejects(packages.list(0, { version: "newest" }), /version: expected a semantic/)
})

test("all problems are reported together, with file and path", async () => {
  const { packages, documents } = openTestPackages()
  const archive = await packageArchive({
    version: "one",
    policies: { "a.json": policyFile("", { duration: 7 }), "b.json": {} },
    dashboards: { "d.json": { dashboard: { widgets: [{}] } } },
    analyticConfigurations: { "m.json": { analyticConfiguration: { type: "X" } } },
    more: { "policies/a2.json": "{", "README.md": "x" },
  })
  const error = await packages.installFile(ada, archive, null).catch((one: unknown) => one)
  assert.ok(error instanceof ServiceError && error.code === "invalid")
  const wanted = [
    /^package\.json: version: expected a semantic version/,
    /^policies\/a\.json: policy\.name: /,
    /^policies\/b\.json: policy: expected a value/,
    /^analyticConfigurations\/m\.json: analyticConfiguration\.type: expected one of ACE/,
    /^dashboards\/d\.json: dashboard\.name: /,
    /^dashboards\/d\.json: dashboard\.widgets\[0\]\.widgetType: /,
  ]
  for (const one of wanted) {
    assert.ok(
      error.problems.some((problem) => one.test(problem)),
      `${one}: ${error.problems.join("\n")}`,
    )
  }
  assert.equal(documents.dump(), "[]")
})

test("a package needs a manifest and an asset; its folder in the archive may vary", async () => {
  const { packages } = openTestPackages()
  const refused = async (archive: Uint8Array, problem: RegExp) =>
    assert.rejects(packages.read(archive), problem)
  const policies = { "a.json": policyFile("A") }
  for (const folder of ["", "pkg-dir/", "a/b/"]) {
    const more = { "__MACOSX/x": "?", "pkg.zip": "?", "HISTORY.md": "" }
    const { manifest } = await packages.read(await packageArchive({ policies, more }, folder))
    assert.equal(manifest.packageId, "test.pkg.web")
  }
  await refused(await packageArchive({}), /at least one file in one of policies/)
  const archive = await unzip(await packageArchive({ policies }, ""))
  assert.ok(archive.has("README.md"))
  await refused(
    await packageArchive({ policies, more: { "package.json": "{" } }),
    /expected JSON: /,
  )
})

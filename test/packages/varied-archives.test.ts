/**
 * Archives as other authors and other programs make them: each is installed with its effects, or
 * refused by sentences that name the file and the JSON path.
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { ServiceError } from "../../src/base/errors.ts"
import {
  problemSteps,
  readConfiguration,
} from "../../src/analytics-settings/parse-configuration.ts"
import { inPrecedenceOrder } from "../../src/analytics-settings/stored-configuration.ts"
import { ada } from "../records/test-deps.ts"
import {
  configurationFile,
  dashboardFile,
  packageFiles,
  policyFile,
  type PackageDraft,
} from "../support/packages/package-files.ts"
import { rawZip, type RawEntry } from "../support/packages/raw-zip.ts"
import { openTestPackages } from "./test-packages.ts"

const usual: PackageDraft = {
  policies: { "a.json": policyFile("A") },
  analyticConfigurations: { "m.json": configurationFile("cpu") },
  dashboards: { "d.json": dashboardFile("D") },
}

function entriesOf(draft: PackageDraft, folder = "pkg-master/"): RawEntry[] {
  return [...packageFiles(draft)].map(([name, content]) => ({ name: folder + name, content }))
}

/** The same entries with the text of one file changed. */
function edited(name: string, change: (text: string) => string, draft = usual): RawEntry[] {
  const files = packageFiles(draft)
  files.set(name, Buffer.from(change(Buffer.from(files.get(name)!).toString("utf8"))))
  return [...files].map(([path, content]) => ({ name: `pkg-master/${path}`, content }))
}

interface Effects {
  /** Names. */
  readonly policies?: readonly string[]
  readonly dashboards?: readonly string[]
  /** Entries of all configurations together. */
  readonly entries?: number
  readonly warnings?: number
}

const usualEffects = { policies: ["A"], dashboards: ["D"], entries: 1, warnings: 0 }

async function takes(what: string, entries: readonly RawEntry[], want: Effects = {}) {
  const { packages, records, documents } = openTestPackages(problemSteps)
  const installed = await packages
    .installFile(ada, rawZip(entries), null)
    .catch((error: unknown) => assert.fail(`${what}: ${(error as Error).message}`))
  const configurations = await documents.list("analyticConfiguration:0")
  const read = inPrecedenceOrder(configurations).map(
    ({ json }) => readConfiguration(json()).configuration!,
  )
  const found = {
    policies: (await records.policies.list(0)).map(({ body }) => body.name),
    dashboards: (await records.dashboards.list(ada)).map(({ body }) => body.name),
    entries: read.reduce(
      (sum, { settings, computed }) => sum + settings.length + computed.length,
      0,
    ),
    warnings: installed.warnings.length,
  }
  assert.deepEqual(found, { ...usualEffects, ...want }, what)
  return { records, read }
}

async function refuses(what: string, entries: readonly RawEntry[], ...wanted: readonly RegExp[]) {
  const { packages, records, documents } = openTestPackages(problemSteps)
  const error = await packages.installFile(ada, rawZip(entries), null).catch((one: unknown) => one)
  assert.ok(error instanceof ServiceError && error.code === "invalid", `${what}: ${String(error)}`)
  for (const one of wanted) {
    assert.ok(
      error.problems.some((problem) => one.test(problem)),
      `${what}: ${error.problems.join("\n")}`,
    )
  }
  const left = await Promise.all([
    packages.list(0),
    records.policies.list(0),
    records.dashboards.list(ada),
    documents.list("analyticConfiguration:0"),
  ])
  assert.deepEqual(left.flat(), [], what)
}

test("the package may be in any folder of the archive, next to other files", async () => {
  const folderEntries = ["pkg-master/", "pkg-master/policies/", "pkg-master/empty/"]
  const folders = folderEntries.map((name): RawEntry => ({
    name,
    method: 0,
    attributes: 0x41ed0010,
  }))
  await takes("at the root", entriesOf(usual, ""))
  await takes("folders as entries", [...folders, ...entriesOf(usual)])
  await takes("two folders deep", entriesOf(usual, "outer/pkg-1.0/"))
  const macJunk = [
    "__MACOSX/._pkg-master",
    "__MACOSX/pkg-master/._package.json",
    "pkg-master/.DS_Store",
  ]
  const junk = macJunk.map((name): RawEntry => ({ name, content: "\0\0junk" }))
  await takes("made by a Mac", [...entriesOf(usual), ...junk])
  await takes("made by a Mac, two folders deep", [...junk, ...entriesOf(usual, "a/b/")])
  const tools = [
    "HISTORY.md",
    ".travis.yml",
    "pkg.zip",
    "node_modules/x/package.json",
    "LICENSE",
    "img/logo.png",
  ]
  const others = tools.map((name): RawEntry => ({ name: `pkg-master/${name}`, content: "{" }))
  await takes("files of other tools", [...others, ...entriesOf(usual)])
  const unlisted = { name: "pkg-master/policies/draft.json", content: "no JSON" }
  await takes("a file that the manifest does not list", [...entriesOf(usual), unlisted])
  await takes(
    "names of any case and script",
    entriesOf({
      ...usual,
      policies: { "Über Last (90%) – é.JSON": policyFile("A") },
    }),
  )
  await takes(
    "README in other letters",
    edited("README.md", (text) => text).map((one) => ({
      ...one,
      name: String(one.name).replace("README.md", "readme.MD"),
    })),
  )
})

test("a file may begin with a byte order mark and end with any line end", async () => {
  for (const file of [
    "package.json",
    "policies/a.json",
    "analyticConfigurations/m.json",
    "dashboards/d.json",
  ]) {
    const pretty = (text: string): string =>
      `\ufeff${JSON.stringify(JSON.parse(text), null, "\t").replaceAll("\n", "\r\n")}\r\n`
    await takes(file, edited(file, pretty))
  }
})

test("of the manifest only id, version and one list of files are needed", async () => {
  const change = (edit: (manifest: Record<string, unknown>) => void) =>
    edited("package.json", (text) => {
      const manifest = JSON.parse(text) as Record<string, unknown>
      edit(manifest)
      return JSON.stringify(manifest)
    })
  await takes(
    "no words",
    change((one) => void (one["manifest"] = {})),
  )
  await takes(
    "no manifest at all",
    change((one) => void delete one["manifest"]),
  )
  await takes(
    "null for all words",
    change((one) => {
      one["manifest"] = {
        name: null,
        description: null,
        author: null,
        distro: null,
        compatibility: null,
        tags: null,
      }
    }),
  )
  await takes(
    "only policies",
    change((one) => {
      delete one["analyticConfigurations"]
      one["dashboards"] = null
    }),
    { dashboards: [], entries: 0 },
  )
  await takes(
    "a number as version",
    change((one) => void (one["version"] = 1.2)),
  )
  await takes(
    "an author as text",
    change((one) => {
      one["manifest"] = { author: "Ada <ada@example.com>", compatibility: "GLOBAL", tags: "a" }
    }),
  )
  await takes(
    "a relative name",
    change((one) => {
      one["policies"] = [{ data: { file: "./policies/a.json" } }]
    }),
  )
})

test("a policy may have few or all of its fields", async () => {
  const full = {
    id: "0f9c1a5e-1111-4111-8111-111111111111",
    lastUpdated: 1,
    originTenantId: "x",
    originPolicyId: null,
    description: "",
    checkCondition: null,
    eventConditions: [],
    enabled: "true",
    deleted: "false",
    anyCondition: "false",
    duration: "900",
    creatorEmail: null,
    scope: {
      elementName: "",
      elementNameExclude: null,
      elementTypes: [],
      elementType: "SERVER",
      fqnIncludes: null,
      elementTags: { team: "ops" },
      elementTagsAll: "true",
      elementAttributes: [{ id: 1, dataSourceId: 2, name: "os", value: "^Linux$" }],
    },
    conditions: [
      {
        metric: "cpu.total",
        wildcard: "",
        metricScopeTags: {},
        analytic: "actual",
        operator: ">",
        level: "90.5",
        level2: "",
        metricThresholdLevel: "",
        metricThresholdAnalytic: "",
      },
    ],
    actions: [
      { type: "event", category: "2" },
      { type: "notification", id: "23513", notifyFrequencyMin: "30", sendOnClear: "true" },
    ],
  }
  const { records } = await takes(
    "full",
    entriesOf({ ...usual, policies: { "a.json": policyFile("A", full) } }),
    { warnings: 1 },
  )
  const { body } = (await records.policies.list(0))[0]!
  assert.deepEqual(
    [body.enabled, body.duration, body.conditions[0]!.level, body.scope.elementTags],
    [true, 900, 90.5, [{ name: "team", value: "ops" }]],
  )
  assert.deepEqual(body.actions, [{ type: "event", category: 2 }])
  await takes("sparse", entriesOf({ ...usual, policies: { "a.json": { policy: { name: "A" } } } }))
  const scopes = [undefined, null, {}, { elementType: null, elementTypes: ["SERVER"] }]
  for (const scope of scopes) {
    await takes(
      JSON.stringify(scope) ?? "no scope",
      entriesOf({ ...usual, policies: { "a.json": policyFile("A", { scope }) } }),
    )
  }
})

test("a dashboard may have widgets of any kind, or none", async () => {
  const f = (what: string, more: object) =>
    takes(what, entriesOf({ ...usual, dashboards: { "d.json": dashboardFile("D", more) } }))
  await f("no widgets", { widgets: [] })
  await f("null for widgets, properties and the rest", {
    widgets: null,
    properties: null,
    layout: null,
    type: null,
  })
  const widgets = [
    {
      id: 1,
      name: null,
      widgetType: "hologram",
      properties: { depth: 3, isOn: true, list: [1, { a: null }], none: null },
    },
    { widgetType: "cpu-usage" },
  ]
  await f("kinds of a later version", {
    widgets,
    properties: { gridstackContents: [{ id: 1, x: 0 }], wrap: true },
  })
  await f("a layout that names no widget", { properties: { gridstackContents: "[]", density: "" } })
})

test("a configuration may have any format found in community packages", async () => {
  const f = async (what: string, json: unknown, entries = 1) =>
    (
      await takes(what, entriesOf({ ...usual, analyticConfigurations: { "m.json": json } }), {
        entries,
      })
    ).read[0]!
  const entry = { match: "^heart", properties: { sparseDataStrategy: "replacewithzero" } }
  const list = await f("a list", [entry, entry], 2)
  assert.equal(list.settings[0]!.settings.sparseDataStrategy, "ReplaceWithZero")
  await f("one entry", entry)
  await f("a list in the wrapper", { analyticConfiguration: [entry] })
  await f("without a type", { analyticConfiguration: { name: "x", metrics: [entry] } })
  await f("without the wrapper", { type: "METRIC_META", metrics: [entry] })
  await f(
    "without metrics",
    { analyticConfiguration: { type: "ACE", name: "x", metrics: null } },
    0,
  )
  const ace = await f("types in small letters, values as texts", {
    analyticConfiguration: {
      type: "ace",
      name: null,
      scope: {
        elementTypes: null,
        elementType: "",
        elementTags: { team: 1 },
        elementTagsAll: "false",
      },
      metrics: [{ match: "cpu", properties: { baseline: "false", correlation: "true" } }],
    },
  })
  assert.deepEqual({ ...ace.settings[0]!.settings }, { baseline: false, correlation: true })
  const meta = await f("old and new keys", {
    analyticConfiguration: {
      type: "METRIC_META",
      metrics: [
        {
          id: 4,
          parentId: null,
          configurations: [],
          match: "cpu",
          properties: {
            STATISTIC: "SUM",
            type: "GAUGE",
            validMin: "0",
            validMax: "",
            tags: { unit: "B", utilization: true, none: null },
          },
        },
      ],
    },
  })
  assert.deepEqual(
    { ...meta.settings[0]!.settings },
    {
      statistic: "sum",
      // A package may take back what no post can.
      counter: false,
      validMin: 0,
      tags: { unit: "B", utilization: "true" },
    },
  )
  const computed = (properties: object, match?: string) => ({
    analyticConfiguration: {
      type: "COMPUTED_METRIC",
      name: "c",
      metrics: [{ ...(match && { match }), properties }],
    },
  })
  await f(
    "legacy expression and for",
    computed(
      {
        fqn: "x.${1}.percent",
        for: "disk\\.(.*)\\.used",
        expression: "data['disk.${1}.used'].actual / 4",
        expressions: null,
      },
      "x",
    ),
  )
  await f("no match, the name alone", computed({ fqn: "x.y", expressions: ["${a}.actual", "0"] }))
  await f("no fqn, the match is the name", computed({ expressions: ["${a}.actual"] }, "x.y"))
})

test("unsupported content is reported with its file and JSON path", async () => {
  const json = (file: string) => (value: string) => edited(file, () => value)
  await refuses(
    "no manifest",
    [{ name: "pkg/README.md", content: "x" }],
    /^package\.json: expected it at the root or in/,
  )
  await refuses(
    "two packages",
    [...entriesOf(usual, "a/"), ...entriesOf(usual, "b/")],
    /^package\.json: .*got 2/,
  )
  await refuses(
    "no README",
    entriesOf(usual).filter(({ name }) => !String(name).endsWith(".md")),
    /^README\.md: expected/,
  )
  await refuses(
    "a comment",
    json("policies/a.json")('// why\n{"policy":{"name":"A"}}'),
    /^policies\/a\.json: expected JSON/,
  )
  await refuses(
    "a trailing comma",
    json("dashboards/d.json")('{"dashboard":{"name":"D",}}'),
    /^dashboards\/d\.json: expected JSON/,
  )
  await refuses(
    "UTF-16",
    entriesOf({ ...usual }).map((one) =>
      String(one.name).endsWith("a.json") ? { ...one, content: Buffer.from("{}", "utf16le") } : one,
    ),
    /^policies\/a\.json: /,
  )
  await refuses("an empty file", json("policies/a.json")(""), /^policies\/a\.json: expected JSON/)
  await refuses(
    "a missing file",
    entriesOf(usual).filter(({ name }) => !String(name).endsWith("m.json")),
    /^package\.json: analyticConfigurations\[0\]\.data\.file: expected a file of the package, got "analyticConfigurations\/m\.json"/,
  )
  await refuses(
    "names as texts",
    edited("package.json", (text) =>
      JSON.stringify({
        ...(JSON.parse(text) as object),
        policies: ["policies/a.json"],
      }),
    ),
    /^package\.json: policies\[0\]: expected an object/,
  )
  await refuses(
    "a policy without the wrapper",
    json("policies/a.json")('{"name":"A"}'),
    /^policies\/a\.json: policy: expected/,
  )
  const condition = { metric: "a", analytic: "forecast", operator: ">", level: "high" }
  await refuses(
    "an unknown analytic",
    entriesOf({ ...usual, policies: { "a.json": policyFile("A", { conditions: [condition] }) } }),
    /^policies\/a\.json: policy\.conditions\[0\]\.analytic: /,
    /^policies\/a\.json: policy\.conditions\[0\]\.level: /,
  )
  const action = { type: "email", address: "a@b.c" }
  await refuses(
    "an unknown action",
    entriesOf({ ...usual, policies: { "a.json": policyFile("A", { actions: [action] }) } }),
    /^policies\/a\.json: policy\.actions\[0\]/,
  )
  await refuses(
    "an expression that is none",
    entriesOf({ ...usual, analyticConfigurations: { "m.json": configurationFile("(cpu") } }),
    /^analyticConfigurations\/m\.json: analyticConfiguration\.metrics\[0\]\.match: expected a regular expression/,
  )
  await refuses(
    "a widget without a kind",
    entriesOf({ ...usual, dashboards: { "d.json": dashboardFile("D", { widgets: [{}] }) } }),
    /^dashboards\/d\.json: dashboard\.widgets\[0\]\.widgetType: /,
  )
  const broken = dashboardFile("D", { properties: { gridstackContents: "[{" } })
  await refuses(
    "a layout that is broken",
    entriesOf({ ...usual, dashboards: { "d.json": broken } }),
    /^dashboards\/d\.json: dashboard\.properties\.gridstackContents: expected a JSON array/,
  )
  await refuses(
    "an id with spaces",
    entriesOf({ ...usual, id: "my package" }),
    /^package\.json: id: expected letters/,
  )
  await refuses(
    "backslashes between folders",
    entriesOf(usual).map((one) => ({ ...one, name: String(one.name).replaceAll("/", "\\") })),
    /expected a name with \/ between folders/,
  )
})

test("an entry with an unsupported expression is omitted, never the package", async () => {
  const { install } = openTestPackages(problemSteps)
  const files = {
    "head.json": configurationFile("^(?!.*idle)cpu"),
    "inside.json": configurationFile("cpu(?!.*idle)"),
  }
  const { warnings } = await install({ analyticConfigurations: files })
  assert.equal(warnings.length, 1)
  assert.match(
    warnings[0]!,
    /^analyticConfigurations\/inside\.json: .*metrics\[0\]\.match: left out, expected/,
  )
})

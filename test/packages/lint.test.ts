/** Problems that the linter reports and an installation does not. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { lintPackage, type LintProblem } from "../../src/packages/lint.ts"
import {
  dashboardFile,
  judgeNothing,
  packageFiles,
  policyFile,
  type PackageDraft,
} from "../support/packages/package-files.ts"

const typed = { scope: { elementTypes: ["SERVER"] } }
const policies = { "a.json": policyFile("A", typed) }

function problemsOf(draft: PackageDraft): LintProblem[] {
  return lintPackage(packageFiles(draft), judgeNothing)
}

test("a policy without a type in its scope is a problem; one without a scope is a warning", () => {
  const scopes: [unknown, LintProblem["severity"] | null][] = [
    [{ elementType: "SERVER" }, null],
    [{ elementTypes: ["A", "B"], elementTagsAll: true }, null],
    [{}, "error"],
    [{ elementTypes: [] }, "error"],
    [{ elementType: null, elementTags: [{ name: "a", value: "b" }] }, "error"],
    [undefined, "warning"],
    [null, "warning"],
  ]
  for (const [scope, severity] of scopes) {
    const found = problemsOf({ policies: { "a.json": policyFile("A", { scope }) } })
    const places = found.map((one) => [one.severity, one.file, one.line, one.path])
    const wanted = [[severity, "policies/a.json", 1, "policy.scope"]]
    assert.deepEqual(places, severity === null ? [] : wanted, JSON.stringify(scope))
  }
})

test("lists of the manifest must have each file of their folder once", () => {
  const more = { "policies/b.json": "{}" }
  const [missing, ...others] = problemsOf({ policies, more })
  assert.equal(others.length, 0)
  assert.equal(missing!.path, "policies")
  assert.match(missing!.problem, /"policies\/b\.json" is missing/)
  const lists = JSON.parse(
    Buffer.from(packageFiles({ policies }).get("package.json")!).toString(),
  ) as {
    policies: unknown[]
  }
  lists.policies.push(lists.policies[0])
  const twice = problemsOf({ policies, more: { "package.json": JSON.stringify(lists) } })
  assert.deepEqual(
    twice.map(({ path, problem }) => [path, /a file once/.test(problem)]),
    [["policies[1].data.file", true]],
  )
})

test("a layout must have each widget of its dashboard once, and nothing else", () => {
  const place = (id: string) => ({ id, x: 0, y: 0, width: 6, height: 9 })
  const widget = (id: string, name: string) => ({ id, name, widgetType: "events" })
  const problems = (widgets: object[], gridstackContents: unknown) => {
    const board = dashboardFile("D", { widgets, properties: { gridstackContents } })
    return problemsOf({ policies, dashboards: { "d.json": board } }).map((one) => one.problem)
  }
  const two = [widget("1", "A"), widget("2", "B")]
  const both = JSON.stringify([place("1"), place("2")])
  assert.deepEqual(problems(two, both), [])
  assert.match(problems([two[0]!, widget("2", "A")], both).join(), /once, got "A" again/)
  assert.match(problems(two, JSON.stringify([place("1")])).join(), /a position of the widget "2"/)
  const third = JSON.stringify([place("1"), place("2"), place("3")])
  assert.match(problems(two, third).join(), /expected ids of widgets, got "3"/)
  for (const none of [undefined, "", "[{", "{}"]) {
    assert.match(problems(two, none).join(), /a JSON array of positions/, String(none))
  }
})

test("any address may be set for downloads", () => {
  const manifest = { distro: { logo: null, download: "https://packages.example/mine.zip" } }
  assert.deepEqual(problemsOf({ policies, manifest }), [])
})

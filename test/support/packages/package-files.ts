/** Packages of the tests' own making: small, and shaped as those of the field. */

import type { Cooperative } from "../../../src/base/cooperative.ts"
import type { ConfigurationReport } from "../../../src/packages/content.ts"
import { zipOf } from "../../../src/packages/zip.ts"

export type Lists = Readonly<Record<string, unknown>>

export const condition = { metric: "cpu.total", analytic: "actual", operator: ">", level: 90 }

export function policyFile(name: string, more: object = {}): object {
  const actions = [{ type: "event", category: 3 }]
  return { policy: { name, conditions: [condition], actions, duration: 300, ...more } }
}

export function dashboardFile(name: string, more: object = {}): object {
  const widgets = [{ id: "w1", name: "CPU", widgetType: "single-metric", properties: { a: "b" } }]
  const gridstackContents = JSON.stringify([{ id: "w1", x: 0, y: 0, width: 6, height: 9 }])
  return {
    dashboard: { name, private: false, widgets, properties: { gridstackContents }, ...more },
  }
}

export function configurationFile(match: string): object {
  const metrics = [{ match, properties: { tags: { unit: "percent" }, validMax: 100 } }]
  return { analyticConfiguration: { type: "METRIC_META", name: "M", scope: {}, metrics } }
}

/** For tests that are not about configurations: nothing is wrong with any. */
export function* judgeNothing(): Cooperative<ConfigurationReport> {
  yield
  return { problems: [], warnings: [] }
}

export interface PackageDraft {
  readonly id?: string
  readonly version?: string
  readonly manifest?: object
  readonly policies?: Lists
  readonly analyticConfigurations?: Lists
  readonly dashboards?: Lists
  /** Other files, or files in place of what the rest makes. */
  readonly more?: Readonly<Record<string, string>>
}

/** Files of a package by name; lists are by file name without folder. */
export function packageFiles(draft: PackageDraft): Map<string, Uint8Array> {
  const { id = "test.pkg.web", version = "1.0.0", manifest, more = {} } = draft
  const lists = { policies: {}, analyticConfigurations: {}, dashboards: {}, ...listsOf(draft) }
  const texts = new Map<string, string>([["README.md", "# A package of the tests\n"]])
  const manifestLists: Record<string, unknown> = {}
  for (const [folder, files] of Object.entries(lists)) {
    const names = Object.keys(files).map((name) => `${folder}/${name}`)
    manifestLists[folder] = names.map((file) => {
      return { data: { file, encoding: "application/json", content: null } }
    })
    for (const [name, value] of Object.entries(files)) {
      texts.set(`${folder}/${name}`, JSON.stringify(value))
    }
  }
  const author = { name: "Tests", email: "tests@example.com" }
  const words = { name: "Test", description: "D", author, compatibility: [], tags: [], ...manifest }
  texts.set("package.json", JSON.stringify({ id, version, manifest: words, ...manifestLists }))
  for (const [name, text] of Object.entries(more)) texts.set(name, text)
  return new Map([...texts].map(([name, text]) => [name, Buffer.from(text)]))
}

function listsOf({ policies, analyticConfigurations, dashboards }: PackageDraft) {
  return {
    ...(policies && { policies }),
    ...(analyticConfigurations && { analyticConfigurations }),
    ...(dashboards && { dashboards }),
  }
}

/** An archive of a package, in a folder of its own as those of the field have it. */
export function packageArchive(draft: PackageDraft, folder = "pkg-master/"): Promise<Uint8Array> {
  const files = [...packageFiles(draft)].map(([name, bytes]) => [folder + name, bytes] as const)
  return zipOf(new Map(files))
}

export const boundary = "tidegauge"

/** A form with one part, as curl sends it. */
export function formWith(bytes: Uint8Array, name = "file"): Buffer {
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"; filename="pkg.zip"`,
    "Content-Type: application/zip",
    "",
    "",
  ].join("\r\n")
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

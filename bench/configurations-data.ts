/** Configurations and metrics as those of the public packages, as many as are asked for. */

import type { AnalyticConfiguration } from "../src/analytics-settings/configuration.ts"
import { readConfiguration } from "../src/analytics-settings/parse-configuration.ts"
import type { ElementInfo } from "../src/model/element.ts"

/** Products that a large installation watches: each has packages and a type of element. */
export const productCount = 30

const words = ["cpu", "memory", "disk", "network", "queue", "latency", "requests", "errors"]

function typeOf(at: number): string {
  return `TYPE${at % productCount}`
}

/** Half by type alone, some by a metric that must be there, some by tags or name, a few for all. */
function scopeOf(at: number): object {
  const kind = at % 20
  if (kind === 0) return {}
  if (kind === 1) return { elementName: `^host-${at}` }
  if (kind < 5) return { elementTags: [{ name: "team", value: `^team${at % 50}$` }] }
  if (kind < 10) return { elementType: typeOf(at), metricMatches: `product${at % productCount}\\.` }
  return { elementTypes: [typeOf(at), typeOf(at + 1)] }
}

/** Seventeen entries: names, names with a star or two, alternatives, a few without any literal. */
function entriesOf(product: string): object[] {
  const entry = (match: string, properties: object): object => ({ match, properties })
  const units = words.map((word) =>
    entry(`${product}\\.${word}\\..*percent`, { tags: { unit: "percent" }, validMax: 100 }),
  )
  const names = words.map((word) =>
    entry(`${product}.${word}.total`, { statistic: "sum", sparseDataStrategy: "ReplaceWithZero" }),
  )
  const either = entry(`^${product}\\.(disk|network)\\.[^.]+\\.(in|out)$`, { type: "COUNTER" })
  return [...units, ...names, either]
}

/** `isSame` makes all of them copies of one file, for every element. */
export function settingsJson(count: number, isSame: boolean): object[] {
  return Array.from({ length: count }, (_, at) => {
    const metrics = entriesOf(`product${isSame ? 0 : at % productCount}`)
    const scope = isSame ? {} : scopeOf(at)
    return { analyticConfiguration: { type: "METRIC_META", name: `meta ${at}`, scope, metrics } }
  })
}

export function settingsConfigurations(count: number, isSame: boolean): AnalyticConfiguration[] {
  return settingsJson(count, isSame).map(read)
}

/** Five entries each: a ratio of two metrics, one a capture, one of what is computed, a sum. */
export function computedConfigurations(count: number): AnalyticConfiguration[] {
  return Array.from({ length: count }, (_, at) => {
    const product = `product${at % productCount}`
    const entry = (name: string, expressions: readonly string[], capture?: string): object => {
      const fqn = `computed${at}.${name}`
      return { match: fqn, properties: { fqn, expressions, ...(capture && { capture }) } }
    }
    const total = `\${${product}.requests.total}.actual`
    const errors = `\${${product}.errors.total}.actual`
    const metrics = [
      entry("errors", [`100 * ${errors} / ${total}`, "0"]),
      entry("rate", [`${total} / 300.0`]),
      entry(
        "${1}.used",
        [`100 - \${${product}.\${1}.percent}.actual`],
        `^${product}.(.*).percent$`,
      ),
      entry("worst", [`max(computed${at}[.].*[.]used)`]),
      entry("legacy", [`data['${product}.cpu.total'] ? data['${product}.cpu.total'].avg : 0`]),
    ]
    // All elements of the bench are of few types, so that many configurations are for each.
    const file = { type: "COMPUTED_METRIC", name: `${at}`, scope: {}, metrics }
    return read({ analyticConfiguration: file })
  })
}

function read(json: object): AnalyticConfiguration {
  const { configuration, problems } = readConfiguration(json)
  if (configuration === null) throw new Error(problems.join("\n"))
  return configuration
}

/** Names of one element's metrics; `at` makes some of them its own, as disks and networks do. */
export function metricFqns(product: number, count: number, at: number): string[] {
  const kinds = [
    (word: string) => `product${product}.${word}.total`,
    (word: string) => `product${product}.${word}.percent`,
    (word: string, i: number) => `product${product}.${word}.part${at}-${i}.percent`,
    (word: string, i: number) => `product${product}.${word}.part${at}-${i}.in`,
    (word: string, i: number) => `other.${word}.part${at}-${i}.value`,
  ]
  return Array.from({ length: count }, (_, i) => {
    const word = words[i % words.length]!
    return kinds[Math.floor(i / words.length) % kinds.length]!(word, i)
  })
}

export function elementInfo(at: number): ElementInfo {
  return {
    name: `host-${at}`,
    type: typeOf(at),
    location: null,
    tags: [{ name: "team", value: `team${at % 50}` }],
    attributes: [{ name: "cpus", value: "4" }],
    relations: [],
    createdMs: 0,
  }
}

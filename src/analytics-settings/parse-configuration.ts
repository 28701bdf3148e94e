/**
 * Parses and validates the JSON of an analytic configuration.
 *
 *   {"analyticConfiguration": {"type", "name", "scope": {…}, "metrics": [{"match", "properties"}]}}
 *   [{"match", "properties": {"sparseDataStrategy"}}]        a METRIC_META for every element
 *
 * Unknown fields are ignored; null and "" count as absent.
 */

import { entriesPerConfigurationMax } from "../base/limits.ts"
import { runSync, type Cooperative } from "../base/cooperative.ts"
import type { NameValue } from "../model/element.ts"
import { readComputed } from "./parse-computed-entry.ts"
import {
  configurationTypes,
  type AnalyticConfiguration,
  type ConfigurationScope,
  type ConfigurationType,
  type SettingsEntry,
} from "./configuration.ts"
import { isObject, isScalar } from "../base/json-value.ts"
import { ConfigFieldReader, ConfigProblems } from "./field-readers.ts"
import { expressionProblem, needsBacktracking } from "./lookahead.ts"
import { readSettings } from "./parse-settings.ts"

export interface ReadConfiguration {
  /** Null if there are problems. */
  readonly configuration: AnalyticConfiguration | null
  /** Sentences that begin with the JSON path, such as `analyticConfiguration.metrics[3].match`. */
  readonly problems: readonly string[]
  /** Omitted parts, likewise. */
  readonly warnings: readonly string[]
}

/** Parses the value of a package's file, or one that was accepted before. */
export function readConfiguration(json: unknown): ReadConfiguration {
  return runSync(readingSteps(json))
}

/** Problems and warnings only, in the same steps. */
export function* problemSteps(
  json: unknown,
): Cooperative<Omit<ReadConfiguration, "configuration">> {
  const { problems, warnings } = yield* readingSteps(json)
  return { problems, warnings }
}

/** `readConfiguration` in steps, one for each entry: validating an expression may take 0.5 ms. */
export function* readingSteps(json: unknown): Cooperative<ReadConfiguration> {
  const findings = new ConfigProblems()
  const configuration = yield* readAny(json, findings)
  const { problems, warnings } = findings
  return { configuration: problems.length === 0 ? configuration : null, problems, warnings }
}

function* readAny(
  json: unknown,
  findings: ConfigProblems,
): Cooperative<AnalyticConfiguration | null> {
  if (Array.isArray(json)) return yield* readMetaList(json, "", findings)
  if (!isObject(json)) {
    findings.add("(file)", "an object with analyticConfiguration, or a list of entries", json)
    return null
  }
  const inner = json.analyticConfiguration ?? json
  const path = inner === json ? "" : "analyticConfiguration"
  if (Array.isArray(inner)) return yield* readMetaList(inner, path, findings)
  if (!isObject(inner)) {
    findings.add(path, "an object", inner)
    return null
  }
  if (inner === json && !("type" in json) && "match" in json) {
    return yield* readMetaList([json], path, findings)
  }
  return yield* readWhole(new ConfigFieldReader(inner, path, findings), findings)
}

function* readMetaList(
  list: readonly unknown[],
  path: string,
  findings: ConfigProblems,
): Cooperative<AnalyticConfiguration> {
  const settings = yield* readEntries(list, path, findings, readSettingsEntry)
  return { type: "METRIC_META", name: "", scope: everything, settings, computed: [] }
}

const everything: ConfigurationScope = {
  elementTypes: [],
  metricMatches: null,
  elementName: null,
  elementTags: [],
  elementTagsAll: true,
}

/** If a part of the scope is omitted, entries are dropped: they would match unintended elements. */
function* readWhole(
  fields: ConfigFieldReader,
  findings: ConfigProblems,
): Cooperative<AnalyticConfiguration | null> {
  const type = readType(fields)
  const warnings = findings.warnings.length
  const scope = readScope(fields, findings)
  const isScopeWhole = findings.warnings.length === warnings
  const list = fields.value("metrics") ?? []
  if (!Array.isArray(list)) {
    fields.reject("metrics", "a list of entries with match and properties")
    return null
  }
  if (type === undefined) return null
  const isComputed = type === "COMPUTED_METRIC"
  const path = fields.pathOf("metrics")
  const name = fields.text("name") ?? ""
  if (isComputed) {
    const computed = yield* readEntries(list, path, findings, readComputed)
    return { type, name, scope, settings: [], computed: isScopeWhole ? computed : [] }
  }
  const settings = yield* readEntries(list, path, findings, readSettingsEntry)
  return { type, name, scope, settings: isScopeWhole ? settings : [], computed: [] }
}

function readType(fields: ConfigFieldReader): ConfigurationType | undefined {
  const text = fields.text("type")
  const known = configurationTypes.find((one) => one === text?.toUpperCase())
  // A configuration without a type is a named list.
  if (text === undefined && fields.value("metrics") !== undefined) return "METRIC_META"
  return known ?? fields.reject("type", `one of ${configurationTypes.join(", ")}`)
}

type ReadEntry<T> = (fields: ConfigFieldReader, findings: ConfigProblems) => T | undefined

function* readEntries<T>(
  list: readonly unknown[],
  path: string,
  findings: ConfigProblems,
  read: ReadEntry<T>,
): Cooperative<T[]> {
  if (list.length > entriesPerConfigurationMax) {
    const expected = `at most ${entriesPerConfigurationMax} entries`
    findings.add(path || "(file)", expected, list.length)
    return []
  }
  const entries: T[] = []
  for (const [i, entry] of list.entries()) {
    const at = `${path}[${i}]`
    if (isObject(entry)) {
      const one = read(new ConfigFieldReader(entry, at, findings), findings)
      if (one !== undefined) entries.push(one)
    } else findings.add(at, "an object with match and properties", entry)
    yield
  }
  return entries
}

function readSettingsEntry(
  fields: ConfigFieldReader,
  findings: ConfigProblems,
): SettingsEntry | undefined {
  const match = fields.pattern("match")
  if (match === undefined && fields.value("match") === undefined) {
    fields.reject("match", "a regular expression")
  }
  const settings = readSettings(
    new ConfigFieldReader(fields.child("properties") ?? {}, fields.pathOf("properties"), findings),
  )
  return match === undefined ? undefined : { match, settings }
}

function readScope(parent: ConfigFieldReader, findings: ConfigProblems): ConfigurationScope {
  const fields = new ConfigFieldReader(
    parent.child("scope") ?? {},
    parent.pathOf("scope"),
    findings,
  )
  const one = fields.text("elementType")
  return {
    elementTypes: [...(one === undefined ? [] : [one]), ...fields.texts("elementTypes")],
    metricMatches: fields.pattern("metricMatches") ?? null,
    elementName: fields.text("elementName") ?? null,
    elementTags: readScopeTags(fields, findings),
    elementTagsAll: fields.boolean("elementTagsAll") ?? true,
  }
}

/** `[{name, value}]`, or the map of older packages. */
function readScopeTags(fields: ConfigFieldReader, findings: ConfigProblems): readonly NameValue[] {
  const said = fields.value("elementTags")
  if (said === undefined) return []
  const path = fields.pathOf("elementTags")
  if (isObject(said)) return Object.entries(said).flatMap((pair) => mapTag(pair, path, findings))
  if (!Array.isArray(said)) {
    fields.reject("elementTags", "a list of tags with name and value")
    return []
  }
  return said.flatMap((tag: unknown, i) => {
    const at = `${path}[${i}]`
    if (!isObject(tag)) {
      findings.add(at, "a tag with name and value", tag)
      return []
    }
    const tagFields = new ConfigFieldReader(tag, at, findings)
    const name = tagFields.pattern("name")
    if (tagFields.value("name") === undefined) tagFields.reject("name", "a regular expression")
    return name === undefined ? [] : [{ name, value: tagFields.pattern("value") ?? "" }]
  })
}

function mapTag(
  [name, value]: [string, unknown],
  path: string,
  findings: ConfigProblems,
): NameValue[] {
  const at = `${path}.${name}`
  const text = String(value)
  const problem = isScalar(value) ? (expressionProblem(name) ?? expressionProblem(text)) : ""
  if (problem === null) return [{ name, value: text }]
  if (isScalar(value) && [name, text].some(needsBacktracking)) findings.addOmission(at, value)
  else findings.add(at, `a regular expression${problem && ` (${problem})`}`, value)
  return []
}

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { AnalyticConfiguration } from "../../src/analytics-settings/configuration.ts"
import { ConfigurationSet } from "../../src/analytics-settings/configuration-set.ts"
import { requiredLiterals } from "../../src/analytics-settings/literal-prefilter.ts"
import { readConfiguration } from "../../src/analytics-settings/parse-configuration.ts"
import type { ElementInfo } from "../../src/model/element.ts"
import type { MetricSettings } from "../../src/model/metric-settings.ts"

function infoOf(type: string, say: Partial<ElementInfo> = {}): ElementInfo {
  const none = { location: null, tags: [], attributes: [], relations: [], createdMs: 0 }
  return { name: "web", type, ...none, ...say }
}

function subjectOf(info: ElementInfo, metricFqns: readonly string[]) {
  const metricFqn = (at: number): string => metricFqns[at]!
  return { fqn: "web-1", info, metricCount: metricFqns.length, metricFqn }
}

function read(json: unknown): AnalyticConfiguration {
  const { configuration, problems } = readConfiguration(json)
  assert.deepEqual(problems, [])
  return configuration!
}

const names = ["cpu.idle", "cpu.total.idle", "net.rx", "net.rx_rate", "Disk.a.used", "x"]
const match = fc.constantFrom(
  "cpu",
  "cpu\\..*",
  "cpu.(total|x).idle",
  "net.rx",
  "net.rx_rate",
  "^net[.]rx$",
  "disk\\..*\\.used",
  ".*",
  "idle|used",
  "(?:net|cpu)+.r?x*",
  "\\w+[.]\\w+",
)
const settings: fc.Arbitrary<MetricSettings> = fc
  .record(
    {
      validMax: fc.constantFrom(1, 2),
      baseline: fc.boolean(),
      tags: fc.constantFrom({ unit: "s" }, { unit: "b", utilization: "true" }),
    },
    { requiredKeys: [] },
  )
  .map((one) => ({ ...one }))
const configuration: fc.Arbitrary<AnalyticConfiguration> = fc.record({
  type: fc.constant("METRIC_META" as const),
  name: fc.constant("c"),
  scope: fc.record({
    elementTypes: fc.constantFrom([], ["SERVER"], ["db", "server"], ["DB"]),
    metricMatches: fc.constantFrom(null, "^cpu", "(net|disk)", "nothing"),
    elementName: fc.constantFrom(null, "we", "db"),
    elementTags: fc.constant([]),
    elementTagsAll: fc.constant(true),
  }),
  settings: fc.array(fc.record({ match, settings }), { maxLength: 5 }),
  computed: fc.constant([]),
})

/** All of it by trying everything. */
function naive(all: readonly AnalyticConfiguration[], known: readonly string[], fqn: string) {
  const byRank: MetricSettings[][] = [[], [], []]
  for (const { scope, settings: entries } of all) {
    const types = scope.elementTypes.map((type) => type.toUpperCase())
    if (types.length > 0 && !types.includes("SERVER")) continue
    if (scope.elementName !== null && !new RegExp(scope.elementName, "i").test("web")) continue
    const needed = scope.metricMatches
    if (needed !== null && !known.some((one) => new RegExp(needed, "i").test(one))) continue
    const nameOf = (text: string): string => text.replace(/[\^$\\[\]]/g, "").toLowerCase()
    const isPlain = (text: string): boolean => /^[\w.]+$/.test(nameOf(text)) && !/\\w/.test(text)
    const isExact = (text: string): boolean => isPlain(text) && nameOf(text) === fqn.toLowerCase()
    const found = entries.filter((entry) => new RegExp(entry.match, "i").test(fqn))
    for (const entry of found) {
      const isWhole = new RegExp(`^(?:${entry.match})$`, "i").test(fqn)
      const rank = isExact(entry.match) ? 2 : isWhole ? 1 : 0
      const isNamed = found.some((other) => isExact(other.match))
      if (rank === 0 && isPlain(entry.match) && isNamed) continue
      byRank[rank]!.push(entry.settings)
    }
  }
  const list = byRank.flat()
  const tags = Object.assign({}, ...list.map((one) => one.tags ?? {})) as object
  const merged = Object.assign({}, ...list) as MetricSettings
  const all_ = Object.keys(tags).length === 0 ? merged : { ...merged, tags }
  return Object.keys(all_).length === 0 ? undefined : all_
}

const everyElement = {
  elementTypes: [],
  metricMatches: null,
  elementName: null,
  elementTags: [],
  elementTagsAll: true,
}

test("ConfigurationSet: gives the settings of trying every entry, whatever is cached", () => {
  fc.assert(
    fc.property(
      fc.array(configuration, { maxLength: 6 }),
      fc.shuffledSubarray(names, { minLength: 1 }),
      (all, known) => {
        const set = ConfigurationSet.of(all)
        const info = infoOf("Server")
        for (let count = 1; count <= known.length; count++) {
          const sofar = known.slice(0, count)
          for (const fqn of sofar) {
            const got = set.settingsOf(subjectOf(info, sofar), fqn)
            assert.deepEqual(got === undefined ? got : { ...got }, naive(all, sofar, fqn))
            assert.equal(got, set.settingsOf(subjectOf(info, sofar), fqn))
          }
        }
      },
    ),
  )
})

test("literalsNeeded: a text that matches holds one of each set", () => {
  const piece = fc.constantFrom(
    "cpu",
    "net",
    "a",
    "\\.",
    ".",
    "[.]",
    "[^x]",
    "(ab|c)",
    "(?:x)?",
    "b*",
    "c+",
    "d{2}",
    "|",
    "\\d",
  )
  const text = fc.array(fc.constantFrom("cpu", "net", "a", ".", "ab", "c", "x", "dd", "7"))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), text, (pieces, parts) => {
      const [pattern, given] = [pieces.join(""), parts.join("")]
      if (pattern.includes("*+") || !new RegExp(pattern, "i").test(given)) return
      for (const set of requiredLiterals(pattern)) {
        assert.ok(
          set.some((one) => given.includes(one)),
          `${pattern} ${given}`,
        )
      }
    }),
    { numRuns: 2000 },
  )
  assert.deepEqual(requiredLiterals("^(cpu\\.total\\.|diskspace\\.).*"), [
    ["cpu.total.", "diskspace."],
  ])
})

test("ConfigurationSet: a listed name does not get the settings of a shorter listed name", () => {
  // As in the public Kubernetes package.
  const pod = read({
    analyticConfiguration: {
      type: "METRIC_META",
      scope: { elementType: "Pod", elementTags: null },
      metrics: [
        { match: "network.rx", properties: { type: "COUNTER", validMin: 0 } },
        { match: "network.rx_rate", properties: { validMin: 0, tags: { utilization: true } } },
      ],
    },
  })
  const set = ConfigurationSet.of([pod])
  const subject = subjectOf(infoOf("Pod"), ["network.rx"])
  assert.deepEqual({ ...set.settingsOf(subject, "network.rx") }, { counter: true, validMin: 0 })
  const rate = { validMin: 0, tags: { utilization: "true" } }
  assert.deepEqual({ ...set.settingsOf(subject, "network.rx_rate") }, rate)
  assert.equal(set.settingsOf(subject, "network.rx_x")?.counter, true)
  assert.equal(set.settingsOf(subjectOf(infoOf("Node"), []), "network.rx"), undefined)
})

test("readConfiguration: a type makes a counter, and one that wraps, or takes both back", () => {
  const f = (type: string, want: MetricSettings) => {
    const subject = subjectOf(infoOf("any"), [])
    const set = ConfigurationSet.of([read([{ match: "^a$", properties: { type } }])])
    assert.deepEqual({ ...set.settingsOf(subject, "a") }, want)
  }
  f("counter", { counter: true })
  f("WRAPPING_COUNTER", { counter: true, wraps: true })
  f("GAUGE", { counter: false })
})

test("readConfiguration: problems name the path; the list form is for every element", () => {
  const wrong = {
    analyticConfiguration: {
      type: "METRIC_META",
      scope: { metricMatches: "(" },
      metrics: [
        { match: "a", properties: { validMax: "x", STATISTIC: "most" } },
        { properties: {} },
      ],
    },
  }
  const paths = readConfiguration(wrong).problems.map((problem) => problem.split(":")[0])
  assert.deepEqual(paths, [
    "analyticConfiguration.scope.metricMatches",
    "analyticConfiguration.metrics[0].properties.STATISTIC",
    "analyticConfiguration.metrics[0].properties.validMax",
    "analyticConfiguration.metrics[1].match",
  ])
  const list = read([{ match: "beat", properties: { sparseDataStrategy: "ReplaceWithZero" } }])
  const subject = subjectOf(infoOf("any"), [])
  const settings = ConfigurationSet.of([list]).settingsOf(subject, "heart.beat")
  assert.equal(settings?.sparseDataStrategy, "ReplaceWithZero")
  const computed = { expression: "${a}.actual +", for: "x", fqn: "b.${1}" }
  const { problems } = readConfiguration({
    type: "COMPUTED_METRIC",
    metrics: [{ match: "b", properties: computed }],
  })
  assert.match(
    problems[0]!,
    /^metrics\[0\]\.properties\.expression: Expected a number.*position 14/,
  )
  assert.match(
    problems[1]!,
    /^metrics\[0\]\.properties\.capture: expected .* group that \$\{1\} names/,
  )
})

test("ConfigurationSet: letters beyond ASCII are distinguished, and match ignoring case", () => {
  const settings = [{ match: "Größe", settings: { validMax: 1 } }]
  const scope = everyElement
  const set = ConfigurationSet.of([
    { type: "METRIC_META", name: "c", scope, settings, computed: [] },
  ])
  const of = (fqn: string) => set.settingsOf(subjectOf(infoOf("SERVER"), [fqn]), fqn)?.validMax
  assert.equal(of("GRÖSSE.x größe.y"), 1)
  assert.equal(of("disk.GRÖßE"), 1)
  // The same low seven bits as ö and ß have.
  assert.equal(of("gr\u0176\u005fe"), undefined)
  assert.equal(of("grv_e"), undefined)
})

/**
 * Generated bodies: JSON text composed by hand, so that white space, order of keys and forms of
 * numbers vary more than in any serialiser. There are few names, so that posts overlap.
 */

import * as fc from "fast-check"
import { nowMs } from "./reading.ts"

const text = (...options: string[]): fc.Arbitrary<string> => fc.constantFrom(...options)

const space = fc.oneof(
  { weight: 12, arbitrary: fc.constant("") },
  { weight: 2, arbitrary: text(" ", "\n", "\t", "\r\n  ") },
)

const plainNumber = fc.oneof(
  text("0", "1", "25.37", "-3", "350000", "0.5", "12345678.25", "999999999.9", "2147483648", "1e5"),
  text(
    "-0",
    "9007199254740993",
    "0.30000000000000004",
    "5e-324",
    "1E-7",
    "123456789012345678",
    "0e7",
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  fc.integer().map(String),
)
const oddNumber = text(
  '"12.0"',
  '"1e3"',
  '" 5"',
  '"+5"',
  '".5"',
  "null",
  '""',
  "true",
  '"x"',
  "{}",
  "[1]",
  "1e999",

  "01",
  "1.",
  "-",
  "+1",
  "NaN",
  "1e",
  '"1e999"',
  '"-0"',
  '"0x1"',
  "1.5e+3",
  "1e-400",
  '"1',
  "--1",
)
/** Values for which samples are left out, and similar ones. */
const noObservation = fc.oneof(
  {
    weight: 10,
    arbitrary: text(
      "NaN",
      "Infinity",
      "-Infinity",
      '"NaN"',
      '"Infinity"',
      '"-Infinity"',
      "null",
      "{}",
      "[1]",
      '{"bin_10":3,"bin_20":{"a":[{}]}}',
      '[{"a":"}]"}]',
    ),
  },
  {
    weight: 1,
    arbitrary: text(
      '" NaN"',
      '""',
      '"nan"',
      "-NaN",
      "+Infinity",
      "NaNs",
      "Infinit",
      '"Infinity',
      '{"a":NaN}',
      '{"a":}',
      "[NaN]",
      '{"ä":"\\ud800"}',
      "[".repeat(28) + "]".repeat(28),
      "[".repeat(29) + "]".repeat(29),
    ),
  },
)
const number = fc.oneof(
  { weight: 40, arbitrary: plainNumber },
  { weight: 5, arbitrary: noObservation },
  { weight: 1, arbitrary: oddNumber },
)

const timestamp = fc.oneof(
  { weight: 30, arbitrary: text(`${nowMs}`, `${nowMs - 60_000}`) },
  { weight: 9, arbitrary: text('"2026-11-21T00:00:00Z"', '"2026-11-20T23:59:00.123+0000"') },
  {
    weight: 1,
    arbitrary: text(`"${nowMs}"`, `${nowMs}.5`, '"2026-11-21T02:00:00+02"', "1.7952192e12"),
  },
  {
    weight: 1,
    arbitrary: text(
      "null",
      '""',
      `${nowMs / 1000}`,
      "0",
      "-1",
      '"now"',
      "true",
      "{}",
      "1e30",
      "NaN",
    ),
  },
)

const metricId = fc.oneof(
  { weight: 30, arbitrary: text('"cpu"', '"mem.used"', '"disk_1"') },
  {
    weight: 1,
    arbitrary: text('"c/pu"', '"disk 1"', '"\\u0063pu"', '"cpü"', "7", '"new"', '""', "null"),
  },
)

/** An object's text: members in the given or another order, with random white space. */
function object(
  members: Record<string, fc.Arbitrary<string>>,
  optional: Record<string, fc.Arbitrary<string>>,
): fc.Arbitrary<string> {
  return fc
    .record(
      {
        members: fc.record({ ...members, ...optional }, { requiredKeys: Object.keys(members) }),
        order: fc.oneof(
          { weight: 3, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.nat(5) },
        ),
        space,
      },
      { noNullPrototype: true },
    )
    .map(({ members: values, order, space: s }) => {
      const entries = Object.entries(values).filter(([, value]) => value !== undefined)
      const turned = [...entries.slice(order), ...entries.slice(0, order)]
      const inner = turned.map(([key, value]) => `${s}"${key}"${s}:${s}${value}${s}`)
      return `{${inner.join(",")}}`
    })
}

function list(items: fc.Arbitrary<string>, max: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(items, { maxLength: max }), space)
    .map(([all, s]) => `[${s}${all.join(`,${s}`)}${s}]`)
}

const plainOrOdd = fc.oneof(
  { weight: 30, arbitrary: plainNumber },
  { weight: 1, arbitrary: noObservation },
)
const plainSample = fc
  .tuple(text("cpu", "mem.used", "disk_1"), text(`${nowMs}`, `${nowMs - 1000}`), plainOrOdd)
  .map(([id, time, value]) => `{"metricId":"${id}","timestamp":${time},"val":${value}}`)

const freeSample = object(
  { metricId, timestamp },
  { val: number, min: number, max: number, avg: number, sum: number, cnt: number, host: number },
)
const fullSample = object(
  { metricId, timestamp, val: plainNumber, min: number, max: number, avg: number },
  { sum: number, cnt: text("1", "3", "0", "-1", "2.5", "NaN", "null", "{}") },
)
const brokenSample = text(
  "null",
  "5",
  "{}",
  "[]",
  `{"metricId":"cpu","val":1}`,
  `{"timestamp":${nowMs},"val":1}`,

  `{"metricId":"cpu","timestamp":${nowMs},"val":1,"val":2}`,
  `{"metricId":"cpu","timestamp":${nowMs},"val":NaN,"val":2}`,
  `{"metricId":"cpu","timestamp":${nowMs},"v\\u0061l":NaN}`,
  `{"metricId":"cpu","timestamp":${nowMs},"val":1,NaN:2}`,
  `{"metricId":NaN,"timestamp":${nowMs},"val":1}`,
  `{"metricId":"/","timestamp":${nowMs},"val":NaN}`,
  `{"metricId":"cpu","timestamp":${nowMs},"value":1}`,
  `{"metricId":"cpu","v\\u0061l":1}`,

  `{"metricId":"cpu","timestamp":${nowMs},"val":1,"__proto__":{"val":3}}`,
  `{"metricId":"cpu",}`,
)
const samples = fc.oneof(
  { weight: 10, arbitrary: list(plainSample, 6) },
  { weight: 6, arbitrary: list(freeSample, 3) },
  { weight: 3, arbitrary: list(fullSample, 3) },
  { weight: 1, arbitrary: list(fc.oneof(plainSample, brokenSample), 3) },
)

const pairs = fc.oneof(
  text('[{"name":"env","value":"prod"}]', '[{"name":"env","value":"dev"}]', "[]", "null"),
  text('{"a":1}', '[{"name":"ram bytes","value":17},{"name":"x","value":null}]', '[{"value":1}]'),
)
const metric = object(
  { id: text('"cpu"', '"mem.used"', '"disk_1"', '"disk 1"') },
  {
    unit: text('"percent"', '""', "null"),
    type: text('"COUNTER"', '"GAUGE"', '""'),
    sparseDataStrategy: text('"None"', '"ReplaceWithZero"', '"?"'),
    tags: pairs,
  },
)
const metrics = fc.oneof(
  {
    weight: 4,
    arbitrary: text('[{"id":"cpu","unit":"percent"},{"id":"mem.used","type":"COUNTER"}]'),
  },
  { weight: 2, arbitrary: list(metric, 3) },
  { weight: 1, arbitrary: text("null", "[]", "{}", '""') },
)

const id = fc.oneof(
  { weight: 30, arbitrary: text('"srv-1"', '"srv-2"', '"srv 2"') },
  { weight: 1, arbitrary: text('"srv/-1"', '"s\\u0072v-1"', '"ä"', "42", "null", '""') },
)
const members = { metrics, samples, type: text('"SERVER"', '"DB"', '""', "null") }
const element = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(text("srv-1", "srv-2", "srv-3"), samples)
      .map(([name, all]) => `{"id":"${name}","type":"SERVER","samples":${all}}`),
  },
  {
    weight: 4,
    arbitrary: object({ id, ...members }, { tags: pairs, location: text('"eü"', '"eu"') }),
  },
  {
    weight: 3,
    arbitrary: object({ attributes: pairs, id, ...members }, { name: text('"n"', '"\\ud800"') }),
  },
  {
    weight: 1,
    arbitrary: text(
      "null",
      "{}",
      '{"id":"srv-1"}',
      '{"id":"srv-1","samples":null}',
      '{"id":"srv-1","samples":5}',

      '{"id":"srv-1","samples":[],"samples":[1]}',
      '{"id":"srv-1","name":NaN,"samples":[]}',
      '{"id":"srv-1","samples":NaN}',
      '{"id":"srv-1","x":[{"val":NaN}],"samples":[]}',
      '{"id":"srv-1","sampl\\u0065s":[1],"samples":[]}',

      '{"id":"srv-1","id":"srv-2","samples":[]}',
      '{"id":"srv-1","x":{"samples":[1]},"samples":[]}',
    ),
  },
)

/** The text of one body. */
export const bodyText = list(element, 3)

const steadyValue = fc.oneof(
  plainNumber,
  fc.nat(99_999).map((n) => `${n / 100}`),
)
const steadyOrOdd = fc.oneof(
  { weight: 9, arbitrary: steadyValue },
  { weight: 1, arbitrary: noObservation },
)
const seldomOdd = fc.oneof(
  { weight: 60, arbitrary: steadyValue },
  { weight: 1, arbitrary: noObservation },
)
const steadySample = fc.tuple(
  fc.nat(4),
  fc.constantFrom(0, 0, 0, 0, 60_000, 123_456),
  steadyOrOdd,
  fc.constantFrom("", "", "", "", " ", ',"host":"x"', ',"cnt":3', ',"sum":6,"cnt":3'),
)

/** Elements that share one metrics section and send plain samples, mostly in one order. */
export const steadyText: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.nat(3), fc.array(steadySample, { maxLength: 12 }), fc.boolean()), {
    minLength: 1,
    maxLength: 4,
  })
  .map((elements) => {
    const section = Array.from({ length: 5 }, (_, i) => `{"id":"metric.${i}","unit":"s"}`).join(",")
    const texts = elements.map(([name, all, inOrder]) => {
      const steady = all.map(([metric, age, value, more], i) => {
        const id = `metric.${inOrder ? i % 5 : metric}`
        return `{"metricId":"${id}","timestamp":${nowMs - age},"val":${value}${more}}`
      })
      return `{"id":"srv-${name}","metrics":[${section}],"samples":[${steady.join(",")}],"tags":[]}`
    })
    return `[${texts.join(",")}]`
  })

/** A metric of most posts, one with a short life, or an unusual one. */
const comingMetric = fc.oneof(
  { weight: 12, arbitrary: fc.nat(3).map((n) => `{"id":"metric.${n}","unit":"s"}`) },
  { weight: 6, arbitrary: fc.nat(40).map((n) => `{"id":"pod.${n}","unit":"s"}`) },
  { weight: 1, arbitrary: fc.nat(9).map((n) => `{"unit":"b}]","id":"pod/${n}","x":[{"a":1}]}`) },
  {
    weight: 1,
    arbitrary: text(
      '{"id":"metric.0","unit":"ms"}',
      '{"id":"metric.1","type":"COUNTER","tags":[{"name":"a","value":"b"}]}',
      '{"id":"p\\u006fd.1","unit":"s"}',
      '{"id":"pod.2","unit":"s",}',
      '{"id":"pod.3","unit":{}}',
      '{"id":"","unit":"s"}',
      '{"id":"pöd.4","unit":"ü"}',
      "null",
      "7",
      '"id"',
    ),
  },
)

const comingPost = fc.record({
  id: fc.constantFrom("srv-1", "srv-1", "srv-1", "srv-2", "srv 2", "srv_2"),
  changes: fc.array(fc.tuple(fc.nat(5), comingMetric), { maxLength: 2 }),
  silent: fc.nat(8),
  value: seldomOdd,
})

/**
 * Consecutive bodies of elements with short-lived metrics: each post has the metrics of the
 * previous one except for a few. Occasionally an element occurs twice in a body, declares a metric
 * twice or has two lists of metrics.
 */
export const comingTexts: fc.Arbitrary<readonly string[]> = fc
  .record({
    bodies: fc.array(fc.array(comingPost, { minLength: 1, maxLength: 2 }), {
      minLength: 4,
      maxLength: 20,
    }),
    first: fc.constantFrom('{"id":"metric.0","unit":"s"}', '{"id":"metric.5","unit":"ms"}'),
    space: fc.constantFrom("", " ", "\n  "),
    tail: fc.constantFrom("", "", "", ',"metrics":[{"id":"metric.4","unit":"s"}]'),
  })
  .map(({ bodies, first, space: s, tail }) => {
    const sections = new Map<string, string[]>()
    return bodies.map((posts) => {
      const texts = posts.map(({ id, changes, silent, value }) => {
        const section = sections.get(id) ?? [first, ...comingBase]
        for (const [place, one] of changes) section[place] = one
        sections.set(id, section)
        const samples = section
          .map((one) => /"id":"([^"]*)"/.exec(one)?.[1] ?? "metric.9")
          .filter((_, i) => i !== silent)
          .map((name) => `{"metricId":"${name}","timestamp":${nowMs},${s}"val":${value}}`)
        const metrics = `[${s}${section.join(`,${s}`)}${s}]`
        return `{"id":"${id}",${s}"metrics":${metrics},"samples":[${samples.join(",")}]${tail}}`
      })
      return `[${texts.join(",")}]`
    })
  })

const comingBase = [1, 2, 3, 4, 5].map((n) => `{"id":"metric.${n}","unit":"s"}`)

const fleetSections = [
  ...[3, 5].map((count) => {
    const metrics = Array.from({ length: count }, (_, n) => `{"id":"metric.${n}","unit":"s"}`)
    return `[${metrics.join(",")}]`
  }),
  '[{"id":"metric.0"},{"id":"metric.1","unit":"ü","tags":[{"name":"a","value":"b"}]}]',
  '[{"id":"metric.0","unit":"a"},{"id":"metric.0","unit":"b"}]',
  '[{"id":"m\\u0065tric.0","unit":"\\ud800"}]',
  '[{"id":"metric.0","unit":{}}]',
]

const fleetPost = fc.record({
  host: fc.oneof({ weight: 5, arbitrary: fc.nat(80) }, { weight: 1, arbitrary: fc.nat(2) }),
  section: fc.oneof(
    { weight: 12, arbitrary: fc.nat(1) },
    { weight: 1, arbitrary: fc.nat(fleetSections.length - 1) },
  ),
  before: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom("", '"type":"SERVER",', '"name":"\\u00fc",') },
    { weight: 1, arbitrary: text('"metrics":[{"id":"early"}],', '"metrics":7,', '"type":{},') },
  ),
  behind: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom("", ',"tags":[{"name":"a","value":"b"}]') },
    {
      weight: 1,
      arbitrary: text(
        ',"metrics":[{"id":"late"}]',
        ',"metri\\u0063s":[{"id":"late"}]',
        ',"metrics":[]',
        ',"metrics":7',
        ',"tags":[{"name":"metrics","value":"1"}]',
        ',"tags":7',
      ),
    },
  ),
  samples: fc.array(fc.tuple(fc.nat(6), seldomOdd), { maxLength: 6 }),
})

/** Consecutive bodies of a fleet in which most posts are of new elements. */
export const fleetTexts: fc.Arbitrary<readonly string[]> = fc
  .array(fc.array(fleetPost, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 20 })
  .map((bodies) =>
    bodies.map((posts) => {
      const texts = posts.map(({ host, section, before, behind, samples }) => {
        const all = samples.map(([metric, value]) => {
          return `{"metricId":"metric.${metric}","timestamp":${nowMs},"val":${value}}`
        })
        const said = `${before}"metrics":${fleetSections[section]}`
        return `{"id":"srv-${host}",${said},"samples":[${all.join(",")}]${behind}}`
      })
      return `[${texts.join(",")}]`
    }),
  )

/** A change to the bytes of a body. */
export type Mutation =
  | { readonly kind: "none" }
  | { readonly kind: "flip"; readonly at: number; readonly bit: number }
  | { readonly kind: "cut"; readonly at: number }
  | { readonly kind: "drop"; readonly at: number; readonly length: number }
  | { readonly kind: "insert"; readonly at: number; readonly bytes: Uint8Array }

const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: "none" as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("flip" as const), at, bit: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cut" as const), at }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("drop" as const), at, length: fc.nat(4) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("insert" as const),
      at,
      bytes: fc.oneof(
        fc
          .constantFrom('"', "0", "}", ",", " ", "\\", "\0", "é", "e1", "-", "null")
          .map(Buffer.from),
        fc.uint8Array({ minLength: 1, maxLength: 3 }),
      ),
    }),
  },
)

export function mutated(body: Uint8Array, change: Mutation): Uint8Array {
  if (change.kind === "none") return body
  const position = Math.floor(change.at * body.length)
  switch (change.kind) {
    case "flip": {
      const copy = Uint8Array.from(body)
      if (copy.length > 0) copy[position]! ^= 1 << change.bit
      return copy
    }
    case "cut":
      return body.slice(0, position)
    case "drop":
      return Buffer.concat([body.subarray(0, position), body.subarray(position + change.length)])
    case "insert":
      return Buffer.concat([body.subarray(0, position), change.bytes, body.subarray(position)])
  }
}

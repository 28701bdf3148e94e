/** Where hostile input begins: bodies that mean something, and pieces that have broken parsers. */

/** 2026-11-21T00:00:00Z */
export const nowMs = 1_795_219_200_000

const sample = (members: object = {}) => ({ metricId: "cpu", timestamp: nowMs, val: 1, ...members })
const body = (...elements: object[]) => JSON.stringify(elements)

/** Bodies that a server takes, as agents of the field write them. */
export const ingestBodies: readonly Buffer[] = [
  body({ id: "srv-1", type: "SERVER", samples: [sample(), sample({ metricId: "mem", val: 2.5 })] }),
  body({ id: "srv-1", samples: [sample({ timestamp: "2026-11-21T00:00:00.000+0000" })] }),
  body({ id: "srv 2", samples: [sample({ val: "12.0", min: 0, max: 2, avg: 1, sum: 3, cnt: 3 })] }),
  body({
    id: "srv-3",
    name: "Zürich 😀",
    tags: [{ name: "env", value: "prod" }],
    attributes: { ram: 17, on: true },
    relations: [{ fqn: "srv-1" }, "srv 2"],
    metrics: [{ id: "cpu", unit: "percent", type: "COUNTER", sparseDataStrategy: "None" }],
    samples: [sample({ val: null, avg: -1e-7 })],
  }),
  JSON.stringify([{ id: "a", samples: null, metrics: [] }, { id: "b" }], null, 2),
  `\ufeff${body({ id: "srv-1", samples: [sample()] })}\n`.replace(
    '"val":1',
    '"val":9007199254740993',
  ),
  body({ samples: Array.from({ length: 30 }, (_, i) => sample({ val: i })), id: "long" }),
  "[]",
].map((text) => Buffer.from(text))

export const queryBodies: readonly Buffer[] = [
  "{}",
  JSON.stringify({
    startDate: "2026-11-20",
    endDate: nowMs,
    page: 0,
    pageSize: 10,
    sort: { field: "fqn", order: "asc", missing: "_last" },
    sourceFilter: { includes: ["fqn"], excludes: [] },
    elementTypes: { and: false, items: [{ item: "SERVER", literal: true, contains: true }] },
    metricFqns: {
      and: true,
      items: [{ item: "c.*u", literal: false, contains: true, queryType: "WILDCARD" }],
      nestedItems: [{ and: false, items: [{ item: "cpu", literal: true, contains: false }] }],
    },
  }),
  JSON.stringify(["srv-1", "0123", 7, null]),
].map((text) => Buffer.from(text))

/** Instants and durations of queries and samples. */
export const times: readonly Buffer[] = [
  "2026-11-21T00:00:00Z",
  "2026-11-20T23:59:60.123456789+01:00",
  "20261121",
  `${nowMs}`,
  "-0.0e+0",
  "PT30m",
  "P1Y2M3W4DT5H6M7.5S",
  "9999-12-31T23:59:59,9-2359",
].map((text) => Buffer.from(text))

/** Names to be cleaned. */
export const names: readonly Buffer[] = ["a.b-c_d", "disk 1/used%", "Zürich", "\0\u2028 ", ""].map(
  (text) => Buffer.from(text),
)

const latin = (text: string) => Buffer.from(text, "latin1")

/** Inserted anywhere. */
export const tokens: readonly Buffer[] = [
  "1e999",
  "-1e999",
  "-0",
  "9007199254740993",
  "1e-400",
  "0.1e1",
  "01",
  "NaN",
  "-",
  "1.",
  "+1",
  "null",
  "true",
  '""',
  "{}",
  "[]",
  "[[[[",
  "{{",
  "}]",
  ",",
  ":",
  '"',
  "\\",
  "//",
  "/**/",
  '"__proto__":{"val":3},',
  '"constructor":1,',
  '"toString":null,',
  '"id":"x",',
  '"val":1,',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  "\\u0061",
  '"hasOwnProperty":{},',
  "1e308",
  "\0",
  "\ufeff",
  "\u2028",
  "é",
  "😀",
  " ",
  "\t",
  "\r\n",
  "%00",
  "+00:00",
  "T24:00",
  "60",
].map((text) => Buffer.from(text))
export const bytes: readonly Buffer[] = [
  // Overlong forms of NUL, slash and quote; half a character; bytes that UTF-8 never has.
  latin("\xc0\x80"),
  latin("\xc0\xaf"),
  latin("\xe0\x80\xa2"),
  latin("\xf0\x82\x82\xac"),
  latin("\xed\xa0\x80"),
  latin("\xe2\x82"),
  latin("\xff\xfe"),
  latin("\xfe\xff"),
  latin("\x80"),
]

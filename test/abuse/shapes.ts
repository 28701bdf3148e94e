/** Bodies of 100 kB, each made to be slow, deep or large somewhere. */

import { Reading } from "../ingest/reading.ts"
import { nowMs } from "./corpus.ts"

const size = 100_000

const filled = (piece: string, head = "", tail = ""): string =>
  head + piece.repeat(Math.ceil((size - head.length - tail.length) / piece.length)) + tail

const listOf = (item: (i: number) => string, head: string, tail: string): string => {
  const items: string[] = []
  for (let length = 0, i = 0; length < size; i++)
    length += items[items.push(item(i)) - 1]!.length + 1
  return head + items.join(",") + tail
}

const sample = (id: string, val: string | number) =>
  `{"metricId":"${id}","timestamp":${nowMs},"val":${val}}`
const inSamples = ['[{"id":"a","samples":[', "]}]"] as const
const inElement = ['[{"id":"a",', "}]"] as const

/** By name: a body, of which none may take as long as `plainBodiesMax` plain ones. */
export const slowShapes: Readonly<Record<string, string | Buffer>> = {
  "open arrays": filled("["),
  "open objects": filled('{"a":'),
  "arrays in a member": filled("[", '[{"id":"a","x":'),
  "closing brackets": filled("]"),
  quotes: filled('"'),
  backslashes: filled("\\", '["'),
  "escaped quotes": filled('\\"', '["', '"]'),
  "unicode escapes": filled("\\ud800", '[{"id":"a","name":"', '"}]'),
  "escapes in an id": filled("\\u0061", '[{"id":"', '"}]'),
  spaces: filled(" ", "[", "]"),
  commas: filled(",", "[", "]"),
  NUL: Buffer.alloc(size),
  "high bytes": Buffer.alloc(size, 0xff),
  "overlong slashes": Buffer.from(filled("\xc0\xaf", '[{"id":"', '"}]'), "latin1"),
  "digits of a value": filled("9", '[{"id":"a","samples":[{"metricId":"m","val":', "}]}]"),
  "digits of a text": filled("9", '[{"id":"a","samples":[{"metricId":"m","val":"', '"}]}]'),
  "digits of a timestamp": filled("1", '[{"id":"a","samples":[{"val":1,"timestamp":"', '"}]}]'),
  "digits of a fraction": filled("3", '[{"id":"a","samples":[{"metricId":"m","val":0.', "}]}]"),
  "digits of an exponent": filled("0", '[{"id":"a","samples":[{"metricId":"m","val":1e', "1}]}]"),
  "spaces in a number": filled(" ", '[{"id":"a","samples":[{"metricId":"m","val":"1', 'x"}]}]'),
  "letters of a timestamp": filled("Z", '[{"id":"a","samples":[{"timestamp":"2026', '"}]}]'),
  "a zone name": filled("E", '[{"id":"a","samples":[{"timestamp":"2026-11-21T00:00 ', '"}]}]'),
  "an id of spaces": filled(" ", '[{"id":"', '"}]'),
  "an id of nothing": filled("é", '[{"id":"', '"}]'),
  "equal keys": filled('"id":"a",', "[{", '"id":"b"}]'),
  "numeric keys": listOf((i) => `"${i * 7919}":1`, '[{"id":"a",', "}]"),
  "keys of __proto__": filled('"__proto__":{},', "[{", '"id":"b"}]'),
  "new series": listOf((i) => sample(`m${i}`, i), ...inSamples),
  "one series": listOf((i) => sample("m", i), ...inSamples),
  "samples that are wrong": listOf(() => sample("m", "true"), ...inSamples),
  "samples that are no objects": listOf(() => "1", ...inSamples),
  "empty samples": listOf(() => "{}", ...inSamples),
  "samples with long wrong values": listOf(() => sample("m", `"${"x".repeat(900)}"`), ...inSamples),
  elements: listOf((i) => `{"id":"e${i}"}`, "[", "]"),
  "one element many times": listOf(() => '{"id":"e","tags":[{"name":"a"}]}', "[", "]"),
  "elements that are wrong": listOf(() => "0", "[", "]"),
  "metrics with tags": listOf(
    (i) => `{"id":"m${i}","tags":{"a":${i}}}`,
    '[{"id":"a","metrics":[',
    "]}]",
  ),
  "one metric many times": listOf(
    (i) => `{"id":"m","unit":"${i}"}`,
    '[{"id":"a","metrics":[',
    "]}]",
  ),
  tags: listOf((i) => `{"name":"t${i}","value":1}`, `${inElement[0]}"tags":[`, `]${inElement[1]}`),
  attributes: listOf((i) => `"a${i}":1`, `${inElement[0]}"attributes":{`, `}${inElement[1]}`),
  relations: listOf((i) => `"r${i}"`, `${inElement[0]}"relations":[`, `]${inElement[1]}`),
  "elements that add relations": listOf(
    (i) => `{"id":"e","relations":["r${2 * (i % 128)}","r${2 * (i % 128) + 1}"]}`,
    "[",
    "]",
  ),
  "a metric that changes": listOf(
    (i) => `{"id":"e","metrics":[{"id":"m","tags":{"t${i % 256}":${i}}}]}`,
    "[",
    "]",
  ),
  "elements that add tags": listOf(
    (i) => `{"id":"e","tags":{"t${i % 256}":${i}},"attributes":{"a${i % 256}":${i}}}`,
    "[",
    "]",
  ),
}

/** Samples as agents send them. */
const plainBody = Buffer.from(slowShapes["one series"]!)
/** Of the shapes, elements that add tags to each other take as long as 12. */
export const plainBodiesMax = 25

/** Plain bodies that one reader reads in the time of `ms`, measured now: a ratio, on any machine. */
export function plainBodiesIn(ms: number): number {
  return ms / leastMs(() => void new Reading().read(plainBody))
}

/**
 * The least of several attempts: what the work takes once it is compiled, without other work of the
 * machine.
 */
export function leastMs(work: () => void, attempts = 5): number {
  let least = Infinity
  for (let attempt = 0; attempt < attempts; attempt++) {
    const startedMs = performance.now()
    work()
    least = Math.min(least, performance.now() - startedMs)
  }
  return least
}

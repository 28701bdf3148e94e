import assert from "node:assert/strict"
import { test } from "node:test"
import * as fc from "fast-check"
import { cleanFqn } from "../../src/model/fqn.ts"
import { hostFqn, metricFqn, type Label } from "../../src/ingest/labels/label-fqn.ts"
import { element, nowMs, Reading } from "./reading.ts"

const list = (members: object = {}) => ({
  values: [10, 20],
  dstypes: ["derive", "derive"],
  dsnames: ["rx", "tx"],
  time: nowMs / 1000 - 10.25,
  interval: 10,
  host: "web-01",
  plugin: "interface",
  plugin_instance: "eth0",
  type: "if_octets",
  type_instance: "",
  ...members,
})
const gauge = (members: object = {}) =>
  list({ values: [5], dstypes: ["gauge"], dsnames: ["value"], ...members })

function read(body: unknown) {
  const reading = new Reading()
  const outcome = reading.read(body, { isCollectd: true })
  return { reading, outcome, samples: reading.samples(), catalogue: reading.catalogue }
}

test("value lists of collectd become samples of the element of their host", () => {
  const { outcome, samples, catalogue } = read([
    list(),
    gauge({ plugin: "load", plugin_instance: "", type: "load" }),
    list({ host: "db.example.org", time: nowMs / 1000 }),
  ])
  assert.deepEqual(outcome, { ok: true, elements: 2, samples: 5 })
  const rx = "collectd_interface_if_octets_rx_total.interface-eth0"
  const tx = "collectd_interface_if_octets_tx_total.interface-eth0"
  const at = { timeMs: nowMs - 10_250, request: 0 }
  assert.deepEqual(samples.slice(0, 3), [
    { element: "web-01", metric: rx, value: 10, ...at },
    { element: "web-01", metric: tx, value: 20, ...at },
    { element: "web-01", metric: "collectd_load", value: 5, ...at },
  ])
  assert.deepEqual([samples[3]!.element, samples[3]!.timeMs], ["db.example.org", nowMs])
  const { name, type } = catalogue.elementInfo(0)
  assert.deepEqual([name, type], ["web-01", "SERVER"])
  assert.deepEqual(catalogue.seriesDefinition(0).type, "COUNTER")
  assert.deepEqual(catalogue.seriesDefinition(0).tags, [{ name: "interface", value: "eth0" }])
  assert.deepEqual(catalogue.seriesDefinition(2).type, "GAUGE")
})

test("metrics have the names of collectd's write_prometheus", () => {
  const f = (members: object, want: string) => {
    const { samples } = read([gauge(members)])
    assert.deepEqual(
      samples.map(({ metric }) => metric),
      [want],
    )
  }
  f(
    { plugin: "cpu", plugin_instance: "0", type: "cpu", type_instance: "idle" },
    "collectd_cpu.cpu-0.type-idle",
  )
  f(
    { plugin: "memory", plugin_instance: "", type: "memory", type_instance: "used" },
    "collectd_memory.memory-used",
  )
  f(
    { plugin: "memory", plugin_instance: null, type: "memory", type_instance: null },
    "collectd_memory",
  )
  f({ dstypes: ["counter"] }, "collectd_interface_if_octets_total.interface-eth0")
  f({ dstypes: ["absolute"], plugin_instance: "1.5" }, "collectd_interface_if_octets.interface-1.5")
  f({ dsnames: ["longterm"] }, "collectd_interface_if_octets_longterm.interface-eth0")
  // These names are stored: a different name would be a different metric.
  f(
    { plugin: "df", plugin_instance: "/srv", type: "df_complex", type_instance: "free" },
    "collectd_df_df_complex.df-_srv.type-free.8e1c5e1695bd",
  )
  f({ plugin: "my-plugin" }, "collectd_my-plugin_if_octets.my-plugin-eth0.7e8299200296")
})

test("DERIVE is a counter that is reset, COUNTER one that wraps, the others are gauges", () => {
  const f = (dstype: string, want: string) => {
    const { catalogue } = read([gauge({ dstypes: [dstype] })])
    assert.equal(catalogue.seriesDefinition(0).type, want)
  }
  f("derive", "COUNTER")
  f("counter", "WRAPPING_COUNTER")
  f("gauge", "GAUGE")
  f("absolute", "GAUGE")
})

test("hosts become elements; a name that is not reversible ends in a hash", () => {
  const f = (host: string, want: string) => assert.equal(hostFqn(host), want)
  f("web-01.example.org", "web-01.example.org")
  f("web-01:9100", "web-01_9100")
  f("my_host", "my_host.8a2efe65904a")
  f("ö/x", "__x.ae9736e2aca7")
})

test("no two label sets have one name, and every name is an FQN", () => {
  const text = fc.oneof(
    fc.constantFrom("a", "b", "a-b", "a.b", "1", "1.5", "type", "a_b", "/", "_"),
    fc.string({ minLength: 1, maxLength: 4 }),
    fc.string({ minLength: 500, maxLength: 600 }),
  )
  const labels = fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name, maxLength: 3 })
  const set = fc.tuple(text, labels)
  const keyOf = ([name, pairs]: [string, Label[]]) =>
    JSON.stringify([name, pairs.toSorted(([a], [b]) => (a < b ? -1 : 1))])
  fc.assert(
    fc.property(set, set, (one, other) => {
      const [left, right] = [metricFqn(...one), metricFqn(...other)]
      assert.equal(left === right, keyOf(one) === keyOf(other))
      assert.equal(metricFqn(one[0], one[1].toReversed()), left)
      assert.equal(cleanFqn(left), left)
      assert.ok(left.length <= 512)
    }),
    { numRuns: 2_000 },
  )
})

test("values without an observation are left out, and create no metric", () => {
  const { outcome, samples, catalogue } = read([
    list({ values: [null, 7] }),
    gauge({ host: "silent", values: ["NaN"] }),
    gauge({ values: [{}], plugin_instance: "eth1" }),
  ])
  assert.ok(outcome.ok)
  assert.deepEqual([outcome.elements, outcome.samples, samples.length], [1, 1, 1])
  const rx = "collectd_interface_if_octets_rx_total.interface-eth0"
  const eth1 = "collectd_interface_if_octets.interface-eth1"
  assert.deepEqual(outcome.leftOut, {
    total: 3,
    counts: [1, 0, 1, 1],
    warnings: [
      `Value list 0 of "web-01", metric "${rx}": null is no observation`,
      `Value list 1 of "silent", metric "collectd_interface_if_octets.interface-eth0": ` +
        "NaN is no observation",
      `Value list 2 of "web-01", metric "${eth1}": {} is no observation`,
    ],
  })
  assert.deepEqual([catalogue.elementCount, catalogue.seriesCount], [1, 1])
})

test("invalid value lists are reported, and the valid ones are stored", () => {
  const f = (bad: unknown, want: RegExp) => {
    const { outcome, samples } = read([gauge(), bad])
    assert.ok(outcome.ok, JSON.stringify(bad))
    assert.equal(samples.length, 1)
    assert.equal(outcome.refused?.errors.length, 1)
    assert.match(outcome.refused.errors[0]!, want)
    const alone = read([{ ...gauge(), time: 1 }, bad]).outcome
    assert.ok(!alone.ok)
    assert.equal(alone.errors.length, 2)
  }
  f(null, /^Value list 1: null is no value list$/)
  f(gauge({ host: "" }), /host "" is not a text/)
  f(gauge({ plugin: undefined }), /Missing required field 'plugin'/)
  f(gauge({ type: 7 }), /type 7 is not a text/)
  f(gauge({ type_instance: {} }), /type_instance {} is not a text/)
  f(gauge({ host: "x".repeat(5000) }), /host ".*…? is not a text/)
  f(gauge({ time: "now" }), /time "now": expected epoch seconds/)
  f(gauge({ time: nowMs }), /lies outside the accepted period/)
  f(gauge({ values: 5 }), /values 5 is not a list/)
  f(gauge({ values: [1, 2] }), /2 values, 1 dsnames and 1 dstypes/)
  f(gauge({ dsnames: [1] }), /dsnames \[1\] is not a list of texts/)
  f(gauge({ dstypes: ["x"] }), /dstypes \["x"\]: expected gauge, derive, counter, absolute/)
  f(gauge({ values: [true] }), /value true of "value" is not a finite number/)
  f({ labels: { alertname: "x" }, annotations: {} }, /Missing required field 'host'/)
})

test("the data of another collector about a host are kept", () => {
  const reading = new Reading()
  reading.read([{ id: "web-01", name: "Web", type: "VM" }])
  reading.read([{ id: "db-01" }])
  const both = [gauge(), gauge({ host: "db-01" })]
  assert.ok(reading.read(both, { isCollectd: true }).ok)
  const infos = [0, 1].map((element) => reading.catalogue.elementInfo(element))
  assert.deepEqual(
    infos.map(({ name, type }) => [name, type]),
    [
      ["Web", "VM"],
      ["db-01", "SERVER"],
    ],
  )
})

test("collectd's path accepts the service's own JSON, too; other paths refuse value lists", () => {
  const reading = new Reading()
  assert.ok(reading.read([element()], { isCollectd: true }).ok)
  assert.ok(reading.read([], { isCollectd: true }).ok)
  const { outcome } = read([{ id: null, ...gauge() }])
  assert.ok(!outcome.ok)
  assert.match(outcome.errors[0]!, /Missing required field 'id'/)
  assert.ok(!reading.read([gauge()]).ok)
  assert.deepEqual([reading.reader.scannedBodies, reading.columns.count], [2, 1])
})

test("cardinality limits and INJECT_TIMESTAMP apply as to the service's own JSON", () => {
  const limited = new Reading({
    cardinality: { seriesMax: 1, newSeriesPerMinuteMax: 9, textBytesMax: 1e9 },
  })
  const outcome = limited.read([list()], { isCollectd: true })
  assert.ok(!outcome.ok)
  assert.equal(outcome.detail, "Series Limit Exceeded")
  assert.equal(limited.columns.count, 0)
  assert.ok(limited.read([gauge()], { isCollectd: true }).ok)
  const inPart = limited.read([gauge(), list(), { host: "" }], { isCollectd: true })
  assert.ok(inPart.ok)
  assert.deepEqual([inPart.samples, inPart.refused?.detail], [1, "Series Limit Exceeded"])
  assert.match(inPart.refused!.errors.join(), /new series to 1 known.*Value list 2: host ""/)
  const injected = new Reading()
  injected.read([gauge({ time: 7 })], { isCollectd: true, injectTimestamp: true })
  assert.equal(injected.samples()[0]!.timeMs, nowMs)
})

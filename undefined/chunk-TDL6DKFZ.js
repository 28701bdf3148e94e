import {
  parseSimulatedTime
} from "./chunk-S7IU6GVY.js";
import {
  cycleMs,
  dayMs
} from "./chunk-WSUH7ILY.js";
import {
  assert
} from "./chunk-YBJXGIGP.js";

// src/command/demo-metrics.ts
var still = { daily: 0, spike: 0, noise: 0.1, max: Infinity, decimals: 2 };
var demoMetrics = [
  gauge("cpu.total.utilization", "percent", 22, { daily: 1.2, spike: 1.5, max: 100 }),
  gauge("cpu.total.user", "percent", 14, { daily: 1.3, spike: 1.5, max: 100 }),
  gauge("cpu.total.system", "percent", 6, { daily: 1, spike: 1, max: 100 }),
  gauge("cpu.total.iowait", "percent", 1.5, { noise: 0.9, max: 100 }),
  gauge("load.1m", "load", 1.1, { daily: 1.5, spike: 4, noise: 0.3 }),
  gauge("load.5m", "load", 1, { daily: 1.5, spike: 3, noise: 0.15 }),
  gauge("load.15m", "load", 1, { daily: 1.5, spike: 2, noise: 0.08 }),
  gauge("memory.used", "bytes", 6e9, { daily: 0.2, noise: 0.01, decimals: 0 }),
  gauge("memory.cached", "bytes", 3e9, { daily: 0.05, noise: 0.02, decimals: 0 }),
  gauge("memory.utilization", "percent", 48, { daily: 0.2, noise: 0.02, max: 100 }),
  gauge("swap.used", "bytes", 2e7, { noise: 0.01, decimals: 0 }),
  gauge("disk.root.utilization", "percent", 55, { noise: 1e-3, max: 100 }),
  gauge("disk.data.utilization", "percent", 62, { noise: 1e-3, max: 100 }),
  gauge("disk.read", "bytes/second", 25e5, { daily: 1, noise: 0.8, decimals: 0 }),
  gauge("disk.write", "bytes/second", 4e6, { daily: 1, spike: 2, noise: 0.6, decimals: 0 }),
  gauge("disk.queue", "requests", 0.4, { daily: 1, spike: 8, noise: 0.9 }),
  latency("disk.latency", "milliseconds", 1.8, { spike: 2 }),
  gauge("network.received", "bytes/second", 9e6, { daily: 2, spike: 3, decimals: 0 }),
  gauge("network.sent", "bytes/second", 14e6, { daily: 2, spike: 3, decimals: 0 }),
  gauge("network.errors", "errors", 0.2, { noise: 1, decimals: 0 }),
  counter("network.packets.total", "packets", 48e4),
  gauge("tcp.connections", "connections", 180, { daily: 2, spike: 3, decimals: 0 }),
  counter("http.requests.total", "requests", 3600),
  counter("http.errors.total", "errors", 4),
  latency("http.latency.average", "milliseconds", 24, { daily: 0.3, spike: 6 }),
  latency("http.latency.slowest", "milliseconds", 140, { daily: 0.5, spike: 9, max: 3e4 }),
  gauge("process.count", "processes", 210, { daily: 0.1, noise: 0.02, decimals: 0 }),
  gauge("process.threads", "threads", 900, { daily: 0.3, noise: 0.03, decimals: 0 }),
  gauge("queue.depth", "messages", 3, { daily: 2, spike: 40, noise: 0.9, decimals: 0 }),
  gauge("temperature", "celsius", 38, { daily: 0.2, spike: 0.2, noise: 0.02, decimals: 1 })
];
function gauge(id, unit, base, motion) {
  return { id, unit, kind: "gauge", base, ...still, ...motion };
}
function latency(id, unit, base, motion) {
  return { id, unit, kind: "latency", base, ...still, max: 1e4, ...motion };
}
function counter(id, unit, base) {
  return { id, unit, kind: "counter", base, ...still, daily: 1.5, spike: 2 };
}

// src/command/demo-day.ts
var demoServerCount = 20;
var demoMinutes = 1440;
var minutesPerBody = 24;
var demoSampleCount = demoServerCount * demoMetrics.length * demoMinutes;
var minuteMs = 6e4;
var noonMinute = 12 * 60;
var spikeMinutes = 15;
function* demoBodies(random, dayStartMs) {
  const next = uniforms(random);
  const servers = Array.from({ length: demoServerCount }, (_, i) => new DemoServer(i, next));
  for (let from = 0; from < demoMinutes; from += minutesPerBody) {
    const minutes = { from, to: Math.min(from + minutesPerBody, demoMinutes) };
    const elements = servers.map((server) => server.element(minutes, dayStartMs));
    const samples = servers.length * demoMetrics.length * (minutes.to - minutes.from);
    yield { json: `[${elements.join(",")}]`, samples };
  }
}
function dailyLoad(minute) {
  const busiestMinute = 15 * 60;
  return 0.6 + 0.4 * Math.cos((minute - busiestMinute) / demoMinutes * 2 * Math.PI);
}
function noonSpike(minute) {
  return minute < noonMinute ? 0 : Math.exp((noonMinute - minute) / spikeMinutes);
}
var roles = ["web", "web", "web", "app", "app", "db", "cache", "queue"];
function roleOf(index) {
  return roles[index % roles.length];
}
var demoServerNames = Array.from(
  { length: demoServerCount },
  (_, index) => `demo-${roleOf(index)}-${String(index + 1).padStart(2, "0")}`
);
var DemoServer = class {
  fqn;
  role;
  next;
  /** Servers differ: between 0.7 and 1.3 times the usual. */
  size;
  totals;
  constructor(index, next) {
    this.role = roleOf(index);
    this.fqn = demoServerNames[index];
    this.next = next;
    this.size = 0.7 + 0.6 * next();
    this.totals = Float64Array.from(demoMetrics, ({ base }) => Math.round(base * 1e3 * next()));
  }
  element(minutes, dayStartMs) {
    const samples = [];
    for (let minute = minutes.from; minute < minutes.to; minute++) {
      const timestamp = dayStartMs + minute * minuteMs;
      for (const [i, metric2] of demoMetrics.entries()) {
        const val = this.value(metric2, i, minute);
        samples.push(`{"metricId":"${metric2.id}","timestamp":${timestamp},"val":${val}}`);
      }
    }
    const tags = `[{"name":"role","value":"${this.role}"},{"name":"source","value":"demo"}]`;
    return `{"id":"${this.fqn}","name":"${this.fqn}","type":"SERVER","location":"demo","tags":${tags},"metrics":${metricsJson},"samples":[${samples.join(",")}]}`;
  }
  value(metric2, index, minute) {
    const noise = this.next() + this.next() - 1;
    const wave = metric2.daily * dailyLoad(minute) + metric2.spike * noonSpike(minute);
    const level = metric2.base * this.size * (1 + wave + metric2.noise * noise);
    if (metric2.kind === "gauge") return rounded(clamped(level, metric2), metric2.decimals);
    if (metric2.kind === "latency") {
      return rounded(clamped(level / (0.02 + this.next()) ** 0.5, metric2), metric2.decimals);
    }
    this.totals[index] += Math.max(0, Math.round(level));
    return this.totals[index];
  }
};
var metricsJson = JSON.stringify(
  demoMetrics.map(
    ({ id, unit, kind }) => kind === "counter" ? { id, unit, type: "COUNTER" } : { id, unit }
  )
);
function clamped(value, { max }) {
  return Math.min(Math.max(0, value), max);
}
function rounded(value, decimals) {
  const power = 10 ** decimals;
  return Math.round(value * power) / power;
}
function uniforms(random) {
  const bytesAtOnce = 4096;
  let view = new DataView(new ArrayBuffer(0));
  let at = 0;
  return () => {
    if (at === view.byteLength) {
      const bytes = random.bytes(bytesAtOnce);
      view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      at = 0;
    }
    at += 4;
    return view.getUint32(at - 4) / 2 ** 32;
  };
}

// src/command/fleet-metrics.ts
var cpu = "cpu.total.utilization";
var latency2 = "http.latency.average";
var requests = "http.requests.total";
var errors = "http.errors.total";
var heartbeat = "process.heartbeat";
var jobsFailed = "jobs.failed";
var needed = [
  metric(cpu, "percent", { base: 22, daily: 1.2, noise: 0.1, max: 100 }),
  metric(latency2, "milliseconds", { base: 40, daily: 0.5, noise: 0.2 }),
  metric(requests, "requests", { kind: "counter", base: 18e3, daily: 1.5, noise: 0.1 }),
  metric(errors, "errors", { kind: "counter", base: 12, daily: 1, noise: 0.5 }),
  metric(heartbeat, "", { kind: "heartbeat", base: 1 }),
  metric(jobsFailed, "jobs", { kind: "rare", base: 1 }),
  metric("memory.utilization", "percent", { base: 48, daily: 0.2, noise: 0.02, max: 100 }),
  metric("queue.depth", "messages", { base: 12, daily: 2, noise: 0.4 })
];
var neededIds = new Set(needed.map(({ id }) => id));
var others = demoMetrics.filter(({ id, kind }) => kind === "gauge" && !neededIds.has(id)).map(
  ({ id, unit, base, daily, noise, max }) => metric(id, unit, { base, daily, noise, max })
);
var fleetMetrics = [...needed, ...others].slice(0, 25);
var fleetMetricsMin = needed.length;
function metric(id, unit, motion) {
  return { id, unit, kind: "gauge", daily: 0, noise: 0, max: Infinity, ...motion };
}

// src/command/fleet.ts
var troubledElement = 1;
var restartedElement = 2;
var fleetElementsMin = 3;
var incidentDay = 9;
function elementName(index) {
  return `shop-${String(index + 1).padStart(2, "0")}`;
}
function incidentOf(firstDayMs) {
  const at = (hours) => (firstDayMs + (incidentDay - 1) * dayMs + hours * 36e5) / cycleMs;
  return {
    element: elementName(troubledElement),
    slow: { from: at(10), to: at(10.5) },
    silent: { from: at(10.5), to: at(11) }
  };
}
function restartOf(firstDayMs) {
  return (firstDayMs + 4 * dayMs + 3 * 36e5) / cycleMs;
}
var offsetMs = 6e4;
var rarePercent = 15;
var Fleet = class {
  ledger = { increases: /* @__PURE__ */ new Map(), jobs: /* @__PURE__ */ new Set() };
  plan;
  metrics;
  definitions;
  incident;
  restart;
  /** Totals of counters: a row an element, a column a metric. */
  totals;
  next = null;
  constructor(plan) {
    this.plan = plan;
    this.metrics = fleetMetrics.slice(0, plan.metrics);
    this.definitions = this.metrics.map(definitionOf);
    this.incident = incidentOf(plan.firstDayMs);
    this.restart = restartOf(plan.firstDayMs);
    this.totals = new Float64Array(plan.elements * plan.metrics);
  }
  /** The body of a post with all samples of these cycles; each cycle once, in order of time. */
  body({ from, to }) {
    assert(this.next === null || this.next === from, "Expected the cycle after the last one");
    const isFirst = this.next === null;
    this.next = to;
    const elements = Array.from({ length: this.plan.elements }, (_, element) => ({
      id: elementName(element),
      name: elementName(element),
      type: "SERVER",
      location: "demo",
      tags: [{ name: "fleet", value: "demo" }],
      metrics: this.definitions,
      samples: this.samples(element, { from, to }, isFirst)
    }));
    return JSON.stringify(elements);
  }
  /** What was sent within a span. */
  ledgerOf({ startMs, endMs }) {
    const isWithin = (cycle) => cycle * cycleMs >= startMs && cycle * cycleMs < endMs;
    const { increases, jobs } = this.ledger;
    return {
      increases: new Map([...increases].filter(([cycle]) => isWithin(cycle))),
      jobs: new Set([...jobs].filter(isWithin))
    };
  }
  samples(element, { from, to }, isFirst) {
    const samples = [];
    for (let cycle = from; cycle < to; cycle++) {
      if (this.isTroubled(element, cycle, this.incident.silent)) continue;
      if (this.isStart(element, cycle)) this.resetTotals(element);
      const isNew = isFirst && cycle === from;
      for (const [i, metric2] of this.metrics.entries()) {
        const val = this.value({ element, metric: metric2, i, cycle, isNew });
        if (val === null) continue;
        samples.push({ metricId: metric2.id, timestamp: cycle * cycleMs + offsetMs, val });
      }
    }
    return samples;
  }
  value(at) {
    const { element, metric: metric2, i, cycle, isNew } = at;
    if (metric2.kind === "heartbeat") return 1;
    const chance = chanceOf(element, i, cycle);
    if (metric2.kind === "rare") return this.rareValue(at, chance);
    const level = this.level(at, chance);
    if (metric2.kind === "gauge") return Math.min(metric2.max, Math.round(level * 100) / 100);
    const place = element * this.plan.metrics + i;
    const increase = Math.max(0, Math.round(level));
    this.totals[place] += increase;
    if (metric2.id === requests && element === restartedElement && !isNew) {
      this.ledger.increases.set(cycle, increase);
    }
    return this.totals[place];
  }
  /** How many failed, in few cycles; in the first one by all, so that everybody has the metric. */
  rareValue({ element, metric: metric2, cycle, isNew }, chance) {
    if (!isNew && (chance + 1) * 50 >= rarePercent) return null;
    if (metric2.id === jobsFailed && element === 0) this.ledger.jobs.add(cycle);
    return 1 + cycle % 3;
  }
  level({ element, metric: metric2, cycle }, chance) {
    const minute = cycle * cycleMs % dayMs / 6e4;
    const size = 0.8 + 0.4 * (element * 0.618 % 1);
    const usual = metric2.base * size * (1 + metric2.daily * dailyLoad(minute) + metric2.noise * chance);
    if (!this.isTroubled(element, cycle, this.incident.slow)) return usual;
    if (metric2.id === cpu) return 96 + chance;
    if (metric2.id === latency2) return usual * 15;
    return metric2.id === errors ? usual + 500 : usual;
  }
  isTroubled(element, cycle, { from, to }) {
    return element === troubledElement && cycle >= from && cycle < to;
  }
  isStart(element, cycle) {
    if (element === restartedElement) return cycle === this.restart;
    return element === troubledElement && cycle === this.incident.silent.to;
  }
  resetTotals(element) {
    const { metrics } = this.plan;
    this.totals.fill(0, element * metrics, (element + 1) * metrics);
  }
};
function definitionOf({ id, unit, kind }) {
  if (kind === "counter") return { id, unit, type: "COUNTER" };
  if (kind === "gauge") return { id, unit };
  return { id, unit, sparseDataStrategy: "ReplaceWithZero" };
}
function chanceOf(element, metric2, cycle) {
  const seed = Math.imul(element * 64 + metric2 + 1, 2654435769) ^ Math.imul(cycle, 2246822507);
  const first = mixed(seed);
  return first / 2 ** 32 + mixed(first) / 2 ** 32 - 1;
}
function mixed(value) {
  let bits = value | 0;
  bits = Math.imul(bits ^ bits >>> 16, 2246822507);
  bits = Math.imul(bits ^ bits >>> 13, 3266489909);
  return (bits ^ bits >>> 16) >>> 0;
}

// src/command/demo-commands.ts
var daysMax = 14;
var daysMin = incidentDay - 0.5;
var elementsDefault = 40;
var metricsMax = fleetMetrics.length;
var elementsMax = 256;
var variables = {
  user: "TIDEGAUGE_ADMIN_EMAIL",
  password: "TIDEGAUGE_ADMIN_PASSWORD",
  "api-key": "TIDEGAUGE_API_KEY"
};
var serverOptions = [
  { name: "url", value: "URL", meaning: "A running server to use, as http://127.0.0.1:8080." },
  { name: "user", value: "EMAIL", meaning: "User of that server.", variable: variables.user },
  {
    name: "password",
    value: "TEXT",
    meaning: "Password of the user.",
    variable: variables.password,
    isSecret: true
  },
  {
    name: "api-key",
    value: "KEY",
    meaning: "API key to post with.",
    variable: variables["api-key"],
    isSecret: true
  }
];
var fleetOptions = [
  {
    name: "clock",
    value: "TIME,xN",
    meaning: "Where the clock starts, and how fast it runs: 2026-01-05T00:00:00Z,x300."
  },
  {
    name: "days",
    value: "NUMBER",
    meaning: `Days of the fleet, from ${daysMin} to ${daysMax}, halves too.`,
    fallback: String(daysMax)
  },
  {
    name: "elements",
    value: "NUMBER",
    meaning: `Elements of the fleet, from ${fleetElementsMin} to ${elementsMax}.`,
    fallback: String(elementsDefault)
  },
  {
    name: "metrics",
    value: "NUMBER",
    meaning: `Metrics of each element, from ${fleetMetricsMin} to ${metricsMax}.`,
    fallback: String(metricsMax)
  },
  {
    name: "data",
    value: "PATH",
    meaning: "Keeps the fleet's store in this folder, which is empty or missing before.",
    completes: "folder"
  }
];
var demoCommand = {
  name: "demo",
  meaning: "Posts a day of 20 servers \xD7 30 metrics and reads it back.",
  details: `
Without --url it starts a server of its own on a free port, with a store that it removes afterwards.
With --clock that server runs on a simulated clock, policies watch a fleet to which something
happens on the ninth day, and what was found is printed and judged.
`,
  options: [...serverOptions, ...fleetOptions],
  examples: ["demo", "demo --clock 2026-01-05T00:00:00Z,x300 --days 8.5"]
};
function readDemoArguments(given, env) {
  if (given.has("clock")) return withClock(given);
  const url = given.get("url");
  const ofFleet = fleetOptions.find(({ name }) => given.has(name));
  if (ofFleet !== void 0) return { problem: `--${ofFleet.name} needs --clock beside it` };
  if (url !== void 0) return withUrl(url, given, env);
  const [lonely] = given.keys();
  if (lonely === void 0) return { ownServer: true };
  return { problem: `--${lonely} needs --url beside it` };
}
function withClock(given) {
  const foreign = serverOptions.find(({ name }) => given.has(name));
  if (foreign !== void 0) return { problem: `--${foreign.name} cannot stand beside --clock` };
  const time = parseSimulatedTime(given.get("clock"));
  if (time === void 0) {
    return { problem: "--clock: expected a start and a speed, as 2026-01-05T00:00:00Z,x300" };
  }
  const problems = [];
  const count = (name, { min, max, usual, step = 1 }) => {
    const text = given.get(name) ?? String(usual);
    const value = /^\d{1,6}(?:\.5)?$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max && Number.isInteger(value / step)) return value;
    problems.push(`--${name}: expected a number from ${min} to ${max} in steps of ${step}`);
    return usual;
  };
  const fleet = {
    time,
    days: count("days", { min: daysMin, max: daysMax, usual: daysMax, step: 0.5 }),
    elements: count("elements", {
      min: fleetElementsMin,
      max: elementsMax,
      usual: elementsDefault
    }),
    metrics: count("metrics", {
      min: fleetMetricsMin,
      max: metricsMax,
      usual: metricsMax
    }),
    folder: given.get("data") ?? null
  };
  return problems.length > 0 ? { problem: problems.join("\n") } : { fleet };
}
function withUrl(url, given, env) {
  if (!/^https?:\/\/[^/]/.test(url)) return { problem: "--url: expected http:// or https://" };
  const values = {};
  for (const [name, variable] of Object.entries(variables)) {
    const value = given.get(name) ?? env[variable];
    if (value === void 0 || value === "") {
      return { problem: `--url needs --${name} or ${variable} beside it` };
    }
    values[name] = value;
  }
  return {
    address: {
      url: url.replace(/\/+$/, ""),
      user: values["user"],
      password: values["password"],
      apiKey: values["api-key"]
    }
  };
}

export {
  demoMetrics,
  cpu,
  latency2 as latency,
  requests,
  errors,
  heartbeat,
  jobsFailed,
  demoSampleCount,
  demoBodies,
  demoServerNames,
  restartedElement,
  elementName,
  incidentOf,
  restartOf,
  Fleet,
  demoCommand,
  readDemoArguments
};
//# sourceMappingURL=chunk-TDL6DKFZ.js.map

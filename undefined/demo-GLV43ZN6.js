import {
  Fleet,
  cpu,
  demoBodies,
  demoMetrics,
  demoSampleCount,
  demoServerNames,
  elementName,
  errors,
  heartbeat,
  incidentOf,
  jobsFailed,
  latency,
  readDemoArguments,
  requests,
  restartOf,
  restartedElement
} from "./chunk-TDL6DKFZ.js";
import "./chunk-S7IU6GVY.js";
import {
  formatInstant
} from "./chunk-5QVC5N6S.js";
import {
  seededRandom
} from "./chunk-UKLA2F2A.js";
import {
  tableText,
  valueText,
  wholeText
} from "./chunk-ELSLXJNS.js";
import "./chunk-QNSZFSTN.js";
import {
  cycleMs,
  dayMs
} from "./chunk-WSUH7ILY.js";
import "./chunk-BLE2ZYMV.js";
import "./chunk-YBJXGIGP.js";

// src/command/demo-client.ts
var DemoError = class extends Error {
  name = "DemoError";
};
var attemptsMax = 10;
var DemoClient = class {
  options;
  constructor(options) {
    this.options = options;
  }
  /** Posts one body. Trying again is safe: a server takes the same samples once. */
  async post(json) {
    const { address, wait } = this.options;
    const url = `${address.url}/ingest/${encodeURIComponent(address.apiKey)}`;
    const headers = { "Content-Type": "application/json" };
    for (let attempt = 1; ; attempt++) {
      const response = await this.send(url, { method: "POST", headers, body: json });
      if (response.status === 202) {
        await response.arrayBuffer();
        return;
      }
      if (response.status !== 503 || attempt === attemptsMax)
        throw await refusal("a post", response);
      await wait(1e3 * Number(response.headers.get("Retry-After") ?? 1));
    }
  }
  /** Statistics of every element's raw samples of one metric. */
  async statistics(metricFqn, span) {
    const parameters = new URLSearchParams({
      fqn: metricFqn,
      rollup: "ZERO",
      startTime: formatInstant(span.startMs),
      endTime: formatInstant(span.endMs)
    });
    const answer = await this.ask(`/metrics/statistics?${parameters}`);
    return answer.metrics;
  }
  /** The UUID of an element by its name. */
  async elementId(fqn) {
    const answer = await this.ask(`/elements/${fqn}`);
    return answer.element.id;
  }
  /** The server's clock, epoch milliseconds. */
  async timeMs() {
    return (await this.ask("/time")).epochMillis;
  }
  /** The JSON of an answer. */
  ask(path) {
    return this.call(path, {});
  }
  /** Creates a record; the JSON of the answer. */
  create(path, body) {
    const headers = { "Content-Type": "application/json" };
    return this.call(path, { method: "POST", headers, body: JSON.stringify(body) });
  }
  async call(path, request) {
    const { url, user, password } = this.options.address;
    const credentials = Buffer.from(`${user}:${password}`).toString("base64");
    const headers = { ...request.headers, Authorization: `Basic ${credentials}` };
    const response = await this.send(url + path, { ...request, headers });
    if (!response.ok) throw await refusal(path, response);
    return response.json();
  }
  async send(url, request) {
    const { signal } = this.options;
    try {
      return await this.options.fetch(url, { ...request, signal });
    } catch (cause) {
      if (signal.aborted) throw new DemoError("interrupted");
      const why = cause.cause?.code ?? String(cause);
      throw new DemoError(`Cannot reach ${this.options.address.url}: ${why}`, { cause });
    }
  }
};
async function refusal(what, response) {
  const text = (await response.text()).slice(0, 1e3);
  return new DemoError(`The server answered ${response.status} to ${what}: ${text}`);
}

// src/command/demo-progress.ts
var barCells = 40;
var DemoProgress = class {
  total;
  isTerminal;
  tenths = 0;
  /** `total` is above 0. */
  constructor(total, isTerminal) {
    this.total = total;
    this.isTerminal = isTerminal;
  }
  /** What to print when `done` of the total are done; empty where nothing is worth a line. */
  at(done) {
    const part = Math.min(1, done / this.total);
    const samples = `${wholeText(done)} of ${wholeText(this.total)} samples`;
    const text = `${Math.floor(part * 100)} %  ${samples}`;
    if (this.isTerminal) return this.bar(part, text);
    const tenths = Math.floor(part * 10);
    if (tenths === this.tenths) return "";
    this.tenths = tenths;
    return `  ${text}
`;
  }
  bar(part, text) {
    const filled = Math.floor(part * barCells);
    const bar = "\u2588".repeat(filled) + "\u2591".repeat(barCells - filled);
    return `\r  ${bar}  ${text}${part === 1 ? "\n" : ""}`;
  }
};

// src/command/demo-server.ts
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
var toldLinesMax = 20;
async function startOwnServer(options) {
  const secret = Buffer.from(options.random.bytes(32)).toString("hex");
  const secrets = {
    apiKey: secret.slice(0, 32),
    user: "demo@example.com",
    password: secret.slice(32)
  };
  const kept = options.folder;
  if (kept !== void 0 && existsSync(kept) && readdirSync(kept).length > 0) {
    throw new DemoError(`--data: expected a folder that is empty or missing, got ${kept}`);
  }
  const folder = kept ?? mkdtempSync(join(tmpdir(), "tidegauge-demo-"));
  const child = spawnServer(options, { folder, ...secrets });
  const ended = new Promise((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    if (kept === void 0) rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { address: { ...secrets, url: await listeningUrl(child) }, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
function spawnServer({ program, env, flags: more = [] }, own) {
  const [command, ...before] = program;
  const flags = ["--host", "127.0.0.1", "--port", "0", "--data", own.folder];
  const log = ["--log-level", "info", "--log-format", "json"];
  const secrets = {
    TIDEGAUGE_API_KEY: own.apiKey,
    TIDEGAUGE_ADMIN_EMAIL: own.user,
    TIDEGAUGE_ADMIN_PASSWORD: own.password
  };
  const others = Object.entries(env).filter(([name]) => !name.startsWith("TIDEGAUGE_"));
  return spawn(command, [...before, ...flags, ...log, ...more], {
    env: { ...Object.fromEntries(others), ...secrets },
    stdio: ["ignore", "pipe", "pipe"]
  });
}
function listeningUrl(child) {
  return new Promise((resolve, reject) => {
    const told = [];
    const read = (line) => {
      const url = urlOf(line);
      if (url !== null) resolve(url);
      else if (told.length < toldLinesMax) told.push(line);
    };
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", read);
    }
    child.once("error", (cause) => reject(new DemoError(`Cannot start a server: ${String(cause)}`)));
    child.once("close", (status) => {
      const end = `The server ended with status ${status} before it listened`;
      reject(new DemoError([end, ...told].join("\n")));
    });
  });
}
function urlOf(line) {
  const found = /"url":"(http:\/\/[^"]+)"/.exec(line);
  return found !== null && line.includes('"listening"') ? found[1] : null;
}

// src/command/demo-statistics.ts
var header = ["element", "avg", "min", "p25", "median", "p75", "p95", "max", "count"];
function statisticsTable(entries, namesById2) {
  const byId = new Map(entries.map((entry) => [entry.elementId, entry.statistics]));
  const rows = [...namesById2].flatMap(([id, name]) => {
    const of = byId.get(id);
    if (of === void 0) return [];
    const { avg, min, percentile25, median, percentile75, percentile95, max, count } = of;
    const values = [avg, min, percentile25, median, percentile75, percentile95, max];
    return [[name, ...values.map(valueText), wholeText(count)]];
  });
  return tableText(header, rows);
}

// src/command/fleet-findings.ts
var incidentsMax = 1e3;
async function eventsOf(client, span) {
  const answer = await client.ask(`/events?${windowOf(span)}`);
  return answer.events;
}
async function incidentsOf(client, { startMs, endMs }) {
  const answer = await client.ask(`/incidents?endDate=${endMs}&limit=${incidentsMax}`);
  const { incidents } = answer;
  return incidents.filter(({ tsFirstFired }) => Date.parse(tsFirstFired) >= startMs);
}
async function recordsOf(client, { element, metric, span }) {
  const path = `/elements/${encodeURIComponent(element)}/metrics/${encodeURIComponent(metric)}`;
  const answer = await client.ask(`${path}/samples?rollup=PT5M&${windowOf(span)}`);
  const { samples } = answer;
  return samples.map(({ timestamp, data }) => ({ timeMs: Date.parse(timestamp), data }));
}
var closedMark = "netuitive.metrics.collected.percent";
async function isClosed(client, { element, cycle }) {
  const span = { startMs: cycle * cycleMs, endMs: (cycle + 1) * cycleMs };
  return (await recordsOf(client, { element, metric: closedMark, span })).length > 0;
}
function windowOf({ startMs, endMs }) {
  const [startTime, endTime] = [formatInstant(startMs), formatInstant(endMs)];
  return String(new URLSearchParams({ startTime, endTime }));
}

// src/command/fleet-policies.ts
var fleetPolicies = [
  {
    name: "Slow answers",
    category: "CRITICAL",
    cycles: 2,
    condition: { metric: latency, analytic: "actual", operator: ">", level: 300 },
    sees: "slow"
  },
  {
    name: "CPU above its baseline",
    category: "CRITICAL",
    cycles: 3,
    condition: { metric: cpu, analytic: "baselineDeviation", operator: ">" },
    sees: "slow"
  },
  {
    name: "Many errors",
    category: "WARNING",
    cycles: 2,
    condition: { metric: errors, analytic: "actual", operator: ">", level: 200 },
    sees: "slow"
  },
  {
    name: "Appears to be down",
    category: "CRITICAL",
    cycles: 3,
    condition: { metric: heartbeat, analytic: "actual", operator: "==", level: 0 },
    sees: "silent"
  },
  {
    // What a restart would look like if the server took a counter for a gauge.
    name: "Requests run backwards",
    category: "WARNING",
    cycles: 1,
    condition: { metric: requests, analytic: "actual", operator: "<", level: 0 },
    sees: null
  }
];
function policyBody(policy, notificationId) {
  const { name, category, cycles, condition } = policy;
  return {
    policy: {
      name,
      scope: { elementTags: [{ name: "fleet", value: "^demo$" }] },
      duration: cycles * cycleMs / 1e3,
      conditions: [condition],
      actions: [
        { type: "event", category: category === "CRITICAL" ? 3 : 2 },
        { type: "notification", id: notificationId, sendOnClear: true }
      ]
    }
  };
}
function expectedOf({ sees, cycles }, { firstDayMs, graceMs: graceMs2 }) {
  if (sees === null) return null;
  const incident = incidentOf(firstDayMs);
  const { from, to } = incident[sees];
  return {
    element: incident.element,
    firstMs: (from + cycles - 1) * cycleMs,
    lastMs: (to - 1) * cycleMs,
    closedMs: (to + 1) * cycleMs + graceMs2,
    events: to - from - cycles + 1
  };
}

// src/command/fleet-judge.ts
function findingsOf(found) {
  return fleetPolicies.map((policy) => {
    const id = found.policyIds.get(policy.name);
    const told = found.deliveries.filter(({ policyName }) => policyName === policy.name);
    return {
      policy,
      expected: expectedOf(policy, found),
      events: found.events.filter((event) => event.policy?.name === policy.name),
      incidents: found.incidents.filter(({ policyId }) => policyId === id),
      begun: told.filter(({ payloadType }) => payloadType === "event"),
      cleared: told.filter(({ payloadType }) => payloadType === "event_cleared")
    };
  });
}
function verdictsOf(found) {
  return [
    ...findingsOf(found).map(judgePolicy),
    judgeRest(found),
    judgeCounter(found),
    judgeRare(found),
    judgeClosings(found)
  ];
}
function judgePolicy(findings) {
  const { policy, expected, events, incidents, begun, cleared } = findings;
  const counts = `${events.length} events, ${incidents.length} incidents, ${begun.length} + ${cleared.length} deliveries`;
  if (expected === null) {
    const holds2 = events.length + incidents.length + begun.length + cleared.length === 0;
    return { holds: holds2, sentence: `${policy.name}: nothing was to be found; ${counts}` };
  }
  const [incident] = incidents;
  const holds = incidents.length === 1 && isExpected(incident, expected) && events.length === expected.events && [...events, ...begun, ...cleared].every(
    ({ elementName: elementName2 }) => elementName2 === expected.element
  ) && events.every(({ category }) => category.name === policy.category) && begun.length === 1 && cleared.length === 1;
  const wanted = `${expected.events} events, 1 incident and 1 + 1 deliveries`;
  const sentence = `${policy.name}: ${wanted} of ${expected.element} in its time; ${counts}`;
  return { holds, sentence };
}
function isExpected(incident, expected) {
  const { elementName: elementName2, tsFirstFired, tsLastFired, tsClosed } = incident;
  return elementName2 === expected.element && Date.parse(tsFirstFired) === expected.firstMs && Date.parse(tsLastFired) === expected.lastMs && tsClosed !== null && Date.parse(tsClosed) === expected.closedMs;
}
function judgeRest({ events, deliveries }) {
  const names = new Set(fleetPolicies.map(({ name }) => name));
  const strange = events.filter(({ policy }) => !names.has(policy?.name ?? ""));
  const repeats = deliveries.length - new Set(deliveries.map((one) => one.deliveryId)).size;
  return {
    holds: strange.length + repeats === 0,
    sentence: `Elsewhere: ${strange.length} events of nobody, ${repeats} deliveries repeated`
  };
}
function judgeCounter({ counter, ledger, firstDayMs }) {
  const { increases } = ledger;
  const actuals = new Map(
    counter.map(({ timeMs, data }) => [timeMs / cycleMs, data["actual"]])
  );
  const right = [...increases].filter(([cycle, increase]) => actuals.get(cycle) === increase);
  const atRestart = actuals.get(restartOf(firstDayMs));
  return {
    holds: right.length === increases.size && increases.size > 0,
    sentence: `Counter: ${right.length} of ${increases.size} increases are right; ${atRestart ?? "none"} in the cycle of the restart`
  };
}
function judgeRare({ rare, ledger, span }) {
  const cycles = (span.endMs - span.startMs) / cycleMs;
  const filled = rare.filter(({ data }) => data["sparseValue"] !== void 0);
  const right = filled.filter(
    ({ timeMs, data }) => !ledger.jobs.has(timeMs / cycleMs) && data["actual"] === 0
  );
  const missing = cycles - ledger.jobs.size;
  return {
    holds: right.length === missing && filled.length === missing && missing > 0,
    sentence: `Sparse: ${right.length} of ${missing} cycles without a sample are filled with 0`
  };
}
function judgeClosings({ closings, span }) {
  const cycles = (span.endMs - span.startMs) / cycleMs;
  return {
    holds: closings.length === cycles,
    sentence: `Cycles: ${closings.length} of ${cycles} were closed`
  };
}

// src/command/fleet-listener.ts
import { createServer } from "node:http";
var payloadBytesMax = 1024 ** 2;
async function listenForDeliveries() {
  const deliveries = [];
  const server = createServer((request, response) => {
    const chunks = [];
    let bytes = 0;
    request.on("data", (chunk) => {
      bytes += chunk.length;
      if (bytes > payloadBytesMax) request.destroy();
      else chunks.push(chunk);
    });
    request.on("end", () => {
      try {
        deliveries.push(JSON.parse(Buffer.concat(chunks).toString()));
        response.end();
      } catch {
        response.writeHead(400).end();
      }
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}/notice`,
    deliveries,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    })
  };
}

// src/command/fleet-pace.ts
var postEveryMs = 250;
var cyclesPerPostMax = 72;
function paceOf(speed) {
  const due = Math.ceil(speed * postEveryMs / cycleMs);
  const cyclesPerPost = Math.min(cyclesPerPostMax, Math.max(1, due));
  const leadCycles = cyclesPerPost === 1 ? 0 : 2 * cyclesPerPost;
  return { cyclesPerPost, leadCycles, acceptAheadMs: (leadCycles + cyclesPerPost + 1) * cycleMs };
}
async function postCycles(range, world) {
  const { client, fleet, pace, graceMs: graceMs2 } = world;
  for (let from = range.from; from < range.to; from += pace.cyclesPerPost) {
    const to = Math.min(range.to, from + pace.cyclesPerPost);
    const body = fleet.body({ from, to });
    await waitFor((from - pace.leadCycles) * cycleMs, world);
    await client.post(body);
    if (await client.timeMs() > (from + 1) * cycleMs + graceMs2) {
      throw new DemoError("--clock: this machine is too slow for that speed; choose a lower one");
    }
    world.onPosted(to);
  }
}
var lookMsMin = 5;
var lookMsMax = 6e4;
async function waitFor(instantMs, { client, speed, wait, isAborted }) {
  while (!isAborted()) {
    const restMs = instantMs - await client.timeMs();
    if (restMs <= 0) return;
    await wait(Math.min(lookMsMax, Math.max(lookMsMin, restMs / speed)));
  }
  throw new DemoError("interrupted");
}

// src/command/fleet-text.ts
var rowsMax = 40;
function policiesText(findings) {
  const header2 = ["policy", "level", "events", "incidents", "told", "told of the end"];
  const rows = findings.map(({ policy, events, incidents, begun, cleared }) => [
    policy.name,
    policy.category,
    ...[events, incidents, begun, cleared].map(({ length }) => String(length))
  ]);
  return tableText(header2, rows);
}
function incidentsText(findings) {
  const header2 = ["incident", "element", "first", "last", "closed"];
  const rows = findings.flatMap(
    ({ policy, incidents }) => incidents.map(({ elementName: elementName2, tsFirstFired, tsLastFired, tsClosed }) => [
      policy.name,
      elementName2,
      ...[tsFirstFired, tsLastFired, tsClosed].map((ts) => ts === null ? "open" : shortTime(ts))
    ])
  );
  return tableText(header2, rows.slice(0, rowsMax));
}
function deliveriesText(deliveries) {
  const header2 = ["webhook got", "of", "element", "time"];
  const rows = deliveries.map(({ payloadType, policyName, elementName: elementName2, timestamp }) => [
    payloadType,
    policyName,
    elementName2,
    shortTime(timestamp)
  ]);
  return tableText(header2, rows.slice(0, rowsMax));
}
function bandsText(records, { startMs, endMs }, everyMs) {
  const header2 = ["time", "actual", "baselineLower", "baselineMean", "baselineUpper", ""];
  const rows = records.filter(({ timeMs }) => timeMs >= startMs && timeMs < endMs && timeMs % everyMs === 0).map(({ timeMs, data }) => {
    const { actual, baselineLower, baselineMean, baselineUpper } = data;
    const isAbove = actual !== void 0 && actual > (baselineUpper ?? Infinity);
    const values = [actual, baselineLower, baselineMean, baselineUpper].map(
      (value) => value === void 0 ? "-" : valueText(value)
    );
    return [shortTime(new Date(timeMs).toISOString()), ...values, isAbove ? "above" : ""];
  });
  return tableText(header2, rows.slice(0, rowsMax));
}
function verdictsText(verdicts) {
  return verdicts.map(({ holds, sentence }) => `${holds ? "ok " : "NO "} ${sentence}`).join("\n");
}
function shortTime(text) {
  return text.slice(0, 16).replace("T", " ");
}

// src/command/fleet-demo.ts
var graceMs = 6e4;
async function demonstrateFleet(asked, world) {
  const { time, folder } = asked;
  const pace = paceOf(time.speed);
  const listener = await listenForDeliveries();
  try {
    const server = await startOwnServer({
      ...world,
      ...folder === null ? {} : { folder },
      flags: serverFlags(time, pace)
    });
    try {
      const { url } = server.address;
      world.print(`Started a server on ${url}, its store in ${server.folder}
`);
      const { wait, signal } = world;
      const client = new DemoClient({ ...server, fetch: globalThis.fetch, wait, signal });
      const policyIds = await createPolicies(client, listener);
      const begun = { policyIds, nowMs: await client.timeMs() };
      return await new FleetDemo(asked, { world, client, listener, pace }, begun).run();
    } finally {
      await server.stop();
    }
  } finally {
    await listener.close();
  }
}
function serverFlags({ startMs, speed }, { acceptAheadMs }) {
  return [
    `--clock=${formatInstant(startMs)},x${speed}`,
    `--cycle-grace=PT${graceMs / 1e3}S`,
    `--accept-future=PT${acceptAheadMs / 1e3}S`,
    "--allow-private-addresses=127.0.0.1/32"
  ];
}
var deliveryMsMax = 5e3;
var lookMs = 20;
var shownMs = 30 * 6e4;
var FleetDemo = class {
  asked;
  tools;
  policyIds;
  /** Midnight of the day of the first cycle. */
  firstDayMs;
  span;
  fleet;
  constructor(asked, tools, begun) {
    this.asked = asked;
    this.tools = tools;
    this.policyIds = begun.policyIds;
    const startMs = (Math.floor(begun.nowMs / cycleMs) + 1 + tools.pace.leadCycles) * cycleMs;
    this.firstDayMs = Math.floor(startMs / dayMs) * dayMs;
    this.span = { startMs, endMs: this.firstDayMs + asked.days * dayMs };
    this.fleet = new Fleet({ ...asked, firstDayMs: this.firstDayMs });
  }
  async run() {
    const { asked, span } = this;
    const { world } = this.tools;
    const what = `${asked.elements} elements \xD7 ${asked.metrics} metrics`;
    world.print(`Posting ${what}, ${minuteText(span.startMs)} to ${minuteText(span.endMs)}
`);
    const startedMs = world.elapsedMs();
    await this.post({ from: span.startMs / cycleMs, to: span.endMs / cycleMs });
    const seconds = (world.elapsedMs() - startedMs) / 1e3;
    const cycles = (span.endMs - span.startMs) / cycleMs;
    world.print(`${wholeText(cycles)} cycles in ${seconds.toFixed(1)} s

`);
    return this.tell(await this.readBack());
  }
  /** Posts the cycles and what keeps the fleet alive while it is read back; waits for the end. */
  async post({ from, to }) {
    const { client, pace, world } = this.tools;
    const { speed } = this.asked.time;
    const isAborted = () => world.signal.aborted;
    const waiting = { client, speed, wait: world.wait, isAborted };
    let day = 0;
    const onPosted = (cycle) => {
      const posted = Math.floor((cycle * cycleMs - this.firstDayMs) / dayMs);
      if (posted > day && cycle <= to) world.print(`  day ${posted} is posted
`);
      day = Math.max(day, posted);
    };
    const posting = { ...waiting, pace, fleet: this.fleet, graceMs, onPosted };
    await postCycles({ from, to: to + 3 * pace.cyclesPerPost }, posting);
    await waitFor((to + 1) * cycleMs, waiting);
    const element = elementName(this.asked.elements - 1);
    while (!await isClosed(client, { element, cycle: to - 1 })) await world.wait(lookMs);
  }
  async readBack() {
    const { client } = this.tools;
    const { span, firstDayMs, policyIds } = this;
    const first = elementName(0);
    const restarted = elementName(restartedElement);
    const found = {
      span,
      firstDayMs,
      graceMs,
      policyIds,
      ledger: this.fleet.ledgerOf(span),
      events: await eventsOf(client, span),
      incidents: await incidentsOf(client, span),
      counter: await recordsOf(client, { element: restarted, metric: requests, span }),
      rare: await recordsOf(client, { element: first, metric: jobsFailed, span }),
      closings: await recordsOf(client, { element: first, metric: closedMark, span })
    };
    return { ...found, deliveries: await this.deliveries() };
  }
  /** Those of the span; some may still be on their way. */
  async deliveries() {
    const { listener, world } = this.tools;
    const wanted = 2 * fleetPolicies.filter(({ sees }) => sees !== null).length;
    const untilMs = world.elapsedMs() + deliveryMsMax;
    while (listener.deliveries.length < wanted && world.elapsedMs() < untilMs) {
      await world.wait(lookMs);
    }
    return listener.deliveries.filter(({ timestamp }) => Date.parse(timestamp) < this.span.endMs);
  }
  async tell(found) {
    const { print } = this.tools.world;
    const findings = findingsOf(found);
    print(`${policiesText(findings)}

${incidentsText(findings)}

`);
    print(`${deliveriesText(found.deliveries)}

`);
    const { element, slow, silent } = incidentOf(this.firstDayMs);
    const span = { startMs: slow.from * cycleMs - shownMs, endMs: silent.to * cycleMs + shownMs };
    const records = await recordsOf(this.tools.client, { element, metric: cpu, span });
    print(`${cpu} of ${element}, every ten minutes

`);
    print(`${bandsText(records, span, 2 * cycleMs)}

`);
    const verdicts = verdictsOf(found);
    print(`${verdictsText(verdicts)}
`);
    return verdicts.every(({ holds }) => holds);
  }
};
function minuteText(ms) {
  return formatInstant(ms).slice(0, 16).replace("T", " ");
}
async function createPolicies(client, listener) {
  const properties = { name: "Listener of the demonstration", url: listener.url };
  const made = await client.create("/notifications", {
    notification: { type: "webhook", properties }
  });
  const { notification } = made;
  const ids = /* @__PURE__ */ new Map();
  for (const policy of fleetPolicies) {
    const answer = await client.create("/policies", policyBody(policy, notification.id));
    ids.set(policy.name, answer.policy.id);
  }
  return ids;
}

// src/command/demo.ts
var seed = 20;
var shownMetrics = ["cpu.total.utilization", "http.latency.average", "queue.depth"];
var shownServers = 5;
var exitUsage = 64;
async function runDemo(world) {
  const asked = readDemoArguments(world.options, world.env);
  if ("problem" in asked) {
    world.printError(`tidegauge: ${asked.problem}
`);
    return exitUsage;
  }
  try {
    if ("fleet" in asked) return await demonstrateFleet(asked.fleet, world) ? 0 : 1;
    if ("address" in asked) await demonstrate(asked.address, world);
    else await demonstrateOnOwnServer(world);
    return 0;
  } catch (error) {
    if (!(error instanceof DemoError)) throw error;
    world.printError(`${world.isTerminal ? "\n" : ""}tidegauge: ${error.message}
`);
    return 1;
  }
}
async function demonstrateOnOwnServer(world) {
  const server = await startOwnServer(world);
  try {
    world.print(`Started a server on ${server.address.url}, its store in ${server.folder}
`);
    await demonstrate(server.address, world);
  } finally {
    await server.stop();
    world.print("Stopped the server and removed its store\n");
  }
}
async function demonstrate(address, world) {
  const { wait, signal } = world;
  const client = new DemoClient({ address, fetch: globalThis.fetch, wait, signal });
  const endMs = Math.floor(world.clock.nowMs() / dayMs) * dayMs;
  const span = { startMs: endMs - dayMs, endMs };
  const date = new Date(span.startMs).toISOString().slice(0, 10);
  const what = `${demoServerNames.length} servers \xD7 ${demoMetrics.length} metrics`;
  world.print(`Posting ${date}: ${what}, one sample a minute
`);
  await postDay(client, span, world);
  await readBack(client, span, world);
}
async function postDay(client, span, world) {
  const startMs = world.elapsedMs();
  const progress = new DemoProgress(demoSampleCount, world.isTerminal);
  let done = 0;
  let posted = Promise.resolve();
  for (const { json, samples } of demoBodies(seededRandom(seed), span.startMs)) {
    await posted;
    world.print(progress.at(done));
    posted = client.post(json);
    posted.catch(() => void 0);
    done += samples;
    await world.wait(0);
  }
  await posted;
  world.print(progress.at(done));
  const seconds = (world.elapsedMs() - startMs) / 1e3;
  const rate = wholeText(done / seconds);
  world.print(`Stored and synced in ${seconds.toFixed(1)} s: ${rate} samples/s from one sender
`);
}
async function readBack(client, span, world) {
  const startMs = world.elapsedMs();
  const found = /* @__PURE__ */ new Map();
  for (const { id } of demoMetrics) found.set(id, await client.statistics(id, span));
  const seconds = (world.elapsedMs() - startMs) / 1e3;
  const all = [...found.values()].flat();
  const count = all.reduce((sum, { statistics }) => sum + statistics.count, 0);
  const names = await namesById(client);
  for (const metric of shownMetrics) {
    const entries = found.get(metric);
    world.print(`
${metric}, raw samples, ${shownServers} of ${entries.length} elements

`);
    world.print(`${statisticsTable(entries, names)}
`);
  }
  const read = `${demoMetrics.length} questions about ${wholeText(count)} samples`;
  world.print(`
Read back: ${read} in ${seconds.toFixed(2)} s
`);
  if (count < demoSampleCount) {
    throw new DemoError(`Expected ${wholeText(demoSampleCount)} samples, found ${wholeText(count)}`);
  }
}
async function namesById(client) {
  const names = /* @__PURE__ */ new Map();
  for (const fqn of demoServerNames.slice(0, shownServers)) {
    names.set(await client.elementId(fqn), fqn);
  }
  return names;
}
export {
  runDemo
};
//# sourceMappingURL=demo-GLV43ZN6.js.map

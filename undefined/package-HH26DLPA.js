import {
  Findings,
  archiveBytesMax,
  archiveLimits,
  assetKinds,
  findIn,
  jsonOf,
  pathOf,
  textOf,
  withoutTopFolder
} from "./chunk-33XIY2C7.js";
import {
  shown
} from "./chunk-FNENV4GL.js";
import {
  atOnce
} from "./chunk-KPUJ7UZQ.js";
import {
  tableText
} from "./chunk-ELSLXJNS.js";
import {
  lastWord
} from "./chunk-LB2TN2PK.js";
import "./chunk-IEKB2XZW.js";
import "./chunk-QNSZFSTN.js";
import {
  ServiceError,
  invalid
} from "./chunk-BZJGDYVY.js";
import "./chunk-WSUH7ILY.js";
import {
  pushAll
} from "./chunk-BLE2ZYMV.js";
import "./chunk-5L33DSE6.js";
import "./chunk-YBJXGIGP.js";

// src/command/package.ts
import { readFile as readFile3, stat as stat3, writeFile as writeFile2 } from "node:fs/promises";
import { basename, join as join3, resolve } from "node:path";

// src/packages/layout.ts
var path = "dashboard.properties.gridstackContents";
function layoutProblems({ widgets, properties }) {
  const ids = (widgets ?? []).map(({ id }) => id ?? "");
  const names = (widgets ?? []).map(({ name }) => name ?? "");
  const problems = [...twice(ids, "id"), ...twice(names, "name")];
  if (ids.length === 0) return problems;
  const placed = placedIds(properties?.["gridstackContents"]);
  if (placed === null) return [...problems, `${path}: expected a JSON array of places as a text`];
  for (const id of ids.filter((one) => !placed.includes(one))) {
    problems.push(`${path}: expected a place for the widget ${shown(id)}, got none`);
  }
  for (const id of placed.filter((one) => !ids.includes(one))) {
    problems.push(`${path}: expected ids of widgets, got ${shown(id)}`);
  }
  return problems;
}
function twice(values, field) {
  return values.flatMap((value, i) => {
    if (value === "" || values.indexOf(value) === i) return [];
    return [`dashboard.widgets[${i}].${field}: expected it once, got ${shown(value)} again`];
  });
}
function placedIds(text) {
  try {
    const places = JSON.parse(text ?? "");
    if (!Array.isArray(places)) return null;
    return places.map((place) => String(place?.id));
  } catch {
    return null;
  }
}

// src/packages/json-place.ts
import { findNodeAtOffset, parseTree, printParseErrorCode } from "jsonc-parser";
function jsonProblems(text) {
  const errors = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const broken = errors.map(({ error, offset }) => ({
    line: lineAt(text, offset),
    path: root === void 0 ? null : pathTo(findNodeAtOffset(root, offset)),
    problem: `expected JSON: ${printParseErrorCode(error)}`
  }));
  return [...broken, ...duplicates(text, root, "")];
}
function duplicates(text, node, path2) {
  const names = /* @__PURE__ */ new Set();
  return (node?.children ?? []).flatMap((child, i) => {
    if (node.type === "array") return duplicates(text, child, `${path2}[${i}]`);
    const name = String(child.children?.[0]?.value);
    const own = path2 === "" ? name : `${path2}.${name}`;
    const isTwice = names.has(name);
    names.add(name);
    const problem = "expected a name once in an object, got it again";
    const found = isTwice ? [{ line: lineAt(text, child.offset), path: own, problem }] : [];
    return [...found, ...duplicates(text, child.children?.[1], own)];
  });
}
function pathTo(node) {
  if (node?.parent === void 0) return null;
  const { parent } = node;
  const outer = pathTo(parent) ?? "";
  if (parent.type === "array") return `${outer}[${parent.children.indexOf(node)}]`;
  if (parent.type !== "property" || parent.children[0] === node) return outer || null;
  const name = String(parent.children[0].value);
  return outer === "" ? name : `${outer}.${name}`;
}
function lineOf(text, path2) {
  let node = parseTree(text);
  let rest = path2;
  while (node !== void 0 && rest !== "") {
    const next = step(node, rest);
    if (next === null) break;
    [node, rest] = next;
  }
  return lineAt(text, node?.offset ?? 0);
}
function step(node, path2) {
  const children = node.children ?? [];
  if (node.type === "array") {
    const index = /^\[(\d+)\]\.?/.exec(path2);
    const child = index === null ? void 0 : children[Number(index[1])];
    return child === void 0 ? null : [child, path2.slice(index[0].length)];
  }
  if (node.type !== "object") return null;
  for (const property of children) {
    const name = String(property.children?.[0]?.value);
    const after = path2[name.length];
    const isIt = path2.startsWith(name) && (after === void 0 || after === "." || after === "[");
    const value = property.children?.[1];
    if (isIt && value !== void 0) return [value, path2.slice(name.length).replace(/^\./, "")];
  }
  return null;
}
function lineAt(text, offset) {
  return text.slice(0, offset).split("\n").length;
}

// src/packages/check.ts
var severity = "error";
function checkPackage(archive, judge) {
  const files = withoutTopFolder(archive);
  const texts = /* @__PURE__ */ new Map();
  const problems = [];
  for (const name of files.keys()) {
    if (!name.endsWith(".json")) continue;
    try {
      texts.set(name, textOf(files.get(name)));
    } catch (error) {
      problems.push({
        file: name,
        line: null,
        path: null,
        problem: error.message,
        severity
      });
    }
  }
  const findings = new Findings();
  const content = atOnce(findIn(files, judge, findings));
  if (content !== null) {
    judgeLists(files, content.manifest, findings);
    for (const { file } of content.policies) judgeScope(file, texts.get(file), findings);
    for (const { file, content: dashboard } of content.dashboards) {
      findings.addAll(file, layoutProblems(dashboard));
    }
  }
  const isListed = namesOf(content?.manifest);
  for (const [file, text] of texts) {
    if (!isListed(file)) continue;
    for (const one of jsonProblems(text)) problems.push({ file, severity, ...one });
  }
  const isTold = ({ file, sentence }) => sentence.startsWith("expected JSON: ") && problems.some((one) => one.file === file);
  const placed = findings.list.filter((one) => !isTold(one)).map((one) => placeOf(one, texts));
  return [...problems, ...placed].sort(byPlace);
}
function namesOf(manifest) {
  if (manifest === void 0) return () => true;
  const names = new Set(assetKinds.flatMap((kind) => manifest.files[kind]));
  return (file) => file === "package.json" || names.has(file);
}
function judgeLists(files, manifest, findings) {
  for (const kind of assetKinds) {
    const listed = new Set(manifest.files[kind]);
    for (const file of files.keys()) {
      if (file.startsWith(`${kind}/`) && file.endsWith(".json") && !listed.has(file)) {
        findings.add(
          "package.json",
          `${kind}: expected every file of the folder, "${file}" is missing`
        );
      }
    }
  }
}
function judgeScope(file, text, findings) {
  if (text === void 0) return;
  const { policy } = jsonOf(text);
  const { scope } = policy;
  if (scope === void 0 || scope === null) {
    findings.warn(file, "policy.scope: got none, so the policy watches all elements");
    return;
  }
  const types = [scope["elementType"], scope["elementTypes"]].flat();
  if (types.some((type) => typeof type === "string" && type !== "")) return;
  findings.add(file, "policy.scope: expected elementType or elementTypes, got neither");
}
function placeOf({ file, sentence, isWarning }, texts) {
  const text = file === null ? void 0 : texts.get(file);
  const path2 = pathOf(sentence);
  const own = isWarning ? "warning" : severity;
  if (path2 === null || text === void 0)
    return { file, line: null, path: null, problem: sentence, severity: own };
  const problem = sentence.slice(path2.length + 2);
  return { file, line: lineOf(text, path2), path: path2, problem, severity: own };
}
function byPlace(one, other) {
  const [first, second] = [one.file ?? "", other.file ?? ""];
  if (first !== second) return first < second ? -1 : 1;
  return (one.line ?? 0) - (other.line ?? 0);
}

// src/packages/format.ts
function formatted(text) {
  const value = withoutEmpty(JSON.parse(text.replace(/^\ufeff/, "")));
  return `${JSON.stringify(value ?? {}, null, 2)}
`;
}
function withoutEmpty(value) {
  if (value === null || value === "" || value === "[]") return void 0;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const kept2 = value.map((one) => withoutEmpty(one)).filter((one) => one !== void 0);
    return kept2.length === 0 ? void 0 : kept2;
  }
  const kept = Object.entries(value).map(([name, one]) => [name, withoutEmpty(one)]).filter(([, one]) => one !== void 0).sort(([one], [other]) => one < other ? -1 : 1);
  return kept.length === 0 ? void 0 : Object.fromEntries(kept);
}

// src/packages/zip.ts
import JSZip from "jszip";
var dateMs = Date.UTC(1980, 0, 1);
async function zipOf(files) {
  const zip = new JSZip();
  const options = { date: new Date(dateMs), createFolders: false, binary: true };
  for (const name of [...files.keys()].sort()) zip.file(name, files.get(name), options);
  return zip.generateAsync({
    type: "uint8array",
    compression: "DEFLATE",
    compressionOptions: { level: 9 },
    platform: "UNIX"
  });
}

// src/command/package-address.ts
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
var urlDefault = "http://127.0.0.1:8080";
var variables = {
  url: "TIDEGAUGE_URL",
  user: "TIDEGAUGE_ADMIN_EMAIL",
  password: "TIDEGAUGE_ADMIN_PASSWORD"
};
async function serverAddress(flags, env) {
  const file = await credentialsOf(env);
  const valueOf = (name) => flags.get(name) || env[variables[name]] || file[name];
  const url = valueOf("url") ?? urlDefault;
  const [user, password] = [valueOf("user"), valueOf("password")];
  if (!/^https?:\/\/[^/]/.test(url)) throw invalid("--url: expected http:// or https://");
  if (user === void 0) throw invalid(`Expected --user or ${variables.user}`);
  if (password === void 0) throw invalid(`Expected --password or ${variables.password}`);
  return { url: url.replace(/\/+$/, ""), user, password };
}
async function credentialsOf(env) {
  const home = env["XDG_CONFIG_HOME"] || env["HOME"] && join(env["HOME"], ".config");
  if (!home) return {};
  const place = join(home, "tidegauge");
  const isFolder = await stat(place).then(
    (found) => found.isDirectory(),
    () => null
  );
  if (isFolder === null) return {};
  const path2 = isFolder ? join(place, "credentials.json") : place;
  const text = await readFile(path2, "utf8").catch(() => "{}");
  try {
    const values = JSON.parse(text);
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  } catch {
    throw invalid(`${path2}: expected a JSON object of url, user and password`);
  }
}

// src/command/package-client.ts
var answerMsMax = 12e4;
var PackageClient = class {
  address;
  fetch;
  constructor(address, fetch) {
    this.address = address;
    this.fetch = fetch;
  }
  async list() {
    const answer = await this.ask("/packages");
    return answer.packages;
  }
  install(archive) {
    const form = new FormData();
    form.set("file", new Blob([archive], { type: "application/zip" }), "pkg.zip");
    const path2 = `/packages/install?userEmail=${encodeURIComponent(this.address.user)}`;
    return this.ask(path2, { method: "POST", body: form });
  }
  async remove(id) {
    await this.ask(`/packages/${id}`, { method: "DELETE" });
  }
  /** By its id or its packageId. Throws `missing` where there is none. */
  async find(word) {
    const found = (await this.list()).find(({ id, packageId }) => id === word || packageId === word);
    if (found === void 0) {
      throw new ServiceError("missing", "Expected the id or packageId of an installed package");
    }
    return found;
  }
  async ask(path2, request = {}) {
    const { url, user, password } = this.address;
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
    const signal = AbortSignal.timeout(answerMsMax);
    const response = await this.fetch(url + path2, {
      ...request,
      headers: { Authorization: authorization },
      signal
    }).catch((cause) => {
      const why = cause.cause?.code ?? String(cause);
      throw new ServiceError("storage", `Cannot reach ${url}: ${why}`, { cause });
    });
    const text = await response.text();
    if (!response.ok) throw new ServiceError("invalid", refusal(response.status, text));
    return text === "" ? null : JSON.parse(text);
  }
};
function refusal(status, text) {
  try {
    const { errors } = JSON.parse(text);
    if (Array.isArray(errors) && errors.length > 0) return errors;
  } catch {
  }
  return [`The server answered ${status}: ${text.slice(0, 1e3)}`];
}

// src/command/package-folder.ts
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile as readFile2, stat as stat2, writeFile } from "node:fs/promises";
import { dirname, join as join2 } from "node:path";
var archiveName = "pkg.zip";
var skipped = ["node_modules"];
async function readFolder(folder) {
  if (!existsSync(folder)) throw invalid(`Expected a folder with a package, got ${folder}`);
  const files = /* @__PURE__ */ new Map();
  let bytes = 0;
  for (const name of await namesIn(folder, "")) {
    const path2 = join2(folder, name);
    bytes += (await stat2(path2)).size;
    if (bytes > archiveLimits.inflatedBytesMax) {
      throw invalid(`Expected a package of at most ${archiveLimits.inflatedBytesMax} bytes`);
    }
    files.set(name, await readFile2(path2));
  }
  return files;
}
async function namesIn(folder, start) {
  const names = [];
  for (const entry of await readdir(join2(folder, start), { withFileTypes: true })) {
    const isPart = !entry.name.startsWith(".") && !skipped.includes(entry.name);
    const name = start + entry.name;
    if (!isPart || name === archiveName) continue;
    if (entry.isFile()) names.push(name);
    else if (entry.isDirectory()) pushAll(names, await namesIn(folder, `${name}/`));
    if (names.length > archiveLimits.entriesMax) {
      throw invalid(`Expected at most ${archiveLimits.entriesMax} files in a package`);
    }
  }
  return names.sort();
}
async function initFolder(folder, name) {
  const files = firstFiles(name);
  const there = [...files.keys()].find((file) => existsSync(join2(folder, file)));
  if (there !== void 0) throw invalid(`Expected a folder without a package, got ${there} in it`);
  for (const [file, text] of files) {
    await mkdir(dirname(join2(folder, file)), { recursive: true });
    await writeFile(join2(folder, file), text);
  }
  return [...files.keys()];
}
function firstFiles(name) {
  const id = name.replace(/[^A-Za-z0-9._-]+/g, ".").replace(/^\.+|\.+$/g, "") || "my.package";
  const file = "policies/high.cpu.json";
  const condition = { analytic: "actual", level: 95, metric: "cpu.total", operator: ">" };
  const policy = {
    actions: [{ category: 2, type: "event" }],
    conditions: [condition],
    description: "The processors were busy for ten minutes.",
    duration: 600,
    enabled: true,
    name: "Processors busy",
    scope: { elementTypes: ["SERVER"] }
  };
  const manifest = {
    id,
    version: "0.1.0",
    manifest: {
      name: id,
      description: "",
      author: { name: "", email: "" },
      distro: { logo: null, download: null },
      compatibility: [],
      tags: [],
      checksum: null
    },
    policies: [{ data: { file, encoding: "application/json", content: null } }],
    analyticConfigurations: [],
    dashboards: []
  };
  return /* @__PURE__ */ new Map([
    ["package.json", `${JSON.stringify(manifest, null, 2)}
`],
    ["README.md", `# ${id}
`],
    [file, formatted(JSON.stringify({ policy }))]
  ]);
}

// src/command/progress-line.ts
var clearLine = "\r\x1B[K";
var ProgressLine = class {
  write;
  isTerminal;
  isShown = false;
  constructor(write, isTerminal) {
    this.write = write;
    this.isTerminal = isTerminal;
  }
  /** `text`: what is done from now on, without an end of line. */
  show(text) {
    this.write(this.isTerminal ? `${clearLine}${text} \u2026` : `${text}
`);
    this.isShown = true;
  }
  /** Before anything else is printed: a terminal's line would have its rest behind it. */
  clear() {
    if (this.isTerminal && this.isShown) this.write(clearLine);
    this.isShown = false;
  }
};

// src/command/package.ts
async function runPackage(world) {
  const { command: spec, words, options } = world.line;
  const command = { subject: words[0] ?? "", flags: options };
  const isJson = options.has("json");
  const progress = new ProgressLine(world.printError, world.isTerminal);
  try {
    const { status, json, text } = await verbs[lastWord(spec)](command, world, progress);
    progress.clear();
    const shown2 = isJson ? JSON.stringify(json, null, 2) : text;
    if (shown2 !== "") world.print(`${shown2}
`);
    return status;
  } catch (error) {
    progress.clear();
    const problems = problemsOf(error);
    if (isJson) world.print(`${JSON.stringify({ errors: problems }, null, 2)}
`);
    else world.printError(problems.map((one) => `tidegauge: ${one}
`).join(""));
    return 1;
  }
}
function problemsOf(error) {
  if (error instanceof ServiceError) return error.problems;
  if (error instanceof Error && "syscall" in error) return [error.message];
  throw error;
}
var verbs = {
  async init({ subject }) {
    const folder = folderOf(subject);
    const files = await initFolder(folder, basename(folder));
    return { status: 0, json: { folder, files }, text: `Wrote ${files.join(", ")} in ${folder}` };
  },
  async validate({ subject }, { judgeConfiguration }) {
    const files = await readFolder(folderOf(subject));
    const problems = checkPackage(files, judgeConfiguration);
    const text = problems.length === 0 ? "No problems." : problems.map(problemText).join("\n");
    return { status: problems.some(isError) ? 1 : 0, json: { problems }, text };
  },
  async format({ subject }) {
    const folder = folderOf(subject);
    const changed = changes(await readFolder(folder));
    for (const [name, text2] of changed) await writeFile2(join3(folder, name), text2);
    const names = [...changed.keys()];
    const text = names.length === 0 ? "Nothing to change." : `Formatted ${names.join(", ")}`;
    return { status: 0, json: { formatted: names }, text };
  },
  async lint({ subject }) {
    const names = [...changes(await readFolder(folderOf(subject))).keys()];
    const text = names.map((name) => `${name}: package format would change it`).join("\n");
    const status = names.length === 0 ? 0 : 1;
    return { status, json: { unformatted: names }, text: text || "Nothing to change." };
  },
  async create({ subject }, world, progress) {
    const folder = folderOf(subject);
    const files = await readFolder(folder);
    progress.show(`Packing ${files.size} files`);
    const problems = checkPackage(files, world.judgeConfiguration);
    const errors = problems.filter(isError);
    if (errors.length > 0) throw invalid(errors.map(problemText));
    progress.clear();
    for (const one of problems) world.printError(`${problemText(one)}
`);
    const archive = await zipOf(files);
    const path2 = join3(folder, archiveName);
    await writeFile2(path2, archive);
    const json = { archive: path2, files: files.size, bytes: archive.length };
    const text = `Wrote ${path2}: ${files.size} files, ${archive.length} bytes`;
    return { status: 0, json, text };
  },
  async install(command, world, progress) {
    const { size } = await stat3(command.subject);
    if (size > archiveBytesMax)
      throw invalid(`Expected an archive of at most ${archiveBytesMax} bytes`);
    const archive = await readFile3(command.subject);
    const client = await clientOf(command, world);
    progress.show(`Sending ${basename(command.subject)}, ${archive.length} bytes`);
    const answer = await client.install(new Uint8Array(archive));
    const warnings = answer.warnings.map((one) => `
warning: ${one}`).join("");
    const { packageId, version, id } = answer.package;
    return {
      status: 0,
      json: answer,
      text: `Installed ${packageId} ${version} as ${id}${warnings}`
    };
  },
  async list(command, world) {
    const packages = await (await clientOf(command, world)).list();
    return { status: 0, json: { packages }, text: packageTable(packages) };
  },
  async show(command, world) {
    const found = await (await clientOf(command, world)).find(command.subject);
    return { status: 0, json: { package: found }, text: JSON.stringify(found, null, 2) };
  },
  async uninstall(command, world, progress) {
    const client = await clientOf(command, world);
    const { id, packageId, version } = await client.find(command.subject);
    progress.show(`Removing ${packageId} ${version}`);
    await client.remove(id);
    return { status: 0, json: { removed: id }, text: `Removed ${packageId} ${version}` };
  }
};
function folderOf(subject) {
  return resolve(subject || ".");
}
async function clientOf({ flags }, { env, fetch }) {
  return new PackageClient(await serverAddress(flags, env), fetch);
}
function changes(files) {
  const changed = /* @__PURE__ */ new Map();
  for (const [name, bytes] of files) {
    const isAsset = assetKinds.some((kind) => name.startsWith(`${kind}/`)) && name.endsWith(".json");
    if (!isAsset) continue;
    const text = Buffer.from(bytes).toString("utf8");
    const wanted = formattedFile(name, text);
    if (wanted.trimEnd() !== text.replace(/\r?\n$/, "")) changed.set(name, wanted);
  }
  return changed;
}
function formattedFile(name, text) {
  try {
    return formatted(text);
  } catch (cause) {
    throw new ServiceError("invalid", `${name}: expected JSON: ${cause.message}`, {
      cause
    });
  }
}
var isError = (problem) => problem.severity === "error";
function problemText({ file, line, path: path2, problem, severity: severity2 }) {
  const place = file === null ? "" : line === null ? `${file}: ` : `${file}:${line}: `;
  const kind = severity2 === "error" ? "" : `${severity2}: `;
  return place + kind + (path2 === null ? problem : `${path2}: ${problem}`);
}
function packageTable(packages) {
  if (packages.length === 0) return "None.";
  const names = ["id", "package", "version", "policies", "configurations", "dashboards", "updated"];
  const rows = packages.map((one) => [
    one.id,
    one.packageId,
    one.version,
    String(one.policies.length),
    String(one.analyticConfigurations.length),
    String(one.dashboards.length),
    one.updated
  ]);
  return tableText(names, rows);
}
export {
  runPackage
};
//# sourceMappingURL=package-HH26DLPA.js.map

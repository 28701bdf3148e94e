/**
 * The architecture as a table: which folder may import which, and through which files outside
 * packages enter. src/README.md holds a copy for readers; a test keeps the two equal.
 *
 * A rule that does not fit the code twice is changed here first, in a commit of its own, with the
 * reason.
 */

export interface Layer {
  readonly folder: string
  /** Folders of `src` that it may import, besides itself. */
  readonly mayImport: readonly string[]
  /** A pure layer uses no disk, clock, network or thread: no `node:` module either. */
  readonly isPure?: true
  /** The only files that other folders may import; every file if absent. */
  readonly publicModules?: readonly string[]
}

const domain = ["base", "model"]
const arithmetic = [...domain, "rollup", "catalogue"]

/** From the lowest to the highest. */
export const layers: readonly Layer[] = [
  { folder: "base", mayImport: [] },
  { folder: "model", mayImport: ["base"], isPure: true },
  // Every call to an address that comes from outside goes through it.
  { folder: "outbound", mayImport: ["base"] },
  // Below records, which parse templates when they are saved.
  { folder: "template", mayImport: ["base"], isPure: true },
  { folder: "codec", mayImport: ["base"], isPure: true },
  { folder: "digest", mayImport: ["base", "codec"], isPure: true },
  { folder: "rollup", mayImport: [...domain, "codec", "digest"], isPure: true },
  {
    folder: "catalogue",
    mayImport: domain,
    isPure: true,
    publicModules: ["catalogue.ts", "merge.ts", "edit.ts", "settings-source.ts"],
  },
  { folder: "analysis", mayImport: [...domain, "codec", "digest", "rollup"], isPure: true },
  { folder: "policy", mayImport: domain, isPure: true },
  { folder: "formula", mayImport: ["base"], isPure: true },
  { folder: "analytics-settings", mayImport: [...domain, "formula"], isPure: true },
  // Long answers are serialized on the query threads that compute them, so wire is below query.
  { folder: "wire", mayImport: domain, isPure: true },
  { folder: "config", mayImport: [...domain, "outbound", "wire"] },
  { folder: "runtime", mayImport: ["base"] },
  { folder: "accounts", mayImport: domain },
  { folder: "records", mayImport: [...domain, "policy", "template", "wire"] },
  { folder: "notify", mayImport: [...domain, "wire", "template", "outbound"] },
  { folder: "packages", mayImport: [...domain, "wire", "records"] },
  { folder: "ingest", mayImport: arithmetic },
  {
    folder: "store",
    mayImport: [...arithmetic, "codec", "digest"],
    publicModules: [
      "append-store.ts",
      "maintenance-store.ts",
      "document-store.ts",
      "backup-vault.ts",
      "cycle-store.ts",
      "query-store.ts",
      "late-notes.ts",
      "store.ts",
      "open.ts",
      "export-store.ts",
    ],
  },
  { folder: "control", mayImport: ["base", "store"] },
  {
    folder: "engine",
    mayImport: [...arithmetic, "analytics-settings", "ingest", "store"],
    publicModules: [
      "ingest-queue.ts",
      "request-batch.ts",
      "shard-protocol.ts",
      // An import applies the settings of packages to the metrics that it adds.
      "settings-backfill.ts",
    ],
  },
  // Files of samples: export and import.
  { folder: "transfer", mayImport: [...arithmetic, "ingest", "store", "engine"] },
  // Vaults of backups and their schedule; only a thread of its own and commands load the client.
  { folder: "backup", mayImport: [...domain, "store"] },
  // The closing of a cycle: pure arithmetic over what the store reads.
  {
    folder: "cycle",
    mayImport: [...arithmetic, "analysis", "policy", "formula", "analytics-settings", "store"],
  },
  {
    folder: "query",
    mayImport: [...arithmetic, "analysis", "policy", "wire", "store"],
    publicModules: ["query.ts"],
  },
  {
    folder: "http",
    // Of runtime it needs the program's own files, the pages at /docs.
    mayImport: [
      ...domain,
      "runtime",
      "wire",
      "accounts",
      "records",
      "notify",
      "packages",
      "ingest",
      "engine",
      "query",
    ],
    publicModules: ["http.ts"],
  },
  {
    folder: "command",
    mayImport: [
      ...domain,
      "rollup",
      "analysis",
      "wire",
      "config",
      "accounts",
      "packages",
      "store",
      "control",
      "engine",
      "backup",
      "cycle",
      "transfer",
    ],
  },
]

/** Composition roots put the layers together: they may import every file of these and of `layers`. */
export const compositionRoots: readonly Layer[] = [
  { folder: "worker", mayImport: layers.map(({ folder }) => folder) },
  { folder: "server", mayImport: [...layers.map(({ folder }) => folder), "worker"] },
  // Runs in browsers; of ours it shares no code, so that a page never carries a server's.
  { folder: "web", mayImport: [] },
  // No part of the program: `npm run build` runs it.
  { folder: "build", mayImport: ["web"] },
  // How the single executable starts; the scripts that it runs come from src/main.ts and worker.
  { folder: "executable", mayImport: ["base", "runtime"] },
]

/**
 * The sub-folders of a folder, from the lowest to the highest; "" is the folder's own files. A file
 * imports its own sub-folder and lower ones only.
 */
export const innerLayers: Readonly<Record<string, readonly string[]>> = {
  "src/model": ["", "records"],
  "src/server": ["startup", "watch", "reload", "backup", ""],
  "src/rollup": ["", "encoding"],
  "src/wire": [
    "",
    "records",
    "accounts",
    "statistics",
    "elements",
    "filter",
    "search",
    "series",
    "description",
  ],
  "src/records": ["core", "secrets", "incidents", "dashboards", "integrations", ""],
  "src/store/lmdb": [
    "disk",
    "encoding",
    "tiers",
    "metadata",
    "wal",
    "merge",
    "compaction",
    "read",
    "forgetting",
    "",
    "integrity",
    "backup",
  ],
  "src/query": [
    "names",
    "core",
    "filter",
    "metrics",
    "search",
    "parallel",
    "admission",
    "policies",
    "statistics",
    "series",
    "elements",
    "",
  ],
  "src/http": ["live", "shared", "ingest", "description", "api", "pages", ""],
  "src/web": ["style", "platform", "format", "url", "api", "parts", "chart", "frame", "pages", ""],
  "src/http/api": ["metrics", "", "routes"],
  "src/transfer": ["", "format", "export", "import"],
  "src/command": [
    "line",
    "text",
    "settings",
    "replay",
    "store",
    "account",
    "package",
    "transfer",
    "health",
    "",
  ],
}

/** Packages that are bundled into the pages, which no server loads. */
export const browserPackages = ["preact", "@preact/signals", "valibot", "uplot", "@dagrejs/dagre"]

/** Modules that src/build/web.ts makes: the name of the worker's file. */
export const virtualModules = ["worker:dense"]

/** Each outside package, and the files or folders (ending with a slash) through which it enters. */
export const packageDoors: Readonly<Record<string, readonly string[]>> = {
  hono: ["src/http/"],
  "@hono/node-server": ["src/http/"],
  re2js: ["src/base/text/pattern.ts"],
  "ipaddr.js": ["src/outbound/"],
  nodemailer: ["src/notify/mail.ts"],
  piscina: ["src/engine/worker-pool.ts"],
  lmdb: ["src/store/lmdb/"],
  msgpackr: ["src/store/lmdb/"],
  valibot: ["src/wire/"],
  "@valibot/to-json-schema": ["src/wire/"],
  "csv-parse": ["src/command/replay/csv-rows.ts"],
  hyparquet: ["src/transfer/import/parquet-reader.ts"],
  "hyparquet-writer": ["src/transfer/format/parquet-writer.ts"],
  yauzl: ["src/packages/unzip.ts"],
  jszip: ["src/packages/zip.ts"],
  semver: ["src/packages/version.ts"],
  "jsonc-parser": ["src/packages/json-position.ts"],
  pino: ["src/runtime/logger.ts"],
  "prom-client": ["src/http/"],
  s3mini: ["src/backup/s3-vault.ts"],
  marked: ["src/http/description/markdown.ts"],
}

/** `src/store/lmdb/wal/wal.ts` → `store`; `undefined` for a file such as `src/main.ts`. */
export function folderOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1]
}

/** The sub-folder of `path` below `folder`, "" for a file of the folder itself. */
export function innerFolderOf(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined
  const [inner, ...rest] = path.slice(folder.length + 1).split("/")
  return rest.length === 0 ? "" : inner
}

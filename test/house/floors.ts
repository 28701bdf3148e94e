/**
 * The drawing of the house as a table: who may import whom, and where outside packages enter.
 * Another copy, for people, stands in src/README.md; a test keeps the two equal.
 *
 * A rule that fights the real code twice is changed here first, in its own commit, with the reason.
 */

export interface Floor {
  readonly folder: string
  /** Folders of ours that it may import, beside itself. */
  readonly mayImport: readonly string[]
  /** Pure floors know no disk, clock, network or threads: nothing of `node:` either. */
  readonly pure?: true
  /** The only files that others may import; every file where absent. Roots may import any file. */
  readonly doors?: readonly string[]
}

/** From the ground up. */
export const floors: readonly Floor[] = [
  { folder: "base", mayImport: [] },
  { folder: "model", mayImport: ["base"], pure: true },
  // Every call to an address from outside goes through here.
  { folder: "outbound", mayImport: ["base"] },
  // Below records, which read templates when they are saved.
  { folder: "template", mayImport: ["base"], pure: true },
  { folder: "codec", mayImport: ["base"], pure: true },
  { folder: "digest", mayImport: ["base", "codec"], pure: true },
  { folder: "rollup", mayImport: ["base", "model", "codec", "digest"], pure: true },
  {
    folder: "catalogue",
    mayImport: ["base", "model"],
    pure: true,
    doors: ["catalogue.ts", "merge.ts", "amend.ts", "settings-source.ts"],
  },
  {
    folder: "analysis",
    mayImport: ["base", "model", "codec", "digest", "rollup"],
    pure: true,
  },
  { folder: "policy", mayImport: ["base", "model"], pure: true },
  { folder: "formula", mayImport: ["base"], pure: true },
  { folder: "configuration", mayImport: ["base", "model", "formula"], pure: true },
  // Long answers are printed where they are computed, on the query threads: so wire lies below
  // query.
  { folder: "wire", mayImport: ["base", "model"], pure: true },
  { folder: "accounts", mayImport: ["base", "model"] },
  { folder: "records", mayImport: ["base", "model", "policy", "template", "wire"] },
  { folder: "notify", mayImport: ["base", "model", "wire", "template", "outbound"] },
  { folder: "packages", mayImport: ["base", "model", "wire", "records"] },
  { folder: "ingest", mayImport: ["base", "model", "rollup", "catalogue"] },
  {
    folder: "store",
    mayImport: ["base", "model", "codec", "digest", "rollup", "catalogue"],
    doors: ["store.ts", "open.ts"],
  },
  {
    folder: "engine",
    mayImport: ["base", "model", "rollup", "catalogue", "configuration", "ingest", "store"],
    doors: ["intake.ts", "pack.ts", "task.ts"],
  },
  // The closing of a cycle: pure arithmetic over what the store reads.
  {
    folder: "cycle",
    mayImport: [
      "base",
      "model",
      "rollup",
      "catalogue",
      "analysis",
      "policy",
      "formula",
      "configuration",
      "store",
    ],
  },
  {
    folder: "query",
    mayImport: ["base", "model", "rollup", "catalogue", "policy", "wire", "store"],
    doors: ["query.ts"],
  },
  {
    folder: "http",
    mayImport: [
      "base",
      "model",
      "wire",
      "accounts",
      "records",
      "notify",
      "packages",
      "ingest",
      "engine",
      "query",
    ],
    doors: ["http.ts"],
  },
  // What the first start made is told by the command line, so command knows its type.
  {
    folder: "command",
    mayImport: [
      "base",
      "model",
      "rollup",
      "analysis",
      "wire",
      "accounts",
      "packages",
      "store",
      "cycle",
    ],
  },
]

/** Each outside package, and the files or folders (ending with a slash) through which it enters. */
export const packageDoors: Readonly<Record<string, readonly string[]>> = {
  hono: ["src/http/"],
  "@hono/node-server": ["src/http/"],
  re2js: ["src/base/pattern.ts"],
  "ipaddr.js": ["src/outbound/"],
  nodemailer: ["src/notify/mail.ts"],
  piscina: ["src/engine/pool.ts"],
  lmdb: ["src/store/lmdb/"],
  msgpackr: ["src/store/lmdb/"],
  valibot: ["src/wire/"],
  "@valibot/to-json-schema": ["src/wire/"],
  "csv-parse": ["src/command/csv-rows.ts"],
  yauzl: ["src/packages/unzip.ts"],
  jszip: ["src/packages/zip.ts"],
  semver: ["src/packages/version.ts"],
  "jsonc-parser": ["src/packages/json-place.ts"],
  pino: ["src/log-pino.ts"],
  "prom-client": ["src/http/"],
}

/** `src/store/lmdb/frame.ts` → `store`; `undefined` for a root such as `src/main.ts`. */
export function folderOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1]
}

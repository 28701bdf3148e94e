/** Composes the packages of one server, and those that come with it in `data/packages`. */

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Accounts } from "../accounts/accounts.ts"
import type { Clock } from "../base/clock.ts"
import { invalid } from "../base/errors.ts"
import type { Logger } from "../base/log.ts"
import { systemRandom } from "../base/random.ts"
import { problemSteps } from "../analytics-settings/parse-configuration.ts"
import type { DocumentStore } from "../model/document.ts"
import { BundledPackages, readBundle, type BundledPackagesOptions } from "../packages/bundled.ts"
import { Packages, type PackagesOptions } from "../packages/packages.ts"
import type { ArchiveFiles } from "../packages/unzip.ts"
import type { QueryRequest, ReservedAnswer } from "../query/query.ts"
import type { Records } from "../records/records.ts"

export interface ServerPackagesOptions {
  readonly clock: Clock
  readonly documents: DocumentStore
  readonly accounts: Pick<Accounts, "tenantUuid">
  readonly records: Records
  readonly log: Pick<Logger, "error">
  /** Answers a query of the server itself. */
  readonly ask: (request: QueryRequest) => Promise<ReservedAnswer>
  readonly download: PackagesOptions["download"]
}

export interface ServerPackages {
  readonly packages: Packages
  readonly bundled: BundledPackages
}

/** The thread that reads archives takes requests: a slice is a fraction of what they may wait. */
const pauses: PackagesOptions["pauses"] = {
  elapsedMs: () => performance.now(),
  sliceMs: 2,
  pause: () => new Promise((resolve) => setImmediate(resolve)),
}

/** Throws `invalid` if a folder of `data/packages` is not a valid package. */
export function openServerPackages(options: ServerPackagesOptions): ServerPackages {
  const { clock, documents, accounts, records, log } = options
  const { download } = options
  const deps = { documents, clock, random: systemRandom }
  const packages = new Packages({
    deps,
    records,
    tenantUuid: (tenant) => accounts.tenantUuid(tenant),
    validateConfiguration: problemSteps,
    pauses,
    download,
  })
  const bundled = new BundledPackages({
    deps,
    packages,
    datasources: records.datasources,
    hasMetrics: metricFinder(options),
    bundle: readBundle(bundledFolders().map(filesIn), problemSteps),
    onError: (err) => log.error({ err }, "installing a bundled package failed"),
  })
  return { packages, bundled }
}

function metricFinder({ ask, clock }: ServerPackagesOptions): BundledPackagesOptions["hasMetrics"] {
  return async (tenant, prefix) => {
    const items = [{ item: prefix, contains: true, queryType: "PREFIX" }]
    const body = {
      metricFqns: { and: false, items },
      sourceFilter: { includes: ["fqn"] },
      pageSize: 1,
    }
    const nowMs = clock.nowMs()
    const answer = await ask({ kind: "metricQuery", tenant, nowMs, params: {}, body })
    const { page } = answer.json() as { page: { content: unknown[] } }
    return page.content.length > 0
  }
}

/**
 * Paths of `data/packages` from the sources and `dist`, and from the tests' bundles, which are one
 * folder deeper.
 */
const searched = ["../data/packages/", "../../data/packages/"]

/** Folders of the packages that come with the server, in order of their names. */
function bundledFolders(): string[] {
  const paths = searched.map((path) => fileURLToPath(new URL(path, import.meta.url)))
  const found = paths.find((path) => existsSync(path))
  if (found === undefined) throw invalid(`Expected the server's packages in ${paths.join(" or ")}`)
  const entries = readdirSync(found, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return folders.sort().map((name) => join(found, name))
}

function filesIn(folder: string): ArchiveFiles {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  const files = new Map<string, Uint8Array>()
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1).replaceAll("\\", "/")
    files.set(name, readFileSync(path))
  }
  return files
}

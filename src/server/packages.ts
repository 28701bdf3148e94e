/** Composes the packages of one server, and those that come with it in `data/packages`. */

import type { Accounts } from "../accounts/accounts.ts"
import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import { systemRandom } from "../base/random.ts"
import { problemSteps } from "../analytics-settings/parse-configuration.ts"
import type { DocumentStore } from "../model/document.ts"
import {
  type BundledPackage,
  bundledPackage,
  BundledPackages,
  type BundledPackagesOptions,
} from "../packages/bundled.ts"
import { packageManifestFile } from "../packages/manifest.ts"
import { Packages, type PackagesOptions } from "../packages/packages.ts"
import type { QueryRequest, ReservedAnswer } from "../query/query.ts"
import type { Records } from "../records/records.ts"
import { resources } from "../runtime/resources.ts"

interface ServerPackagesOptions {
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
    bundle: readBundle,
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

/** The packages that come with the server, in order of their folders' names. */
function readBundle(): BundledPackage[] {
  const folders = new Map<string, string[]>()
  for (const path of resources.list("packages")) {
    const [, folder = "", ...rest] = path.split("/")
    // A file next to the folders is in no package.
    if (rest.length === 0) continue
    folders.set(folder, [...(folders.get(folder) ?? []), rest.join("/")])
  }
  return [...folders].map(([folder, names]) => {
    const read = (name: string) => resources.read(`packages/${folder}/${name}`)
    const files = () => new Map(names.map((name) => [name, read(name)]))
    return bundledPackage(files, read(packageManifestFile))
  })
}

/**
 * Packages that come with the server. Each installs by itself when an integration that its manifest
 * calls compatible first sends data; once an account, and never again after a person removed it.
 *
 *   INFRASTRUCTURE         an integration of this type, or whoever posts to /ingest/infrastructure
 *   INFRASTRUCTURE:Linux   the same: Linux is what the agent of this type watches by itself
 *   INFRASTRUCTURE:nginx   and it has sent metrics of its collector `nginx`, as `nginx.requests`
 *   GLOBAL                 any integration
 *
 * A collector may be switched on long after its agent, so where one is waited for, its metrics are
 * looked for again while data comes.
 *
 *   documents   "bundledPackage:<tenant>" / packageId    { atMs }    it was offered
 */

import type { DocumentChange } from "../model/document.ts"
import type { RecordsDeps } from "../records/core/record-collection.ts"
import type { Records } from "../records/records.ts"
import { readPackage, type ValidateConfiguration, type PackageContent } from "./content.ts"
import type { Packages } from "./packages.ts"
import type { ArchiveFiles } from "./unzip.ts"

const kind = "bundledPackage"

export interface BundledPackagesOptions {
  readonly deps: Pick<RecordsDeps, "documents" | "clock">
  readonly packages: Packages
  readonly datasources: Pick<Records["datasources"], "find">
  /** Whether an account has a metric whose id begins so, in either case. */
  readonly hasMetrics: (tenant: number, prefix: string) => Promise<boolean>
  /** What comes with the server, judged (`readBundle`). */
  readonly bundle: readonly PackageContent[]
  readonly onError: (error: unknown) => void
}

/** Whose data came. */
export interface IngestSource {
  readonly tenant: number
  readonly datasourceId: number
}

/** Reads packages that lie unpacked; throws `invalid` where one is none. */
export function readBundle(
  folders: readonly ArchiveFiles[],
  judge: ValidateConfiguration,
): PackageContent[] {
  return folders.map((files) => readPackage(files, judge))
}

/** Senders that are remembered as seen, of all accounts; beyond, one more read of documents each. */
const sourcesMax = 100_000

/** How long metrics of a collector are not looked for again: a cycle. */
const recheckMs = 300_000

/** What an integration of a type watches by itself, without a collector that is named in metrics. */
const builtInCollectors: Readonly<Record<string, string>> = {
  infrastructure: "linux",
  kubernetes: "containers",
}

/** One word of `manifest.compatibility`, in lower case. */
interface CompatibleSource {
  readonly type: string
  /** Null where no more than the type is asked. */
  readonly collector: string | null
}

const anyType = "global"

export class BundledPackages {
  private readonly options: BundledPackagesOptions
  /** Types for which some package is; what else is sent never matches. */
  private readonly types: ReadonlySet<string>
  /** By the word of the path: datasources of accounts, and when to look at them again. */
  private seen = new Map<string, Map<string, number>>()
  private seenCount = 0
  private running: Promise<void> = Promise.resolve()

  constructor(options: BundledPackagesOptions) {
    this.options = options
    this.types = new Set(options.bundle.flatMap(compatibleOf).map(({ type }) => type))
  }

  /**
   * To be told of every request that was accepted, with the word of its path (`/ingest/{kind}/…`);
   * costs two lookups where it is not the first.
   */
  onIngest(sender: IngestSource, pathKind: string | null): void {
    const word = pathKind === null ? "" : pathKind.toLowerCase()
    const type = this.types.has(word) ? word : ""
    const senders = this.seen.get(type) ?? new Map<string, number>()
    const key = `${sender.tenant}/${sender.datasourceId}`
    const againMs = senders.get(key)
    const { clock } = this.options.deps
    if (againMs !== undefined && (againMs === Infinity || clock.nowMs() < againMs)) return
    if (againMs === undefined) this.countSource()
    senders.set(key, Infinity)
    this.seen.set(type, senders)
    this.running = this.running
      .then(() => this.offer(sender, type))
      .then((isWaiting) => {
        if (isWaiting) senders.set(key, clock.nowMs() + recheckMs)
      })
      .catch((error: unknown) => {
        // The next request tries again.
        senders.set(key, 0)
        this.options.onError(error)
      })
  }

  /** Resolves when everything that was noticed so far is installed or refused. */
  drained(): Promise<void> {
    return this.running
  }

  private countSource(): void {
    if (this.seenCount++ < sourcesMax) return
    this.seen = new Map()
    this.seenCount = 1
  }

  /** True where a package waits for metrics of a collector. */
  private async offer({ tenant, datasourceId }: IngestSource, word: string): Promise<boolean> {
    const datasource = await this.options.datasources.find(tenant, String(datasourceId))
    const types = new Set([anyType, word, datasource?.body.type.toLowerCase() ?? ""])
    let isWaiting = false
    for (const content of this.options.bundle) {
      const ofType = compatibleOf(content).filter(({ type }) => types.has(type))
      if (ofType.length === 0 || (await this.wasOffered(tenant, content))) continue
      if (await this.someCollects(tenant, ofType)) await this.install(tenant, content)
      else isWaiting = true
    }
    return isWaiting
  }

  private async wasOffered(tenant: number, { manifest }: PackageContent): Promise<boolean> {
    const { documents } = this.options.deps
    return (await documents.get(`${kind}:${tenant}`, manifest.packageId)) !== undefined
  }

  private async someCollects(
    tenant: number,
    wanted: readonly CompatibleSource[],
  ): Promise<boolean> {
    for (const { type, collector } of wanted) {
      if (collector === null || builtInCollectors[type] === collector) return true
      if (await this.options.hasMetrics(tenant, `${collector}.`)) return true
    }
    return false
  }

  private async install(tenant: number, content: PackageContent): Promise<void> {
    const { deps, packages } = this.options
    const { packageId, authorEmail } = content.manifest
    const id = `${kind}:${tenant}`
    const offered: DocumentChange = { kind: id, id: packageId, document: this.mark() }
    // A person installed it, perhaps in another version: it stays as it is.
    if ((await packages.list(tenant, { packageId })).length > 0) {
      return deps.documents.putAll([offered])
    }
    const caller = { tenant, email: authorEmail ?? "", userId: null, isAdministrator: true }
    await packages.install(caller, [{ content, url: null, userEmail: null }], () => [offered])
  }

  private mark(): { readonly atMs: number } {
    return { atMs: this.options.deps.clock.nowMs() }
  }
}

function compatibleOf({ manifest }: PackageContent): CompatibleSource[] {
  return manifest.compatibility.flatMap((text) => {
    const [type, ...rest] = text.toLowerCase().split(":")
    const collector = rest.join(":").trim()
    const isSaid = type!.trim() !== ""
    return isSaid ? [{ type: type!.trim(), collector: collector === "" ? null : collector }] : []
  })
}

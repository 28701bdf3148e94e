/**
 * Packages that are bundled with the server. Each is installed automatically when an integration
 * listed in its manifest's `compatibility` first sends data: once per account, and never again
 * after a user removed it.
 *
 *   INFRASTRUCTURE         an integration of this type, or any sender to /ingest/infrastructure
 *   INFRASTRUCTURE:Linux   the same: the agent of this type collects Linux metrics by itself
 *   INFRASTRUCTURE:nginx   and it has sent metrics of its collector `nginx`: `nginx.requests`, …
 *   GLOBAL                 any integration
 *
 * A collector may be enabled long after its agent, so while a package waits for one, its metrics
 * are searched for again as data arrive.
 *
 *   documents   "bundledPackage:<tenant>" / packageId    { atMs }    it was offered
 */

import { BoundedCache } from "../base/bounded-cache.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { DocumentChange } from "../model/document.ts"
import type { RecordsDeps } from "../records/core/record-collection.ts"
import type { Records } from "../records/records.ts"
import { jsonOf, decodeText } from "./json-file.ts"
import { readPackageManifest, type PackageManifest } from "./manifest.ts"
import type { Packages } from "./packages.ts"
import type { ArchiveFiles } from "./unzip.ts"

const kind = "bundledPackage"

export interface BundledPackagesOptions {
  readonly deps: Pick<RecordsDeps, "documents" | "clock">
  readonly packages: Packages
  readonly datasources: Pick<Records["datasources"], "find">
  /** Whether an account has a metric whose id begins with `prefix`, ignoring case. */
  readonly hasMetrics: (tenant: TenantIndex, prefix: string) => Promise<boolean>
  /** The bundled packages: called once, when the first request is accepted. */
  readonly bundle: () => readonly BundledPackage[]
  readonly onError: (error: unknown) => void
}

/** The integration that sent an ingest request. */
export interface IngestSource {
  readonly tenant: TenantIndex
  readonly datasourceId: number
}

/**
 * One package that comes with the server. Its manifest says who gets it; all else is read when an
 * account gets it, since reading one takes 8 to 30 ms of CPU.
 */
export interface BundledPackage {
  readonly manifest: PackageManifest
  readonly files: () => ArchiveFiles
}

/** Reads the manifest alone; throws `invalid` if it is not valid. */
export function bundledPackage(files: () => ArchiveFiles, manifest: Uint8Array): BundledPackage {
  return { manifest: readPackageManifest(jsonOf(decodeText(manifest))), files }
}

/** Remembered senders of all accounts; any other costs one more read of documents. */
const sourcesMax = 100_000

/** Minimum time between two searches for a collector's metrics: a cycle. */
const recheckMs = 300_000

/** Collectors built into the agents of a type, whose names are not in metric names. */
const builtInCollectors: Readonly<Record<string, string>> = {
  infrastructure: "linux",
  kubernetes: "containers",
}

/** One entry of `manifest.compatibility`, in lower case. */
interface CompatibleSource {
  readonly type: string
  /** Null if the type alone is required. */
  readonly collector: string | null
}

const anyType = "global"

export class BundledPackages {
  private readonly options: BundledPackagesOptions
  private bundle: readonly BundledPackage[] | null = null
  /** Types with a package; other types never match. */
  private types: ReadonlySet<string> = new Set()
  /** By type in the path and sender: when to check it again. */
  private readonly recheckAtMs = new BoundedCache<string, number>(sourcesMax, "all")
  private running: Promise<void> = Promise.resolve()

  constructor(options: BundledPackagesOptions) {
    this.options = options
  }

  /**
   * To be called for every accepted request, with the type in its path (`/ingest/{type}/…`). Costs
   * one look-up for a known sender.
   */
  onIngest(sender: IngestSource, pathKind: string | null): void {
    if (this.bundle === null) this.readManifests()
    const word = pathKind === null ? "" : pathKind.toLowerCase()
    const type = this.types.has(word) ? word : ""
    const key = `${sender.tenant}/${sender.datasourceId}/${type}`
    const recheckAtMs = this.recheckAtMs.get(key)
    const { clock } = this.options.deps
    if (recheckAtMs === Infinity) return
    if (recheckAtMs !== undefined && clock.nowMs() < recheckAtMs) return
    this.recheckAtMs.set(key, Infinity)
    this.running = this.running
      .then(() => this.offer(sender, type))
      .then((isWaiting) => {
        if (isWaiting) this.recheckAtMs.set(key, clock.nowMs() + recheckMs)
      })
      .catch((error: unknown) => {
        // The next request tries again.
        this.recheckAtMs.set(key, 0)
        this.options.onError(error)
      })
  }

  private readManifests(): void {
    this.bundle = []
    try {
      this.bundle = this.options.bundle()
    } catch (error) {
      this.options.onError(error)
    }
    this.types = new Set(this.bundle.flatMap(compatibleOf).map(({ type }) => type))
  }

  /** Resolves when the packages of all senders so far are installed or rejected. */
  drained(): Promise<void> {
    return this.running
  }

  /** Installs packages for a sender; returns true if one waits for metrics of a collector. */
  private async offer({ tenant, datasourceId }: IngestSource, word: string): Promise<boolean> {
    const datasource = await this.options.datasources.find(tenant, String(datasourceId))
    const types = new Set([anyType, word, datasource?.body.type.toLowerCase() ?? ""])
    let isWaiting = false
    for (const bundled of this.bundle ?? []) {
      const ofType = compatibleOf(bundled).filter(({ type }) => types.has(type))
      if (ofType.length === 0 || (await this.wasOffered(tenant, bundled))) continue
      if (await this.someCollects(tenant, ofType)) await this.install(tenant, bundled)
      else isWaiting = true
    }
    return isWaiting
  }

  private async wasOffered(tenant: TenantIndex, { manifest }: BundledPackage): Promise<boolean> {
    const { documents } = this.options.deps
    return (await documents.get(`${kind}:${tenant}`, manifest.packageId)) !== undefined
  }

  private async someCollects(
    tenant: TenantIndex,
    wanted: readonly CompatibleSource[],
  ): Promise<boolean> {
    for (const { type, collector } of wanted) {
      if (collector === null || builtInCollectors[type] === collector) return true
      if (await this.options.hasMetrics(tenant, `${collector}.`)) return true
    }
    return false
  }

  private async install(tenant: TenantIndex, { manifest, files }: BundledPackage): Promise<void> {
    const { deps, packages } = this.options
    const { packageId, authorEmail } = manifest
    const id = `${kind}:${tenant}`
    const offered: DocumentChange = { kind: id, id: packageId, document: this.mark() }
    // A user installed it, perhaps in another version: it is left unchanged.
    if ((await packages.list(tenant, { packageId })).length > 0) {
      return deps.documents.putAll([offered])
    }
    const content = await packages.readFiles(files())
    const caller = { tenant, email: authorEmail ?? "", userId: null, isAdministrator: true }
    await packages.install(caller, [{ content, url: null, userEmail: null }], () => [offered])
  }

  private mark(): { readonly atMs: number } {
    return { atMs: this.options.deps.clock.nowMs() }
  }
}

function compatibleOf({ manifest }: BundledPackage): CompatibleSource[] {
  return manifest.compatibility.flatMap((text) => {
    const [type, ...rest] = text.toLowerCase().split(":")
    const collector = rest.join(":").trim()
    const isSaid = type!.trim() !== ""
    return isSaid ? [{ type: type!.trim(), collector: collector === "" ? null : collector }] : []
  })
}

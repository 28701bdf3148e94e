/**
 * Packages that come with the server. Each installs by itself when an integration that its manifest
 * calls compatible first sends data; once an account, and never again after a person removed it.
 *
 *   documents   "bundledPackage:<tenant>" / packageId    { atMs }    it was offered
 */

import type { DocumentChange } from "../model/document.ts"
import type { RecordsWorld } from "../records/collection.ts"
import type { Records } from "../records/records.ts"
import { readPackage, type JudgeConfiguration, type PackageContent } from "./content.ts"
import type { Packages } from "./packages.ts"
import type { Files } from "./unzip.ts"

const kind = "bundledPackage"

export interface BundledOptions {
  readonly world: Pick<RecordsWorld, "documents" | "clock">
  readonly packages: Packages
  readonly datasources: Pick<Records["datasources"], "find">
  /** What comes with the server, judged (`readBundle`). */
  readonly bundle: readonly PackageContent[]
  readonly onError: (error: unknown) => void
}

/** Whose data came. */
export interface Sender {
  readonly tenant: number
  readonly datasourceId: number
}

/** Reads packages that lie unpacked; throws `invalid` where one is none. */
export function readBundle(folders: readonly Files[], judge: JudgeConfiguration): PackageContent[] {
  return folders.map((files) => readPackage(files, judge))
}

/** Senders that are remembered as seen, of all accounts; beyond, one more read of documents each. */
const sendersMax = 100_000

export class Bundled {
  private readonly options: BundledOptions
  /** Words of which some package says that it is compatible; what else is sent never matches. */
  private readonly words: ReadonlySet<string>
  /** Datasources of accounts, by the word of the path. */
  private seen = new Map<string, Set<string>>()
  private seenCount = 0
  private running: Promise<void> = Promise.resolve()

  constructor(options: BundledOptions) {
    this.options = options
    this.words = new Set(options.bundle.flatMap(wordsOf))
  }

  /**
   * To be told of every request that was accepted, with the word of its path (`/ingest/{kind}/…`);
   * costs two lookups where it is not the first.
   */
  noticed(sender: Sender, pathKind: string | null): void {
    const word = pathKind === null ? "" : pathKind.toLowerCase()
    const known = word !== "" && this.words.has(word) ? word : ""
    const senders = this.seen.get(known) ?? new Set()
    const key = `${sender.tenant}/${sender.datasourceId}`
    if (senders.has(key)) return
    if (this.seenCount >= sendersMax) {
      this.seen = new Map()
      this.seenCount = 0
    }
    senders.add(key)
    this.seen.set(known, senders)
    this.seenCount++
    this.running = this.running
      .then(() => this.offer(sender, known))
      .catch((error: unknown) => {
        // The next request tries again.
        senders.delete(key)
        this.options.onError(error)
      })
  }

  /** Resolves when everything that was noticed so far is installed or refused. */
  settled(): Promise<void> {
    return this.running
  }

  private async offer({ tenant, datasourceId }: Sender, word: string): Promise<void> {
    const datasource = await this.options.datasources.find(tenant, String(datasourceId))
    const words = new Set([word, datasource?.body.type.toLowerCase() ?? ""])
    for (const content of this.options.bundle) {
      if (wordsOf(content).some((one) => words.has(one))) await this.install(tenant, content)
    }
  }

  private async install(tenant: number, content: PackageContent): Promise<void> {
    const { world, packages } = this.options
    const { packageId, authorEmail } = content.manifest
    const id = `${kind}:${tenant}`
    if ((await world.documents.get(id, packageId)) !== undefined) return
    const offered: DocumentChange = { kind: id, id: packageId, document: this.mark() }
    // A person installed it, perhaps in another version: it stays as it is.
    if ((await packages.list(tenant, { packageId })).length > 0) {
      return world.documents.putAll([offered])
    }
    const caller = { tenant, email: authorEmail ?? "", userId: null, isAdministrator: true }
    await packages.install(caller, [{ content, url: null, userEmail: null }], () => [offered])
  }

  private mark(): { readonly atMs: number } {
    return { atMs: this.options.world.clock.nowMs() }
  }
}

/** `INFRASTRUCTURE:Linux` is said of integrations of the type INFRASTRUCTURE and of the kind linux. */
function wordsOf({ manifest }: PackageContent): string[] {
  const words = manifest.compatibility.flatMap((text) => text.toLowerCase().split(":"))
  return words.map((word) => word.trim()).filter((word) => word !== "")
}

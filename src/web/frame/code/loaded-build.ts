/**
 * The build of the pages that this document was loaded from. A server of another build has its
 * files no longer: what is not loaded yet cannot be.
 */

import { signal, type ReadonlySignal } from "@preact/signals"

interface LoadedBuildOptions {
  /** Asks the server for its page, which names the files of its build. */
  readonly askPage: () => Promise<Response>
  /** Names of the files that the document was loaded with: `main-` and a hash of the content. */
  readonly files: readonly string[]
  readonly reload: () => void
}

export class LoadedBuild {
  private readonly options: LoadedBuildOptions
  private readonly isOther = signal(false)

  constructor(options: LoadedBuildOptions) {
    this.options = options
  }

  /** Whether the server had another build when it was last asked. */
  get isOutdated(): ReadonlySignal<boolean> {
    return this.isOther
  }

  /** Asks the server for its build; false if it does not answer. */
  async check(): Promise<boolean> {
    const { askPage, files } = this.options
    const page = await askPage()
      .then(textOf)
      .catch(() => "")
    // Something in between may answer in place of the server.
    const isThere = page.includes('"main-')
    if (isThere) this.isOther.value = !files.every((name) => page.includes(`"${name}"`))
    return isThere
  }

  /** Loads the document again; false, and it stays, if the server does not answer. */
  async reload(): Promise<boolean> {
    const isThere = await this.check()
    if (isThere) this.options.reload()
    return isThere
  }
}

const textOf = (response: Response) => (response.ok ? response.text() : "")

/** The metadata in the manifest of a package, as stored and as shown. */
export interface PackageMetadata {
  /** Dotted; the same for all versions of a package. */
  readonly packageId: string
  readonly version: string
  readonly name: string
  readonly description: string | null
  readonly authorName: string | null
  readonly authorEmail: string | null
  readonly logo: string | null
  readonly tags: readonly string[]
}

/** What imports that are no modules give (src/build/web.ts). */

declare module "*.svg" {
  /** The `d` of each path of a 20 px icon. */
  const paths: readonly string[]
  export default paths
}

declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>
  export default classes
}

/** The file name of the worker, with its hash. */
declare module "worker:dense" {
  const fileName: string
  export default fileName
}

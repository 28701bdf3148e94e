/** URLs of the modules of worker threads. */

/** The module `name` of this folder: its source under tsx, its bundle in `dist`. */
export function workerFile(name: string): string {
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js"
  return new URL(`./${name}${extension}`, import.meta.url).href
}

/**
 * The native library of the single executable: the part of LMDB that is machine code. The system
 * loads a library from a file only, so the executable writes it to a folder that its user alone
 * may write to, once, and checks it by its hash before each use:
 *
 *   <store>/native/lmdb-<hash>.node           in the folder of the store, mode 0700
 *   $CACHE_DIRECTORY, $XDG_CACHE_HOME/tidegauge, ~/.cache/tidegauge       otherwise, in this order
 *
 * The next folder is taken if one is read-only, belongs to another user or lies on a file system
 * that is mounted with `noexec`. Never a folder that is common to all users, such as /tmp: another
 * user could replace the file between the check and the use.
 */

import { createHash } from "node:crypto"
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { isAbsolute, join } from "node:path"
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads"
import { ServiceError } from "../base/errors.ts"
import { makeFolder } from "../base/make-folder.ts"
import { isSingleExecutable, resources } from "./resources.ts"

/** Resource with the library's bytes. */
const libraryResource = "native/lmdb.node"
/** Of `setEnvironmentData`, which hands values to threads that start later. */
const foldersKey = "tidegauge:native-folders"
const pathKey = "tidegauge:native-library"

export interface NativeFolder {
  readonly path: string
  /** Only if the folder above exists; otherwise that is made too. */
  readonly isBelowExisting: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Says where the library may be written. Called before the first module that uses the store;
 * `isNewStore` if the command makes the folder of the store. Does nothing from the sources.
 */
export function offerNativeFolders(
  storeFolder: string,
  env: Environment,
  isNewStore: boolean,
): void {
  if (!isSingleExecutable) return
  setEnvironmentData(foldersKey, nativeFolders(storeFolder, env, isNewStore) as never)
}

/**
 * What the library exports, in the calling thread. The first call writes it to one of the offered
 * folders; threads that start later load the same file. Throws `storage` if no folder can be used.
 */
export function loadNativeLibrary(): unknown {
  const known = getEnvironmentData(pathKey) as unknown as string | undefined
  if (known !== undefined) return loadLibrary(known)
  const folders = (getEnvironmentData(foldersKey) ?? []) as unknown as NativeFolder[]
  const { path, exports } = loadFromFirst(folders, resources.read(libraryResource), loadLibrary)
  setEnvironmentData(pathKey, path as never)
  return exports
}

/**
 * Loads it in the calling thread, for threads that start next to each other: only one may write the
 * file. Does nothing from the sources.
 */
export function prepareNativeLibrary(): void {
  if (isSingleExecutable) loadNativeLibrary()
}

function loadLibrary(path: string): unknown {
  const library = { exports: {} }
  process.dlopen(library, path)
  return library.exports
}

/** Folders for the library, best first. */
export function nativeFolders(
  storeFolder: string,
  env: Environment,
  isNewStore: boolean,
): NativeFolder[] {
  const { CACHE_DIRECTORY: service, XDG_CACHE_HOME: cache, HOME: home } = env
  // A service manager may name several folders.
  const others = [
    service?.split(":")[0],
    cache === undefined ? undefined : join(cache, "tidegauge"),
    home === undefined ? undefined : join(home, ".cache", "tidegauge"),
  ]
  const paths = others.filter((path) => path !== undefined && isAbsolute(path)) as string[]
  return [
    { path: join(storeFolder, "native"), isBelowExisting: !isNewStore },
    ...paths.map((path) => ({ path, isBelowExisting: false })),
  ]
}

/**
 * Writes `bytes` to the first of the folders from which `load` takes them; returns the path of the
 * file and what `load` returned. Throws `storage` with the problem of each folder.
 */
export function loadFromFirst<Exports>(
  folders: readonly NativeFolder[],
  bytes: Uint8Array,
  load: (path: string) => Exports,
): { readonly path: string; readonly exports: Exports } {
  const problems: string[] = []
  for (const folder of folders) {
    try {
      const path = openLibrary(folder, bytes)
      return { path, exports: load(path) }
    } catch (error) {
      problems.push(`  ${folder.path}: ${(error as Error).message}`)
    }
  }
  throw new ServiceError(
    "storage",
    [
      "The program could not unpack and load its database library:",
      ...problems,
      "Set XDG_CACHE_HOME to a folder of this user, on a file system without noexec.",
    ].join("\n"),
  )
}

/**
 * A path to the library in `folder`, by a descriptor that stays open: the file that was checked is
 * the one that is loaded, whatever its name means by then.
 */
function openLibrary({ path: folder, isBelowExisting }: NativeFolder, bytes: Uint8Array): string {
  checkParent(join(folder, ".."), isBelowExisting)
  makeFolder(folder)
  const stats = lstatSync(folder)
  if (!stats.isDirectory() || !isOwn(stats)) throw new Error("it belongs to another user")
  if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700)
  const hash = hashOf(bytes)
  const path = join(folder, `lmdb-${hash.slice(0, 16)}.node`)
  const found = openChecked(path, hash)
  if (found !== null) return found
  writeLibrary(path, bytes)
  const written = openChecked(path, hash)
  if (written === null) throw new Error(`${path} is not what was written`)
  return written
}

/**
 * Throws if the folder is missing but must exist. Throws, too, if the administrator would leave
 * files in the folder of another user: the server of that user could then not use them.
 */
function checkParent(parent: string, mustExist: boolean): void {
  const stats = lstatSync(parent, { throwIfNoEntry: false })
  if (mustExist && stats === undefined) throw new Error(`there is no folder ${parent}`)
  const isAdministrator = process.geteuid?.() === 0
  if (isAdministrator && stats !== undefined && !isOwn(stats)) {
    throw new Error(`${parent} belongs to another user`)
  }
}

/** Opens the file if no other user can write to it and it has this hash; otherwise returns null. */
function openChecked(path: string, hash: string): string | null {
  const file = openExisting(path)
  if (file === null) return null
  const stats = fstatSync(file)
  const isChecked =
    stats.isFile() &&
    isOwn(stats) &&
    (stats.mode & 0o022) === 0 &&
    hashOf(readFileSync(file)) === hash
  if (!isChecked) {
    closeSync(file)
    return null
  }
  return existsSync(`/proc/self/fd/${file}`) ? `/proc/self/fd/${file}` : path
}

function openExisting(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch {
    return null
  }
}

/** Writes under another name first: concurrent starts and a full disk leave no partial file. */
function writeLibrary(path: string, bytes: Uint8Array): void {
  const partial = `${path}.${process.pid}`
  // In a container each start has the same process id.
  rmSync(partial, { force: true })
  writeFileSync(partial, bytes, { flag: "wx", mode: 0o500 })
  renameSync(partial, path)
}

function isOwn({ uid }: { readonly uid: number }): boolean {
  return uid === process.geteuid?.()
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}

/**
 * What the package lmdb gets as its finder of native libraries in the single executable: the one
 * that the executable carries.
 */

import { loadNativeLibrary } from "../runtime/native-library.ts"

export default function load(): unknown {
  return loadNativeLibrary()
}

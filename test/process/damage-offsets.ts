/**
 * Places of damage: the bytes of `data.mdb` that are no values. A value has a checksum; these are
 * what LMDB finds its way by, and a tenth of a file that is full of values.
 */

import {
  branchFlag,
  leafFlag,
  pageBytesOf,
  pageHeaderBytes,
} from "../../src/store/lmdb/integrity/page-file.ts"

/** Of a meta page, its header and what LMDB writes behind it. */
const metaBytes = 160
const metaPages = 2
/** Flags of an entry of a leaf: a large value, a tree. */
const largeFlag = 1
const treeFlag = 2
const nodeHeaderBytes = 8
/** Head of a large value; description of a tree. */
const largeHeadBytes = 24
const treeHeadBytes = 48

/** Where they are, in pages that are used and in those that were freed. */
export function structuralOffsets(file: Buffer): number[] {
  const places: number[] = []
  const pageBytes = pageBytesOf(file)
  const add = (from: number, count: number): void => {
    for (let i = 0; i < count; i++) places.push(from + i)
  }
  for (let start = 0; start + pageBytes <= file.length; start += pageBytes) {
    if (start < metaPages * pageBytes) add(start, metaBytes)
    else addPage(file, start, add)
  }
  return places
}

function addPage(file: Buffer, start: number, add: (from: number, count: number) => void): void {
  const kind = file.readUInt16LE(start + 18)
  if (kind !== branchFlag && kind !== leafFlag) return
  const pointers = start + pageHeaderBytes
  const pointerBytes = file.readUInt16LE(start + 20)
  add(start, pageHeaderBytes + pointerBytes)
  for (let at = pointers; at < pointers + pointerBytes; at += 2) {
    const node = pointers + file.readUInt16LE(at)
    const flags = file.readUInt16LE(node + 4)
    const keyEnd = nodeHeaderBytes + file.readUInt16LE(node + 6)
    add(node, keyEnd)
    if (kind !== leafFlag) continue
    if ((flags & largeFlag) !== 0) add(node + keyEnd, largeHeadBytes)
    else if ((flags & treeFlag) !== 0) add(node + keyEnd, treeHeadBytes)
  }
}

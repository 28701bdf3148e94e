/** Columns as they lie in memory: little endian, which every machine that Node runs on is. */

/** The bytes of the first `count` numbers of a column; a view, good for reading and writing. */
export function bytesOf(
  column: Float64Array | Float32Array | Uint32Array,
  count: number,
): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, count * column.BYTES_PER_ELEMENT)
}

/** Working memory for offsets in time; see FloatWorkspace. */
export class OffsetWorkspace {
  private array = new Uint32Array(1024)

  /** At least `length` numbers of undefined content, valid until the next call. */
  take(length: number): Uint32Array {
    if (this.array.length < length) this.array = new Uint32Array(length * 2)
    return this.array
  }
}

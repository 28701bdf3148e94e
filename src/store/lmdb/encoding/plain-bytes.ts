/** Columns as they are in memory: little endian, as on every machine that runs Node. */

/** The bytes of the first `count` numbers of a column, as a view for reading and writing. */
export function bytesOf(
  column: Float64Array | Float32Array | Uint32Array,
  count: number,
): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, count * column.BYTES_PER_ELEMENT)
}

/** Working memory for time offsets; see FloatWorkspace. */
export class OffsetWorkspace {
  private array = new Uint32Array(1024)

  /** Returns at least `length` numbers of undefined content, valid until the next call. */
  take(length: number): Uint32Array {
    if (this.array.length < length) this.array = new Uint32Array(length * 2)
    return this.array
  }
}

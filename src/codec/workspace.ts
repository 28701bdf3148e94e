/**
 * Working memory that is kept between calls, so that inner loops never allocate. A workspace
 * belongs to one module of one thread; the result of `take` is valid until the next `take` of the
 * same workspace.
 */
export class FloatWorkspace {
  private array = new Float64Array(1024)

  /** At least `length` numbers of undefined content. */
  take(length: number): Float64Array<ArrayBuffer> {
    if (this.array.length < length) this.array = new Float64Array(length * 2)
    return this.array
  }
}

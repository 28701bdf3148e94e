/**
 * A reference from a lower layer of the server to a higher one, which is created later. The lower
 * layer reads it when something happens, never while the server is being composed.
 */

import { assert } from "../base/assert.ts"

export class LateBinding<Value> {
  private bound: Value | null = null

  /** Called once, when the value exists. */
  bind(value: Value): void {
    assert(this.bound === null, "Expected one value for a late binding")
    this.bound = value
  }

  /** The value; reading it before `bind` is a bug. */
  get value(): Value {
    assert(this.bound !== null, "Expected a bound value")
    return this.bound
  }
}

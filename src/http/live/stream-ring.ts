/** The newest messages of one account, so that a stream that was cut off goes on where it ended. */

import { assert } from "../../base/assert.ts"
import { streamRingMax } from "../../base/limits/streams.ts"

/** A message with an id, as it is sent. */
export interface KeptMessage<Topic extends string> {
  readonly id: number
  readonly topic: Topic
  readonly text: string
}

export class StreamRing<Topic extends string> {
  private readonly messages: KeptMessage<Topic>[] = []
  /** All messages of the account after this id are here. */
  private completeAfter: number

  constructor(newestId: number) {
    this.completeAfter = newestId
  }

  add(message: KeptMessage<Topic>): void {
    const newest = this.messages.at(-1)?.id ?? this.completeAfter
    assert(message.id > newest, `Expected an id after ${newest}, got ${message.id}`)
    this.messages.push(message)
    if (this.messages.length > streamRingMax) this.completeAfter = this.messages.shift()!.id
  }

  /** The messages after `id`, oldest first; null if some of them are gone. */
  after(id: number): readonly KeptMessage<Topic>[] | null {
    return id < this.completeAfter ? null : this.messages.filter((one) => one.id > id)
  }
}

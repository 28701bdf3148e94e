/** The failure of a message, in contrast to one of its receiver. */

import { ServiceError } from "../base/errors.ts"

/**
 * Thrown by senders: the receiver refuses this message, and would refuse it at each attempt. It may
 * accept others. Any other error of a sender is a reason to try again.
 */
export class MessageRefused extends ServiceError {
  constructor(problem: string, options: { readonly cause?: unknown } = {}) {
    super("invalid", problem, options)
  }
}

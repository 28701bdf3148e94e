/** Starts the worker of the pages, from a file of the build. */

import fileName from "worker:dense"

/** The part of Trusted Types that is needed; the types of some browsers' versions lack it. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { readonly createScriptURL: (url: string) => string }
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }

function workerUrl(): string {
  return new URL(fileName, document.baseURI).href
}

/**
 * The one policy that the server lets the pages make: it accepts the address of the worker alone.
 * Undefined in a browser without Trusted Types, which takes the address as it is.
 */
const policy = trustedTypes?.createPolicy("tidegauge", {
  createScriptURL(url) {
    if (url !== workerUrl()) throw new TypeError(`Expected the address of the worker, got ${url}`)
    return url
  },
})

/** The caller ends it. Throws if the browser starts no workers. */
export function startOwnWorker(): Worker {
  const url = workerUrl()
  return new Worker(policy?.createScriptURL(url) ?? url)
}

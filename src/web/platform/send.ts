/** Requests of the browser: the only module that calls `fetch`. */

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Blob | null
  readonly signal: AbortSignal | null
}

export type Send = (request: SentRequest) => Promise<Response>

const options = { credentials: "same-origin", cache: "no-store", redirect: "error" } as const

/** Sends with the login cookie. Rejects with a TypeError if there is no connection. */
export const send: Send = ({ url, ...request }) => fetch(url, { ...request, ...options })

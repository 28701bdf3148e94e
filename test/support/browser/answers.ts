/** Answers that a test gives to a page in place of the server. */

import type { Page, Route } from "playwright-core"

/**
 * Answers these calls of a page in place of the server; the function that it resolves to lets later
 * calls through. No route is removed: while Chromium stops intercepting, it loses requests that are
 * on their way, and the page waits for them without an end (2 of 300 loads of Explore; 0 of 1,000
 * with the route in place).
 */
export async function answerInstead(
  page: Page,
  calls: string,
  answer: (route: Route) => Promise<void>,
): Promise<() => void> {
  let isOn = true
  await page.route(calls, (route) => (isOn ? answer(route) : route.fallback()))
  return () => {
    isOn = false
  }
}

/** An answer of a status with this sentence. */
export const refuse =
  (sentence: string, status = 503) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, json: { errors: [sentence] } })

/** No answer: the connection ends. */
export const disconnect = (route: Route): Promise<void> => route.abort()

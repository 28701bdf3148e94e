/**
 * Puts right what the browser says of its language. Chrome under a POSIX locale reports
 * `en-US@posix`, which Intl refuses; uPlot asks Intl when it is imported and would throw. The order
 * of modules in a chunk is the bundler's, so this runs before all of them (before-modules.ts).
 */

function isKnown(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** A tag that Intl accepts: the given one, its part before `@` or `.`, or English. */
function safeLocale(tag: string): string {
  const plain = tag.split(/[@.]/)[0]!.replaceAll("_", "-")
  return [tag, plain].find((one) => one !== "" && isKnown(one)) ?? "en-US"
}

if (!isKnown(navigator.language)) {
  const language = safeLocale(navigator.language)
  Object.defineProperty(navigator, "language", { value: language, configurable: true })
  Object.defineProperty(navigator, "languages", { value: [language], configurable: true })
}

/** Language and time zone of the browser. */

/** A tag that Intl accepts: `language-repair.ts` has run before. */
export const browserLocale = navigator.language

/** The browser's time zone as an IANA name. */
export function browserZone(): string {
  return new Intl.DateTimeFormat("en-US").resolvedOptions().timeZone
}

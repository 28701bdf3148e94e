/**
 * Addresses of the pages below /app/, by name. The module of a page is `NAME/NAME-page.tsx`: the
 * build finds by this which files a page needs (src/build/web.ts).
 */

export const pageAddresses = {
  home: "",
  "sign-in": "sign-in",
  welcome: "welcome",
  alerts: "alerts",
  incident: "incidents/:id",
  inventory: "inventory",
  element: "elements/:fqn",
  explore: "explore",
  events: "events",
  profile: "settings/profile",
} as const

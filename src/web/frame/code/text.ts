/** Words about the code of the pages, in English. */

export const text = {
  loadFailed: "The page could not be loaded",
  retry: "Retry",
  noAnswer: "The server cannot be reached",
  newVersion: "New version · Reload",
  partMissing: "A part of the page could not be loaded · Reload",
}

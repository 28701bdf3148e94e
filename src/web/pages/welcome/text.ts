/** Words of the page of the first steps, in English. */

import { counted } from "../../format/words.ts"

interface ArrivedInAll {
  readonly samples: number
  readonly requests: number
  readonly keyName: string | null
  readonly elements: number
}

export const text = {
  title: "Send your first data",
  titleLater: "Add data",
  loading: "Loading",
  loadFailed: "The server's status could not be loaded",
  retry: "Retry",
  account: "1. Choose your e-mail and password",
  accountWhy: "The first start made them up. You sign in with these from now on.",
  email: "E-mail",
  password: "New password",
  passwordHint: "At least 12 characters",
  saveAccount: "Save",
  skip: "Skip",
  accountSaved: "E-mail and password are changed",
  send: (hasAccount: boolean) => (hasAccount ? "2. Send data" : "Send data"),
  keyWhy: "Collectors send with an API key. The key is shown on this page, once.",
  makeKey: "Make a key for this page",
  keyName: "first steps",
  keyTable: "Keys with the name “first steps”",
  keyCreated: "Made",
  keyLastUsed: "Last used",
  keyHere: "(in the text below)",
  neverUsed: "never",
  keyAgain:
    "A key is shown once only: write yours where YOUR-API-KEY stands. If it is lost, make another.",
  makeAnother: "Make another key",
  revoke: "Revoke",
  cancel: "Cancel",
  close: "Close this window",
  revokeOf: (made: string) => `Revoke the key of ${made}`,
  revokeTitle: (made: string) => `Revoke the key of ${made}?`,
  revokeText: "Collectors that send with it are refused from now on.",
  revoked: "The key is revoked",
  noKeys: "The keys could not be loaded",
  loadingKeys: "Loading the keys",
  keyMade: "The key is in the text below. It is not shown again after you leave this page.",
  keyOf: "YOUR-API-KEY",
  askAdministrator:
    "Only administrators make keys: ask one for a key, and write it where YOUR-API-KEY stands.",
  ways: "Ways to send data",
  copy: "Copy",
  copied: "Copied",
  notCopied: "The browser does not let the page copy: select the text.",
  handbook: "All collectors, in the handbook",
  arrives: "What arrives",
  waiting: "Waiting for data…",
  waitingMore: "Waiting for more data…",
  known: (elements: number) => `${counted(elements, "element has", "elements have")} sent data.`,
  lastAt: (time: string) => `The last sample came at ${time}.`,
  arriving: "Data is arriving",
  newest: "The newest element is",
  metricsOf: (count: number) => `, with ${counted(count, "metric", "metrics")}`,
  moreMetrics: (count: number) => `and ${count} more`,
  /** `elements`: of the account; the last request had a key with this name. */
  inAll(given: ArrivedInAll): string {
    const { samples, requests, keyName, elements } = given
    const asked = counted(requests, "request", "requests")
    const sent = `${counted(samples, "sample", "samples")} in ${asked}`
    const key = keyName === null ? "" : `, the last one with the key “${keyName}”`
    const known = counted(elements, "element", "elements")
    return `All together: ${sent} since the start of the server${key}; ${known} by now.`
  },
  open: (name: string) => `Open ${name}`,
  explore: "Explore",
  inventory: "Inventory",
  home: "Home",
  next: "Next",
  steps: {
    second: "Add a second server: paste the same there, with its own id",
    notification: "Get alerts by mail or webhook",
    policy: "Say what is wrong: a policy opens alerts",
    people: "Invite someone",
  },
  done: "done",
  trouble: "Trouble?",
  noRefusal: "No request was refused since the start.",
  refused: (time: string, status: number, reason: string) =>
    `The last refused request, ${time}: ${status}, ${reason}`,
  onlyLooking: "Only looking? A demonstration posts a day of 20 servers, from a checkout:",
  demo: (url: string) =>
    `npm run demo -- --url ${url} \\\n  --user E-MAIL --password PASSWORD --api-key KEY`,
  readOnly: "You may read everything, and change nothing.",
  readOnlyWhat: "These show what arrives:",
}

/** Settings: where the server listens and keeps its data, and the first account. */

import { matching, switchOf, wholeNumberOf } from "../setting-forms.ts"
import { setting } from "../setting.ts"

export const startSettings = {
  host: setting({
    name: "host",
    fallback: "127.0.0.1",
    form: "an address or host name",
    meaning: "Address to listen on. 0.0.0.0 listens on every interface.",
    parse: (text) => matching(text, /^[A-Za-z0-9.:_%-]{1,255}$/),
  }),
  port: setting({
    name: "port",
    fallback: "8080",
    form: "a whole number from 0 to 65535",
    meaning: "Port to listen on. 0 takes any free port.",
    parse: (text) => wholeNumberOf(text, 0, 65_535),
  }),
  dataPath: setting({
    name: "data",
    fallback: "data/store",
    form: "a path",
    meaning: "Folder of the store; created if it is missing.",
    parse: (text) => matching(text, /^[^\0]+$/),
  }),
  noMigrate: setting({
    name: "no-migrate",
    fallback: "no",
    form: "yes or no",
    meaning: "Refuses to start on a store of an earlier format instead of changing its format.",
    isSwitch: true,
    parse: switchOf,
  }),
  apiKey: setting<string | null>({
    name: "api-key",
    fallback: "",
    fallbackNote: "made at the first start",
    form: "32 hexadecimal digits, or any 16 to 128 characters of A-Z a-z 0-9 _ -",
    meaning: "Key of the Custom integration: collectors post to /ingest/KEY.",
    secret: true,
    parse: (text) => matching(text, /^[A-Za-z0-9_-]{16,128}$/),
  }),
  adminEmail: setting<string | null>({
    name: "admin-email",
    fallback: "",
    fallbackNote: "made at the first start",
    form: "an e-mail address without a colon",
    meaning: "Name of the administrator for Basic authentication.",
    parse: (text) => matching(text, /^(?=.{3,254}$)[^\s@:]+@[^\s@:]+$/),
  }),
  adminPassword: setting<string | null>({
    name: "admin-password",
    fallback: "",
    fallbackNote: "made at the first start",
    form: "12 to 1024 characters, none of the commonest",
    meaning: "Password of the administrator. Other users can see a flag: prefer the file.",
    secret: true,
    // One that is in use already may be shorter, which the accounts know.
    parse: (text) => matching(text, /^.{8,1024}$/su),
  }),
  firstSecretsFile: setting<string | null>({
    name: "first-secrets-file",
    fallback: "",
    fallbackNote: "printed on standard output",
    form: "a path of a file that does not exist",
    meaning:
      "The first start writes password and API key there, for its owner alone, and prints neither.",
    parse: (text) => matching(text, /^[^\0]+$/),
  }),
  secretKey: setting<string | null>({
    name: "secret-key",
    fallback: "",
    fallbackNote: "the file secrets.key of the store's folder, made at the first start",
    form: "64 hexadecimal digits",
    meaning: "Key that encrypts the secrets of datasources and notifications in the store.",
    secret: true,
    parse: (text) => matching(text, /^[0-9A-Fa-f]{64}$/),
  }),
}

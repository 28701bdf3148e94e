/** Settings: backups on a schedule. */

import { backupKeepMax } from "../../base/limits.ts"
import { durationForm, durationMs, matching, wholeNumberOf } from "../setting-forms.ts"
import { setting } from "../setting.ts"

export const backupSettings = {
  backupTo: setting<string | null>({
    name: "backup-to",
    fallback: "",
    fallbackNote: "no backups are taken",
    form: "a folder, or s3://BUCKET/PREFIX",
    meaning: "Where backups on a schedule go; of one server only.",
    parse: (text) =>
      matching(
        text,
        /^(?:s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.!*'()/-]*)?|(?!s3:)[^\0]+)$/,
      ),
  }),
  backupEveryMs: setting({
    name: "backup-every",
    fallback: "P1D",
    form: durationForm("PT1M", "P366D"),
    meaning: "Pause between the beginnings of two backups.",
    parse: (text) => durationMs(text, "PT1M", "P366D"),
  }),
  backupKeep: setting({
    name: "backup-keep",
    fallback: "7",
    form: `a whole number from 1 to ${backupKeepMax}`,
    meaning: "Newest backups that are kept. A count, so that failing backups remove none.",
    parse: (text) => wholeNumberOf(text, 1, backupKeepMax),
  }),
  backupS3Endpoint: setting<string | null>({
    name: "backup-s3-endpoint",
    fallback: "",
    fallbackNote: "that of Amazon for the region",
    form: "an http or https URL without the bucket",
    meaning: "Server of the bucket. It may have a private address.",
    parse: (text) => matching(text, /^https?:\/\/[^\s/@]+\/?$/),
  }),
  backupS3Region: setting({
    name: "backup-s3-region",
    fallback: "us-east-1",
    form: "a name of lower-case letters, digits and hyphens",
    meaning: "Region of the bucket.",
    parse: (text) => matching(text, /^[a-z0-9-]{1,40}$/),
  }),
  backupS3AccessKey: setting<string | null>({
    name: "backup-s3-access-key",
    fallback: "",
    form: "3 to 128 characters without blanks",
    meaning: "Name of the key for the bucket.",
    secret: true,
    parse: (text) => matching(text, /^\S{3,128}$/),
  }),
  backupS3SecretKey: setting<string | null>({
    name: "backup-s3-secret-key",
    fallback: "",
    form: "3 to 256 characters without blanks",
    meaning: "Secret of the key for the bucket. Other users can see a flag: prefer the file.",
    secret: true,
    parse: (text) => matching(text, /^\S{3,256}$/),
  }),
}

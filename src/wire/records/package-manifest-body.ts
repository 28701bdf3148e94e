/** `package.json` of a package (spec/packages §2). Unknown fields are ignored, as everywhere. */

import * as v from "valibot"
import { textCharactersMax } from "../../base/limits.ts"
import { objectValue } from "../body.ts"
import { nonEmptyText, shortText } from "./fields.ts"

/** Files of one list. An archive has a thousand entries at most. */
const filesMax = 1_000
/** Tags and compatible integrations, each. */
const wordsMax = 100
/** Keys of the store hold it. */
const packageIdCharactersMax = 256

const fileList = v.nullish(
  v.pipe(
    v.array(
      objectValue({ data: objectValue({ file: nonEmptyText }) }),
      "an array of files, each as { data: { file } }",
    ),
    v.maxLength(filesMax, `at most ${filesMax} files`),
  ),
  [],
)

/** Several, or one alone. */
const words = v.nullish(
  v.union(
    [
      v.pipe(v.array(shortText, "an array of texts"), v.maxLength(wordsMax, `at most ${wordsMax}`)),
      v.pipe(
        shortText,
        v.transform((word) => (word === "" ? [] : [word])),
      ),
    ],
    `an array of at most ${wordsMax} texts`,
  ),
  [],
)

/** `Name <address>`, as npm has it, or in parts. */
const person = v.union(
  [
    v.pipe(
      v.string(),
      v.maxLength(textCharactersMax),
      v.transform((text) => {
        const [, name, email] = /^([^<]*)(?:<([^>]*)>)?/.exec(text)!
        return { name: name!.trim() || null, email: email?.trim() || null }
      }),
    ),
    objectValue({
      name: v.nullish(shortText, null),
      email: v.nullish(shortText, null),
    }),
  ],
  "an object with name and email",
)

const places = objectValue({
  logo: v.nullish(shortText, null),
  download: v.nullish(shortText, null),
})

export const packageManifestBody = objectValue({
  id: v.pipe(
    nonEmptyText,
    v.regex(/^[A-Za-z0-9._-]+$/, "letters, digits, dots, hyphens and underscores"),
    v.maxLength(packageIdCharactersMax, `at most ${packageIdCharactersMax} characters`),
  ),
  version: nonEmptyText,
  manifest: v.nullish(
    objectValue({
      name: v.nullish(shortText, null),
      description: v.nullish(shortText, null),
      author: v.nullish(person, null),
      distro: v.nullish(places, null),
      compatibility: words,
      tags: words,
    }),
    {},
  ),
  policies: fileList,
  analyticConfigurations: fileList,
  dashboards: fileList,
})

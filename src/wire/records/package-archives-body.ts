/** The body of an installation from download URLs. */

import * as v from "valibot"
import { objectValue } from "../body.ts"
import { nonEmptyText } from "./fields.ts"

/** All archives of a request are in memory until all are judged. */
const archivesMax = 10

export const packageArchivesBody = objectValue({
  archives: v.pipe(
    v.array(nonEmptyText, "an array of URLs"),
    v.maxLength(archivesMax, `at most ${archivesMax} archives`),
  ),
})

/** The body of POST `/elements/name/preview`. */

import * as v from "valibot"
import { objectValue, readWith, textValue } from "../body.ts"
import { readTemplate, type TemplatePart } from "./name-template.ts"
import type { Problems } from "../problems.ts"
import { refuseUnknownNames } from "../unknown-names.ts"

const present = (name: string) => v.pipe(textValue, v.nonEmpty(`a ${name} that is not empty`))

export const namePreviewBody = objectValue({
  elementId: present("UUID or FQN of an element"),
  template: present("template"),
})

export interface NamePreview {
  readonly elementId: string
  readonly template: readonly TemplatePart[]
}

/** null if the body is invalid; each reason is added to `problems`. */
export function readNamePreviewBody(raw: unknown, problems: Problems): NamePreview | null {
  refuseUnknownNames(namePreviewBody, raw, { path: "", problems })
  const body = readWith(namePreviewBody, raw, { path: "", problems })
  if (body === null) return null
  return { elementId: body.elementId, template: readTemplate(body.template, problems) }
}

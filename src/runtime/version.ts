/** The version of this program, as package.json has it. */

import { resourceText } from "./resources.ts"

export const version = readVersion()

function readVersion(): string {
  const { version: text } = JSON.parse(resourceText("package.json")) as { version: unknown }
  return String(text)
}

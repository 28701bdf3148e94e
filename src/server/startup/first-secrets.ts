/**
 * Shows the password and the API key that the first start creates, once: on standard output, which
 * a service manager keeps in its log, or in a file of their own.
 */

import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from "node:fs"
import type { FirstStartSecrets } from "../../accounts/accounts.ts"
import { invalid } from "../../base/errors.ts"
import {
  firstSecretsText,
  firstStartText,
  secretLines,
} from "../../command/account/first-start-text.ts"

export interface FirstSecrets {
  /** Called before they are created; throws `invalid` if they could not be shown. */
  prepare(): void
  /** Called as soon as they are created. */
  created(secrets: FirstStartSecrets): void
  /** Called when the server listens at `url`. */
  listening(url: string): void
  /** Called instead if the start fails. */
  failed(): void
}

/** Shows them in a file at `path`, which must not exist; with null, by `print`. */
export function createFirstSecrets(
  path: string | null,
  print: (text: string) => void,
): FirstSecrets {
  return path === null ? printSecrets(print) : writeSecrets(path, print)
}

function printSecrets(print: (text: string) => void): FirstSecrets {
  let secrets: FirstStartSecrets | null = null
  return {
    prepare: () => {},
    created: (made) => void (secrets = made),
    listening: (url) => secrets !== null && print(firstStartText(url, secrets)),
    failed: () => secrets !== null && print(firstSecretsText(secrets)),
  }
}

function writeSecrets(path: string, print: (text: string) => void): FirstSecrets {
  let file: number | null = null
  let isMade = false
  const where = `Password and API key of the administrator are in "${path}": read and remove it.`
  return {
    prepare: () => void (file = create(path)),
    created: (secrets) => {
      writeSync(file!, `${secretLines(secrets)}\n`)
      fsyncSync(file!)
      closeSync(file!)
      isMade = true
    },
    listening: (url) => isMade && print(`\nTidegauge is listening on ${url}\n${where}\n`),
    failed: () => {
      if (isMade) print(where)
      // Empty: nothing was made.
      else if (file !== null) unlinkSync(path)
    },
  }
}

/** Creates a file for its owner alone; an existing one may be another user's link. */
function create(path: string): number {
  try {
    return openSync(path, "wx", 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const problem = code === "EEXIST" ? "exists already" : `cannot be made (${code})`
    throw invalid(`--first-secrets-file: "${path}" ${problem}; name a file that can be made`)
  }
}

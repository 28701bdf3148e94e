/** The text of a first start: address, secrets, and two commands to paste. Shown once. */

import type { FirstStartSecrets } from "../../accounts/accounts.ts"

/** The secrets alone, for a start that failed after it had made them. */
export function firstSecretsText(first: FirstStartSecrets): string {
  return `
The first account was made before the start failed. This is printed once:

${secretLines(first)}
`
}

/** The secrets with their names, a line each. */
export function secretLines({ adminEmail, adminPassword, apiKey }: FirstStartSecrets): string {
  return `  administrator   ${adminEmail}
  password        ${adminPassword}
  API key         ${apiKey}`
}

/** The address that signs in with a link. Its fragment is the token: browsers do not send it. */
export function signInAddress(url: string, token: string): string {
  return `${url}/app/sign-in#${token}`
}

export function firstStartText(url: string, first: FirstStartSecrets): string {
  const pages =
    first.signInLink === null
      ? `Pages: ${url}/app/`
      : `Pages, signed in once within a day: ${signInAddress(url, first.signInLink)}`
  const sample =
    `[{"id":"my-server","type":"SERVER","metrics":[{"id":"cpu.total","unit":"percent"}],` +
    `"samples":[{"metricId":"cpu.total","val":42}]}]`
  return `
Tidegauge is listening on ${url}
${pages}
Handbook, and the API as a page to try: ${url}/docs

${secretLines(first)}

This is printed once; the store keeps only hashes. Post a first sample:

  curl -X POST ${url}/ingest/${first.apiKey} \\
    -H 'X-Service-Api-Options: INJECT_TIMESTAMP,SEND_RESPONSE_BODY' \\
    -d '${sample}'

and read its statistics back:

  curl -u '${first.adminEmail}:${first.adminPassword}' \\
    '${url}/metrics/statistics?fqn=cpu.total&duration=PT1H&rollup=ZERO'
`
}

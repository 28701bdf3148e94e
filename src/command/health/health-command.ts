/** The command line of `tidegauge health`. */

import type { CommandSpec } from "../line/spec.ts"
import { configOption } from "../store/store-commands.ts"

export const healthCommand: CommandSpec = {
  name: "health",
  meaning: "Asks the server of this machine whether it is ready; exits with 0 or 1.",
  details: `
For health checks of containers without a shell. It asks /health/ready at the address that the
settings of the server name: variables and the file of --config, as serve reads them. A certificate
is not checked: it is that of a name, and the server is asked by its address.
`,
  options: [
    {
      name: "url",
      value: "URL",
      meaning: "Address of the server, if its settings are options of its command line.",
      form: "http:// or https:// with a host",
      fallback: "by host, port and tls-cert of the settings",
    },
    configOption,
  ],
  examples: ["health", "health --url http://127.0.0.1:9000"],
}

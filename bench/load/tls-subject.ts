/** Our server with a certificate of its own. */

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { TestCertificate } from "../../test/support/network/certificate.ts"
import type { Subject } from "./subjects.ts"

/** The subject over TLS; whether it is ready is asked over TLS too. */
export function overTls(subject: Subject, { cert, key }: TestCertificate): Subject {
  return {
    ...subject,
    launch: (folder, ports) => {
      const [certPath, keyPath] = [join(folder, "cert.pem"), join(folder, "key.pem")]
      writeFileSync(certPath, cert)
      writeFileSync(keyPath, key, { mode: 0o600 })
      const launch = subject.launch(folder, ports)
      const tls = { TIDEGAUGE_TLS_CERT: certPath, TIDEGAUGE_TLS_KEY: keyPath }
      return {
        ...launch,
        environment: { ...launch.environment, ...tls },
        target: { ...launch.target, ca: cert },
        readyUrl: launch.readyUrl.replace(/^http:/, "https:"),
      }
    },
  }
}

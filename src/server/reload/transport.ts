/** TLS of the server: its certificate, the watch of its files, the redirect from plain HTTP. */

import { systemClock } from "../../base/clock.ts"
import { invalid } from "../../base/errors.ts"
import { listenForRedirect, TlsAcceptor, type BoundPort, type Redirect } from "../../http/http.ts"
import { repeat } from "../../runtime/timers.ts"
import type { CleanupStack } from "../startup/cleanup-stack.ts"
import { CertificateWatch } from "./certificate-watch.ts"
import { loadCertificate } from "../startup/certificate.ts"
import type { StartOptions } from "../startup/start-options.ts"

export interface Transport {
  /** Null: plain HTTP. */
  readonly tls: TlsAcceptor | null
  /** Not started yet; null without TLS. */
  readonly certificates: CertificateWatch | null
}

/** Throws `invalid` for a certificate or key that cannot be used. */
export function openTransport({ config, log }: StartOptions): Transport {
  const { tlsCertPath: certPath, tlsKeyPath: keyPath } = config
  if (certPath === null || keyPath === null) return { tls: null, certificates: null }
  const paths = { certPath, keyPath }
  const material = loadCertificate(paths)
  const onFailure = ({ message }: Error): void => log.debug({ message }, "a TLS handshake failed")
  const tls = new TlsAcceptor({ material, onFailure })
  const use = tls.use.bind(tls)
  // A certificate is valid by the machine's clock, also if the server's is simulated.
  const deps = { load: loadCertificate, use, clock: systemClock, log, repeat }
  return { tls, certificates: new CertificateWatch(paths, material, deps) }
}

/**
 * Listens for plain HTTP if the settings ask for it; null otherwise. Throws `invalid` for a port
 * that cannot be listened on, and for a socket that the settings have no use for.
 */
export async function openRedirect(
  { config: { host, httpRedirectPort, baseUrl }, sockets: { redirect: descriptor } }: StartOptions,
  { address }: BoundPort,
  cleanup: CleanupStack,
): Promise<Redirect | null> {
  if (httpRedirectPort === null) {
    if (descriptor === null) return null
    throw invalid('LISTEN_FDNAMES: the socket "redirect" needs --http-redirect')
  }
  const to = { tlsPort: address.port, baseUrl }
  const redirect = await listenForRedirect({ host, port: httpRedirectPort, descriptor, ...to })
  cleanup.add(() => redirect.close())
  return redirect
}

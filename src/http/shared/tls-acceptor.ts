/**
 * TLS acceptor: turns accepted connections into TLS ones. It listens on no port itself: a listener
 * gives it raw sockets, so that one bound port serves the start and the server after it.
 *
 *   raw socket ─► handshake ─► onSecure(TLS socket)
 *                    └─ refused, or too slow ─► closed
 */

import type { Socket } from "node:net"
import { createServer, type SecureContextOptions, type Server, type TLSSocket } from "node:tls"
import { defaultHttpLimits } from "./limits.ts"

/** A certificate with its chain, and its private key, both as PEM. */
export interface TlsMaterial {
  readonly cert: string
  readonly key: string
}

interface TlsAcceptorOptions {
  readonly material: TlsMaterial
  /** Time that a handshake may take. */
  readonly handshakeTimeoutMs?: number
  /** Called when a handshake failed; the connection is closed. */
  readonly onFailure?: (error: Error) => void
}

export class TlsAcceptor {
  /** Called for each connection whose handshake has ended. */
  onSecure: (socket: TLSSocket) => void = (socket) => socket.destroy()
  private readonly server: Server
  /** Connections in their handshake, by the address of the client. */
  private readonly pending = new Map<string, Socket>()

  /** Throws an error of OpenSSL if the material is none. */
  constructor({ material, handshakeTimeoutMs, onFailure }: TlsAcceptorOptions) {
    this.server = createServer({
      ...contextOptions(material),
      // Without it, a client that offers HTTP/2 might take it for agreed.
      ALPNProtocols: ["http/1.1"],
      handshakeTimeout: handshakeTimeoutMs ?? defaultHttpLimits.headersTimeoutMs,
    })
    this.server.on("secureConnection", (socket) => {
      this.pending.delete(clientOf(socket))
      this.onSecure(socket)
    })
    this.server.on("tlsClientError", (error, socket) => {
      socket.destroy()
      onFailure?.(error)
    })
  }

  /** Begins the handshake of an accepted connection from which nothing was read. */
  accept(raw: Socket): void {
    const client = clientOf(raw)
    this.pending.set(client, raw)
    raw.once("close", () => {
      if (this.pending.get(client) === raw) this.pending.delete(client)
    })
    this.server.emit("connection", raw)
  }

  /** Uses other material for all later handshakes. Throws an error of OpenSSL if it is none. */
  use(material: TlsMaterial): void {
    this.server.setSecureContext(contextOptions(material))
  }

  /** Closes connections whose handshake has not ended. */
  closePending(): void {
    for (const raw of this.pending.values()) raw.destroy()
  }
}

/** The same for a raw connection and the TLS one over it; a port has one connection at a time. */
function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** Ciphers are those of Node, which follow OpenSSL's advice from version to version. */
function contextOptions({ cert, key }: TlsMaterial): SecureContextOptions {
  return { cert, key, minVersion: "TLSv1.2" }
}

/** The floor: a bare node:http server that reads each body and answers 202. Argument: its port. */

import { createServer } from "node:http"

const server = createServer((request, response) => {
  let bytes = 0
  request.on("data", (chunk: Buffer) => (bytes += chunk.length))
  request.on("end", () => {
    response.statusCode = 202
    response.setHeader("content-length", 0)
    response.end()
  })
})
// A paced run leaves some of its connections idle for longer than the default of 5 s.
server.keepAliveTimeout = 600_000
server.listen(Number(process.argv[2]), "127.0.0.1")

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
server.listen(Number(process.argv[2]), "127.0.0.1")

declare module "@20minutes/s3rver" {
  import type { AddressInfo } from "node:net"

  export default class S3rver {
    constructor(options: {
      readonly port: number
      readonly address: string
      readonly silent: boolean
      readonly directory: string
      readonly allowMismatchedSignatures?: boolean
      readonly configureBuckets: readonly { readonly name: string }[]
    })
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}

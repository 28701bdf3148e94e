/** As much memory as every part of the server can use, whatever the cores. */
export const plentyOfMemory = { bytes: 64 * 1024 ** 3, source: "the machine" }

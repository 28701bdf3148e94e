/** Words of the start, in English. */

export const text = {
  answered: (status: number) => `The server answered ${status}`,
  noAnswer: "The server has not answered yet",
  failed: "The pages could not start",
  server: (address: string) => `Server: ${address}`,
  next: (seconds: number) => `Next try in ${seconds} ${seconds === 1 ? "second" : "seconds"}`,
  trying: "Trying…",
  retryNow: "Retry now",
}

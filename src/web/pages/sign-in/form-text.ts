/** Words of the form, in English: all pages have it, since a session may end on each. */

export const formText = {
  email: "E-mail",
  password: "Password",
  remember: "Stay signed in",
  submit: "Sign in",
  throttled: (seconds: number) => `Try again in ${seconds} s.`,
}

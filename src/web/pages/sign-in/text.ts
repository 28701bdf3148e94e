export const text = {
  title: "Sign in",
  product: "Tidegauge",
  email: "E-mail",
  password: "Password",
  remember: "Stay signed in",
  submit: "Sign in",
  withLink: "Signing in with the link…",
  linkFailed: "The link cannot be used",
  plainHttp:
    "This page came over plain HTTP: on the way here others could read your password. " +
    "The handbook says how to serve HTTPS.",
  throttled: (seconds: number) => `Try again in ${seconds} s.`,
  startText:
    "The e-mail and the password were printed when the server first started. The command " +
    "“tidegauge user link EMAIL” prints a link that signs in without a password.",
}

/** Words of the page, in English. */

export const text = {
  title: "Sign in",
  withLink: "Signing in with the link…",
  linkFailed: "The link cannot be used",
  linkRefused:
    "It was used before, or is older than a day (the link of the first start) or an hour (all " +
    "others). Make another on the server: tidegauge user link EMAIL",
  plainHttp:
    "This page came over plain HTTP: on the way here others could read your password. " +
    "The handbook says how to serve HTTPS.",
  startText:
    "The e-mail and the password were printed when the server first started. The command " +
    "“tidegauge user link EMAIL” prints a link that signs in without a password.",
}

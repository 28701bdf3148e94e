/** Limits of what proxies say, with reasons. */

/** Addresses of X-Forwarded-For that are read, the last ones: a request passes fewer proxies. */
export const forwardedAddressesMax = 16

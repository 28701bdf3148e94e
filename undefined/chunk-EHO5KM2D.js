// src/version.ts
import { readFileSync } from "node:fs";
var version = readVersion(["../package.json", "../../package.json"]);
function readVersion(places) {
  for (const place of places) {
    try {
      const text = readFileSync(new URL(place, import.meta.url), "utf8");
      const manifest = JSON.parse(text);
      if (manifest.name === "tidegauge") return String(manifest.version);
    } catch {
    }
  }
  return "unknown";
}

// src/outbound/addresses.ts
import ipaddr from "ipaddr.js";
var rangesMax = 64;
var globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
function parseAllowedAddresses(text) {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.length === 1 && parts[0].toLowerCase() === "all") return "all";
  if (parts.length > rangesMax) return void 0;
  const ranges = parts.map(rangeText);
  return ranges.some((range) => range === void 0) ? void 0 : ranges;
}
function isCallable(address, allowed) {
  const parsed = parse(address);
  if (parsed === void 0) return false;
  if (allowed === "all" || isPublic(parsed)) return true;
  const meant = unmapped(parsed);
  return allowed.some((range) => isWithin(meant, ipaddr.parseCIDR(range)));
}
function isPublic(address) {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || isWithin(address, globalUnicast);
}
function isWithin(address, [base, bits]) {
  return address.kind() === base.kind() && address.match(base, bits);
}
function unmapped(address) {
  if (address.kind() === "ipv4") return address;
  const six = address;
  return six.isIPv4MappedAddress() ? six.toIPv4Address() : six;
}
function parse(text) {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : void 0;
}
function rangeText(text) {
  const address = parse(text);
  if (address !== void 0) return `${text}/${address.kind() === "ipv4" ? 32 : 128}`;
  const isRange = ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
  return isRange ? text : void 0;
}

export {
  parseAllowedAddresses,
  isCallable,
  version
};
//# sourceMappingURL=chunk-EHO5KM2D.js.map

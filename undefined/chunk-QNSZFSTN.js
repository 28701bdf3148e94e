import {
  assert
} from "./chunk-YBJXGIGP.js";

// src/base/uuid.ts
import { hash } from "node:crypto";
var uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
function isUuid(text) {
  return text.length === 36 && uuidText.test(text);
}
function uuidV3(namespaceUuid, name) {
  if (namespaceUuid !== lastNamespace.uuid) lastNamespace = readNamespace(namespaceUuid);
  const digest = hash("md5", Buffer.concat([lastNamespace.bytes, Buffer.from(name, "utf8")]), "hex");
  return uuidFromHex(digest, 3);
}
var lastNamespace = { uuid: "", bytes: Buffer.alloc(0) };
function readNamespace(uuid) {
  assert(isUuid(uuid), `Expected a UUID as namespace, got ${uuid}`);
  return { uuid, bytes: Buffer.from(uuid.replaceAll("-", ""), "hex") };
}
function uuidV4(randomBytes) {
  assert(randomBytes.length === 16, `Expected 16 bytes, got ${randomBytes.length}`);
  return uuidFromHex(Buffer.from(randomBytes).toString("hex"), 4);
}
function uuidFromHex(hex, version) {
  const variant = "89ab"[Number.parseInt(hex[16], 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export {
  isUuid,
  uuidV3,
  uuidV4
};
//# sourceMappingURL=chunk-QNSZFSTN.js.map

import {
  accountTable,
  apiKeyKind,
  counterKind,
  features,
  formVersion,
  integrationKind,
  readLine,
  userKind
} from "./chunk-LIDZTVNQ.js";
import {
  tenantKind
} from "./chunk-PZOPM4PF.js";
import {
  tableText
} from "./chunk-ELSLXJNS.js";
import {
  ServiceError,
  invalid
} from "./chunk-BZJGDYVY.js";
import {
  largestOf
} from "./chunk-BLE2ZYMV.js";
import {
  accountChangesWaitingMax,
  keyRateMax,
  keysPerTenantMax,
  tenantsMax,
  textCharactersMax,
  userBytesMax,
  usersPerTenantMax
} from "./chunk-5L33DSE6.js";
import {
  assert
} from "./chunk-YBJXGIGP.js";

// src/accounts/api-keys.ts
import { createHash, timingSafeEqual } from "node:crypto";

// src/accounts/rate-limit.ts
var noRates = { payloadsPerMinute: 0, samplesPerMinute: 0 };
var minuteMs = 6e4;
var Bucket = class {
  tokens;
  filledMs;
  perMinute;
  constructor(perMinute, nowMs) {
    assert(perMinute > 0, `Expected a rate, got ${perMinute}`);
    this.perMinute = perMinute;
    this.tokens = perMinute;
    this.filledMs = nowMs;
  }
  take(count) {
    this.tokens -= count;
  }
  /** Milliseconds until `count` tokens are there; 0 where they are. */
  waitMs(count, nowMs) {
    const elapsedMs = Math.max(0, nowMs - this.filledMs);
    this.filledMs = nowMs;
    this.tokens = Math.min(this.perMinute, this.tokens + elapsedMs * this.perMinute / minuteMs);
    return Math.max(0, (count - this.tokens) * minuteMs / this.perMinute);
  }
};
var RateLimit = class {
  payloads;
  samples;
  clock;
  constructor({ payloadsPerMinute, samplesPerMinute }, clock) {
    const nowMs = clock.nowMs();
    this.clock = clock;
    this.payloads = payloadsPerMinute > 0 ? new Bucket(payloadsPerMinute, nowMs) : null;
    this.samples = samplesPerMinute > 0 ? new Bucket(samplesPerMinute, nowMs) : null;
  }
  /** Counts one payload, or throws `throttled` and counts nothing. */
  takePayload() {
    const nowMs = this.clock.nowMs();
    const payloadWaitMs = this.payloads?.waitMs(1, nowMs) ?? 0;
    const sampleWaitMs = this.samples?.waitMs(Number.MIN_VALUE, nowMs) ?? 0;
    if (payloadWaitMs === 0 && sampleWaitMs === 0) {
      this.payloads?.take(1);
      return;
    }
    const what = payloadWaitMs >= sampleWaitMs ? "payloads" : "samples";
    const problem = `The API key sends more ${what} a minute than it may; nothing was stored`;
    const waitMs = Math.max(payloadWaitMs, sampleWaitMs);
    throw new ServiceError("throttled", problem, {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1e3))
    });
  }
  /** Charges what a payload turned out to hold. */
  takeSamples(count) {
    this.samples?.take(count);
  }
};
function rateLimit(rates, clock) {
  const isOff = rates.payloadsPerMinute === 0 && rates.samplesPerMinute === 0;
  return isOff ? null : new RateLimit(rates, clock);
}

// src/accounts/api-keys.ts
var keyLengthMax = 128;
var keyLengthMin = 16;
var keyPattern = /^[A-Za-z0-9_-]+$/;
function isApiKey(text) {
  return text.length >= keyLengthMin && text.length <= keyLengthMax && keyPattern.test(text);
}
function apiKeyId(key) {
  return createHash("sha256").update(key).digest("hex");
}
var ApiKeys = class {
  options;
  entries = /* @__PURE__ */ new Map();
  proven = /* @__PURE__ */ new Map();
  constructor(options) {
    this.options = options;
  }
  /** Takes in a key as it is stored now; null where it was removed. */
  set(id, document) {
    if (document === null) this.entries.delete(id);
    else this.entries.set(id, this.entryOf(id, document));
    this.forgetProven();
  }
  /** Looks every key up anew at its next use. */
  forgetProven() {
    this.proven.clear();
  }
  /** The stored keys, the disabled ones too, by id. */
  *documents() {
    for (const [id, { document }] of this.entries) yield [id, document];
  }
  /** What the key stands for, undefined for an unknown or disabled one. */
  grantOf(key) {
    return this.proven.get(key) ?? this.lookUp(key);
  }
  entryOf(id, document) {
    const { tenant, datasourceId, payloadsPerMinute, samplesPerMinute } = document;
    const { rates, clock } = this.options;
    const limit = rateLimit(
      {
        payloadsPerMinute: payloadsPerMinute ?? rates.payloadsPerMinute,
        samplesPerMinute: samplesPerMinute ?? rates.samplesPerMinute
      },
      clock
    );
    return { tenant, datasourceId, limit, hash: Buffer.from(id, "hex"), document };
  }
  lookUp(key) {
    if (key.length > keyLengthMax) return void 0;
    const hash = createHash("sha256").update(key).digest();
    const entry = this.entries.get(hash.toString("hex"));
    if (entry === void 0 || !timingSafeEqual(entry.hash, hash)) return void 0;
    if (!entry.document.enabled || !this.options.isOpen(entry.tenant)) return void 0;
    this.proven.set(key, entry);
    return entry;
  }
};

// src/accounts/book.ts
var Book = class {
  /** By index. */
  tenants = /* @__PURE__ */ new Map();
  /** By e-mail in lower case. */
  users = /* @__PURE__ */ new Map();
  keys;
  documents;
  watchers = [];
  userIdLast = 0;
  turn = Promise.resolve();
  waiting = 0;
  constructor({ documents, clock, rates }) {
    this.documents = documents;
    this.keys = new ApiKeys({ rates, clock, isOpen: (tenant) => this.isOpen(tenant) });
  }
  /** Reads everything that is stored. */
  async read() {
    const counter = await this.documents.get(counterKind, userKind);
    this.userIdLast = counter?.last ?? 0;
    for (const kind of [tenantKind, userKind, apiKeyKind]) {
      for (const { id, document } of await this.documents.list(kind)) {
        this.takeIn({ kind, id, document });
      }
    }
  }
  watch(watcher) {
    this.watchers.push(watcher);
  }
  /** Whether a tenant's users and keys are good for anything. */
  isOpen(tenant) {
    return this.stateOf(tenant) === "active";
  }
  stateOf(tenant) {
    const known = this.tenants.get(tenant);
    return known === void 0 ? "deleted" : known.document.state ?? "active";
  }
  /**
   * Decides in `plan` on what to change, as everything stands then, and does it: all of it, synced,
   * or nothing. What `plan` throws is thrown on. Changes of other kinds are stored along.
   */
  change(plan) {
    if (this.waiting >= accountChangesWaitingMax) {
      throw new ServiceError("overloaded", "Too many changes of accounts at once", {
        retryAfterSeconds: 1
      });
    }
    this.waiting++;
    const done = this.turn.then(async () => {
      const { changes, result } = await plan();
      if (changes.length > 0) await this.documents.putAll(changes);
      for (const change of changes) this.takeIn(change);
      return result;
    });
    const next = () => void this.waiting--;
    this.turn = done.then(next, next);
    return done;
  }
  /** A user id that nobody has had, and the change that keeps it from being given again. */
  nextUserId() {
    const id = this.userIdLast + 1;
    const document = { version: formVersion, last: id };
    return { id, counter: { kind: counterKind, id: userKind, document } };
  }
  takeIn({ kind, id, document }) {
    if (kind === tenantKind) this.takeInTenant(id, document);
    else if (kind === apiKeyKind) this.keys.set(id, document);
    else if (kind === userKind) this.takeInUser(id, document);
    else if (kind === counterKind && id === userKind) {
      this.userIdLast = document.last;
    }
  }
  takeInTenant(uuid, document) {
    const tenant = { uuid, document };
    this.tenants.set(document.index, tenant);
    this.keys.forgetProven();
    for (const watcher of this.watchers) watcher.tenantChanged?.(tenant);
    if (this.isOpen(document.index)) return;
    for (const [email, user] of this.users) {
      if (user.tenant === document.index) this.tellUser(email);
    }
  }
  takeInUser(email, document) {
    if (document === null) this.users.delete(email);
    else {
      this.users.set(email, document);
      this.userIdLast = Math.max(this.userIdLast, document.id);
    }
    this.tellUser(email);
  }
  tellUser(email) {
    for (const watcher of this.watchers) watcher.userChanged?.(email);
  }
};

// src/accounts/password.ts
import { scrypt, timingSafeEqual as timingSafeEqual2 } from "node:crypto";
var defaultCost = { N: 32768, r: 8, p: 3 };
var saltBytes = 16;
var hashBytes = 32;
async function hashPassword(password, salt, cost = defaultCost) {
  assert(salt.length === saltBytes, `Expected ${saltBytes} bytes of salt, got ${salt.length}`);
  return asText(cost, salt, await derive(password, salt, cost));
}
function decoyHash(random, cost = defaultCost) {
  return asText(cost, random.bytes(saltBytes), random.bytes(hashBytes));
}
async function isPassword(password, stored) {
  const [scheme, N, r, p, salt, hash] = stored.split("$");
  assert(scheme === "scrypt" && salt !== void 0 && hash !== void 0, "Expected a scrypt hash");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, "base64url"), cost);
  return timingSafeEqual2(derived, Buffer.from(hash, "base64url"));
}
function derive(password, salt, cost) {
  const memoryBytes = 128 * cost.N * cost.r;
  return new Promise((resolve, reject) => {
    scrypt(
      password.normalize("NFC"),
      salt,
      hashBytes,
      { ...cost, maxmem: 2 * memoryBytes },
      (error, key) => error === null ? resolve(key) : reject(error)
    );
  });
}
function asText(cost, salt, hash) {
  return ["scrypt", cost.N, cost.r, cost.p, base64(salt), base64(hash)].join("$");
}
function base64(bytes) {
  return Buffer.from(bytes).toString("base64url");
}
var HashGate = class {
  running = 0;
  waiting = [];
  runningMax;
  waitingMax;
  constructor(bounds) {
    this.runningMax = bounds.runningMax;
    this.waitingMax = bounds.waitingMax;
  }
  async run(work) {
    if (this.running === this.runningMax) await this.turn();
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === void 0) this.running--;
      else next();
    }
  }
  turn() {
    if (this.waiting.length >= this.waitingMax) {
      throw new ServiceError("throttled", "Too many logins at once", { retryAfterSeconds: 2 });
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }
};

// src/accounts/credentials.ts
var passwordLengthMin = 8;
var passwordLengthMax = 1024;
function checkEmail(sent) {
  const email = sent.replace("%40", "@");
  if (!/^(?=.{3,254}$)[^\s@:]+@[^\s@:]+$/.test(email)) {
    throw invalid(`email: expected an e-mail address without a colon, got "${email.slice(0, 80)}"`);
  }
  return email.toLowerCase();
}
function checkPassword(password) {
  if (password.length < passwordLengthMin || password.length > passwordLengthMax) {
    throw invalid(
      `password: expected ${passwordLengthMin} to ${passwordLengthMax} characters, got ${password.length}`
    );
  }
  return password;
}
var PasswordHashes = class {
  options;
  constructor(options) {
    this.options = options;
  }
  make(password) {
    const { random, cost, gate } = this.options;
    return gate.run(() => hashPassword(password, random.bytes(16), cost));
  }
};
function newApiKey(random) {
  return Buffer.from(random.bytes(16)).toString("hex");
}
var readable = "abcdefghijkmnpqrstuvwxyz23456789";
function readablePassword(random) {
  const letters = Array.from(random.bytes(20), (byte) => readable[byte & 31]);
  return letters.join("").replace(/.{4}(?=.)/g, "$&-");
}

// src/accounts/user-forms.ts
var emptyUser = {
  active: true,
  properties: {},
  customElementTypeIcons: {},
  featuresUsed: []
};
async function upgradeUsers(documents) {
  const stored = (await documents.list(userKind)).map(({ id, document }) => ({
    email: id,
    user: document
  }));
  const former = stored.filter(({ user }) => user.id === void 0);
  if (former.length === 0) return;
  former.sort((one, other) => one.user.createdMs - other.user.createdMs);
  let last = Math.max(0, largestOf(stored.map(({ user }) => user.id ?? 0)));
  const changes = former.map(({ email, user }) => {
    const document = { ...emptyUser, ...user, version: formVersion, id: ++last };
    return { kind: userKind, id: email, document };
  });
  const counter = { version: formVersion, last };
  await documents.putAll([...changes, { kind: counterKind, id: userKind, document: counter }]);
}

// src/accounts/first-start.ts
var defaultAdminEmail = "admin@tidegauge.local";
var firstTenantName = "Tidegauge";
var customDatasourceId = 1;
var passwordLengthMin2 = 8;
async function setUp(options) {
  checkWanted(options.wanted);
  const tenants = (await options.documents.list(tenantKind)).map(({ id, document }) => ({
    id,
    document
  }));
  const first = tenants.find(({ document }) => document.index === 0);
  if (first === void 0) return createAll(options);
  await applyWanted(options, first);
  return void 0;
}
function checkWanted({ apiKey, adminEmail, adminPassword }) {
  if (apiKey != null && !isApiKey(apiKey)) {
    throw invalid("Expected an API key of 16 to 128 letters, digits, '_' or '-'");
  }
  if (adminEmail != null && !/^[^\s:]{1,254}$/.test(adminEmail)) {
    throw invalid("Expected an administrator's e-mail without spaces and colons");
  }
  if (adminPassword != null && adminPassword.length < passwordLengthMin2) {
    throw invalid(
      `Expected an administrator's password of at least ${passwordLengthMin2} characters`
    );
  }
}
async function createAll(options) {
  const { documents, random, clock, wanted } = options;
  await removeUnfinished(documents);
  const told2 = {
    adminEmail: (wanted.adminEmail ?? defaultAdminEmail).toLowerCase(),
    adminPassword: wanted.adminPassword ?? readablePassword(random),
    apiKey: wanted.apiKey ?? newApiKey(random)
  };
  const common = { version: formVersion, tenant: 0, createdMs: clock.nowMs() };
  const integration = { ...common, type: "CUSTOM", name: "Custom" };
  await documents.put(integrationKind, String(customDatasourceId), integration);
  await putApiKey(options, told2.apiKey);
  await putAdmin(options, told2.adminEmail, told2.adminPassword);
  const tenant = {
    version: formVersion,
    index: 0,
    adminEmail: told2.adminEmail,
    createdMs: clock.nowMs(),
    name: firstTenantName
  };
  await documents.put(tenantKind, random.uuid(), tenant);
  return told2;
}
async function removeUnfinished(documents) {
  for (const kind of [apiKeyKind, userKind]) {
    for (const { id } of await documents.list(kind)) await documents.put(kind, id, null);
  }
}
async function applyWanted(options, tenant) {
  const { documents, wanted } = options;
  if (wanted.apiKey != null) {
    const known2 = await documents.get(apiKeyKind, apiKeyId(wanted.apiKey));
    if (known2 === void 0 || known2 === null) await putApiKey(options, wanted.apiKey);
  }
  const email = wanted.adminEmail?.toLowerCase() ?? tenant.document.adminEmail;
  const known = await documents.get(userKind, email);
  if (known != null && known.tenant !== 0) {
    throw invalid("Expected an administrator's e-mail that no user of another account has");
  }
  if (email !== tenant.document.adminEmail) await renameAdmin(options, tenant, email);
  if (wanted.adminPassword != null) await setPassword(options, email, wanted.adminPassword);
}
async function renameAdmin({ documents }, tenant, email) {
  const former = tenant.document.adminEmail;
  const user = await documents.get(userKind, former);
  const known = await documents.get(userKind, email);
  if (known == null && user != null) await documents.put(userKind, email, user);
  await documents.put(tenantKind, tenant.id, { ...tenant.document, adminEmail: email });
  if (known == null && user != null) await documents.put(userKind, former, null);
}
async function setPassword(options, email, password) {
  const { documents } = options;
  const user = await documents.get(userKind, email);
  if (user == null) return putAdmin(options, email, password);
  const isSame = await isPassword(password, user.passwordHash);
  if (isSame && user.active && user.role === "Administrator") return;
  const passwordHash = isSame ? user.passwordHash : await newHash(options, password);
  const role = "Administrator";
  await documents.put(userKind, email, { ...user, active: true, role, passwordHash });
}
async function putAdmin(options, email, password) {
  const { documents, clock } = options;
  const passwordHash = await newHash(options, password);
  const counter = await documents.get(counterKind, userKind);
  const last = (counter?.last ?? 0) + 1;
  const user = {
    ...emptyUser,
    version: formVersion,
    id: last,
    tenant: 0,
    createdMs: clock.nowMs(),
    role: "Administrator",
    passwordHash
  };
  await documents.putAll([
    { kind: userKind, id: email, document: user },
    { kind: counterKind, id: userKind, document: { version: formVersion, last } }
  ]);
}
async function putApiKey({ documents, clock }, key) {
  const document = {
    version: formVersion,
    tenant: 0,
    datasourceId: customDatasourceId,
    enabled: true,
    createdMs: clock.nowMs()
  };
  await documents.put(apiKeyKind, apiKeyId(key), document);
}
function newHash({ random, cost }, password) {
  return hashPassword(password, random.bytes(16), cost ?? defaultCost);
}

// src/accounts/key-ring.ts
var KeyRing = class {
  options;
  constructor(options) {
    this.options = options;
  }
  /** The keys of a tenant, of one datasource where it is named, oldest first. */
  list(tenant, datasourceId) {
    const records = [];
    for (const [id, document] of this.options.book.keys.documents()) {
      const isAsked = datasourceId === void 0 || document.datasourceId === datasourceId;
      if (document.tenant === tenant && isAsked) records.push({ id, ...document });
    }
    return records.sort((one, other) => one.createdMs - other.createdMs);
  }
  /** The key whose id begins so. Throws `missing` for none, `invalid` for several. */
  find(tenant, idStart) {
    const found = this.list(tenant).filter(({ id }) => id.startsWith(idStart.toLowerCase()));
    if (found.length === 1 && idStart !== "") return found[0];
    if (found.length > 1) throw invalid(`Expected more of the key's id than "${idStart}"`);
    throw new ServiceError("missing", `Expected the beginning of a key's id, got "${idStart}"`);
  }
  /**
   * A new key of a datasource: 128 random bits as 32 hexadecimal digits. `also` is stored in the
   * same transaction, so that a datasource never stands without its key.
   */
  create(tenant, datasourceId, also = () => []) {
    return this.options.book.change(() => {
      this.checkRoom(tenant);
      const made = this.make();
      const changes = [putKey(made.id, this.newDocument(tenant, datasourceId)), ...also(made)];
      return { changes, result: made };
    });
  }
  /**
   * A new key in place of an old one, which is removed unless it is to be kept a while: a disabled
   * one would come back when its datasource is enabled again.
   */
  rotate(tenant, idStart, keepFormer = false) {
    return this.options.book.change(() => {
      this.checkRoom(tenant);
      const { id, ...former } = this.find(tenant, idStart);
      const made = this.make();
      const document = { ...former, enabled: true, createdMs: this.options.clock.nowMs() };
      const changes = [putKey(made.id, document)];
      if (!keepFormer) changes.push(putKey(id, null));
      return { changes, result: made };
    });
  }
  update(tenant, idStart, change) {
    checkChange(change);
    return this.options.book.change(() => {
      const { id, ...former } = this.find(tenant, idStart);
      const document = changed(former, change);
      return { changes: [putKey(id, document)], result: { id, ...document } };
    });
  }
  remove(tenant, idStart) {
    return this.options.book.change(() => {
      const { id } = this.find(tenant, idStart);
      return { changes: [putKey(id, null)], result: void 0 };
    });
  }
  /** Enables or disables every key of a datasource, in one transaction with `also`. */
  setDatasourceEnabled(tenant, datasourceId, enabled, also = []) {
    return this.changeDatasource(tenant, datasourceId, also, (key) => ({ ...key, enabled }));
  }
  /** Removes every key of a datasource, in one transaction with `also`. */
  removeDatasource(tenant, datasourceId, also = []) {
    return this.changeDatasource(tenant, datasourceId, also, () => null);
  }
  changeDatasource(tenant, datasourceId, also, to) {
    return this.options.book.change(() => {
      const keys = this.list(tenant, datasourceId).map(({ id, ...key }) => putKey(id, to(key)));
      return { changes: [...keys, ...also], result: void 0 };
    });
  }
  make() {
    const key = newApiKey(this.options.random);
    return { id: apiKeyId(key), key };
  }
  newDocument(tenant, datasourceId) {
    const createdMs = this.options.clock.nowMs();
    return { version: formVersion, tenant, datasourceId, enabled: true, createdMs };
  }
  checkRoom(tenant) {
    if (this.list(tenant).length < keysPerTenantMax) return;
    throw invalid(`Expected at most ${keysPerTenantMax} keys of one account`);
  }
};
function putKey(id, document) {
  return { kind: apiKeyKind, id, document };
}
function changed(former, change) {
  const given = Object.entries(change).filter(([, value]) => value !== void 0);
  const merged = Object.entries({ ...former, ...Object.fromEntries(given) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}
function checkChange({ name, payloadsPerMinute, samplesPerMinute }) {
  if (name !== void 0 && name.length > textCharactersMax) {
    throw invalid(`name: expected at most ${textCharactersMax} characters, got ${name.length}`);
  }
  for (const [field, rate] of Object.entries({ payloadsPerMinute, samplesPerMinute })) {
    if (rate === void 0 || rate === null) continue;
    if (!Number.isInteger(rate) || rate < 0 || rate > keyRateMax) {
      throw invalid(`${field}: expected a whole number, 0 to ${keyRateMax}, got ${rate}`);
    }
  }
}

// src/accounts/logins.ts
import { createHmac } from "node:crypto";
var cachedMs = 6e4;
var cachedMax = 1e3;
var hashesMax = 2;
var hashesWaitingMax = 16;
var headerLengthMax = 8192;
function passwordGate() {
  return new HashGate({ runningMax: hashesMax, waitingMax: hashesWaitingMax });
}
var Logins = class {
  options;
  cacheKey;
  gate;
  /** By HMAC of the header, oldest first. No password and no plain hash of one is kept. */
  cached = /* @__PURE__ */ new Map();
  /** Checks under way: the many connections of one page cost one hash. */
  pending = /* @__PURE__ */ new Map();
  /** Counts what was forgotten, so that a check that began before remembers nothing. */
  forgotten = 0;
  constructor(options) {
    this.options = options;
    this.gate = options.gate ?? passwordGate();
    this.cacheKey = options.random.bytes(32);
  }
  /**
   * The identity behind an Authorization header. Throws `unauthenticated`, or `throttled` under a
   * flood.
   */
  async authenticate(header) {
    if (header === void 0) throw unauthenticated("Basic credentials are missing");
    const credentials = credentialsOf(header);
    if (credentials === null) throw unauthenticated("Expected Basic credentials");
    const tag = createHmac("sha256", this.cacheKey).update(header).digest("base64");
    const known = this.cached.get(tag);
    if (known !== void 0 && this.isFresh(known.checkedMs)) return known.identity;
    let check = this.pending.get(tag);
    if (check === void 0) {
      const mine = this.check(credentials, tag).finally(() => {
        if (this.pending.get(tag) === mine) this.pending.delete(tag);
      });
      check = mine;
      this.pending.set(tag, mine);
    }
    return check;
  }
  /** Vouches for a user no longer: its password, role or right to log in changed. */
  forget(email) {
    this.forgotten++;
    this.pending.clear();
    for (const [tag, { identity }] of this.cached) {
      if (identity.user === email) this.cached.delete(tag);
    }
  }
  /** Whether it is the user's password; at the price of a hash, whatever is cached. */
  isPassword({ passwordHash }, text) {
    return this.gate.run(() => isPassword(text, passwordHash));
  }
  async check({ email, password }, tag) {
    const { forgotten } = this;
    const user = this.options.userOf(email);
    const hash = user?.passwordHash ?? this.options.decoy;
    const isRight = await this.gate.run(() => isPassword(password, hash));
    if (user === void 0 || !isRight) throw unauthenticated("The e-mail or the password is wrong");
    const identity = { tenant: user.tenant, user: email, role: user.role };
    if (forgotten === this.forgotten) this.remember(tag, identity);
    return identity;
  }
  /** A clock that was set back does not make a check good for longer. */
  isFresh(checkedMs) {
    const ageMs = this.options.clock.nowMs() - checkedMs;
    return ageMs >= 0 && ageMs < cachedMs;
  }
  remember(tag, identity) {
    this.cached.delete(tag);
    if (this.cached.size >= cachedMax) this.cached.delete(this.cached.keys().next().value);
    this.cached.set(tag, { identity, checkedMs: this.options.clock.nowMs() });
  }
};
function credentialsOf(header) {
  if (header.length > headerLengthMax) return null;
  const match = /^basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(header);
  if (match === null) return null;
  const text = Buffer.from(match[1], "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) return null;
  return { email: text.slice(0, colon).toLowerCase(), password: text.slice(colon + 1) };
}
function unauthenticated(problem) {
  return new ServiceError("unauthenticated", problem);
}

// src/accounts/tenants.ts
var Tenants = class {
  options;
  constructor(options) {
    this.options = options;
  }
  /** All that were not deleted, oldest first. */
  list() {
    const { book } = this.options;
    return [...book.tenants.values()].filter(({ document }) => book.stateOf(document.index) !== "deleted").sort((one, other) => one.document.index - other.document.index);
  }
  /** The tenant of a UUID or an index. Throws `missing`. */
  find(uuidOrIndex) {
    const found = this.list().find(
      ({ uuid, document }) => uuid === uuidOrIndex || String(document.index) === uuidOrIndex
    );
    if (found !== void 0) return found;
    throw new ServiceError("missing", `Expected the id of an account, got "${uuidOrIndex}"`);
  }
  /** A tenant with an administrator, the Custom integration and its key, which is told once. */
  async create(wanted) {
    const { book, random, clock } = this.options;
    const email = checkEmail(wanted.adminEmail);
    const name = checkName(wanted.name);
    const passwordHash = await this.options.hashes.make(checkPassword(wanted.adminPassword));
    return book.change(() => {
      if (book.users.has(email)) {
        throw invalid(`email: expected one that no user has, got "${email}"`);
      }
      const index = book.tenants.size;
      if (index >= tenantsMax) throw invalid(`Expected at most ${tenantsMax} accounts`);
      const uuid = random.uuid();
      const apiKey = newApiKey(random);
      const common = { version: formVersion, createdMs: clock.nowMs() };
      const document = { ...common, index, adminEmail: email, name };
      const { id, counter } = book.nextUserId();
      const user = {
        ...emptyUser,
        ...common,
        id,
        tenant: index,
        role: "Administrator",
        passwordHash
      };
      const changes = [
        { kind: tenantKind, id: uuid, document },
        { kind: userKind, id: email, document: user },
        counter,
        ...customIntegration(index, apiKey, common)
      ];
      return { changes, result: { tenant: { uuid, document }, apiKey } };
    });
  }
  rename(uuidOrIndex, name) {
    return this.update(uuidOrIndex, { name: checkName(name) });
  }
  /** Disabled: its users may not log in, its keys are as good as unknown; nothing is lost. */
  setEnabled(uuidOrIndex, enabled) {
    return this.update(uuidOrIndex, { state: enabled ? "active" : "disabled" });
  }
  /**
   * Removes users and keys for good. What it stored stays until its retention ends, out of reach,
   * since its index and UUID are never given again.
   */
  remove(uuidOrIndex) {
    const { book } = this.options;
    return book.change(() => {
      const { uuid, document } = this.find(uuidOrIndex);
      if (document.index === 0) {
        throw invalid("Expected another account than the first one, which the server belongs to");
      }
      const deleted = { ...document, state: "deleted" };
      const gone = [{ kind: tenantKind, id: uuid, document: deleted }];
      for (const [email, { tenant }] of book.users) {
        if (tenant === document.index) gone.push({ kind: userKind, id: email, document: null });
      }
      for (const [id, { tenant }] of book.keys.documents()) {
        if (tenant === document.index) gone.push({ kind: apiKeyKind, id, document: null });
      }
      return { changes: gone, result: { uuid, document: deleted } };
    });
  }
  update(uuidOrIndex, part) {
    return this.options.book.change(() => {
      const { uuid, document } = this.find(uuidOrIndex);
      if (document.index === 0 && part.state === "disabled") {
        throw invalid("Expected another account than the first one, which the server belongs to");
      }
      const changed2 = { ...document, ...part, version: formVersion };
      const changes = [{ kind: tenantKind, id: uuid, document: changed2 }];
      return { changes, result: { uuid, document: changed2 } };
    });
  }
};
function customIntegration(tenant, apiKey, common) {
  const integration = { ...common, tenant, type: "CUSTOM", name: "Custom" };
  const key = {
    ...common,
    tenant,
    datasourceId: customDatasourceId,
    enabled: true
  };
  return [
    { kind: integrationKind, id: integrationId(tenant), document: integration },
    { kind: apiKeyKind, id: apiKeyId(apiKey), document: key }
  ];
}
function integrationId(tenant) {
  return tenant === 0 ? String(customDatasourceId) : `${customDatasourceId}@${tenant}`;
}
function checkName(name) {
  if (name.trim() !== "" && name.length <= textCharactersMax) return name.trim();
  throw invalid(`name: expected 1 to ${textCharactersMax} characters, got ${name.length}`);
}

// src/accounts/users.ts
var Users = class {
  options;
  constructor(options) {
    this.options = options;
  }
  /** All of a tenant, by id. */
  list(tenant) {
    const { book } = this.options;
    const own = [...book.users].filter(([, user]) => user.tenant === tenant);
    return own.map(([email, user]) => this.userOf(email, user)).sort((one, other) => one.id - other.id);
  }
  /** The user of an id. Throws `missing` where the tenant has none of it. */
  get(tenant, id) {
    for (const [email, user] of this.options.book.users) {
      if (user.tenant === tenant && user.id === id) return this.userOf(email, user);
    }
    throw new ServiceError("missing", `Expected the id of a user, got ${id}`);
  }
  /** Who is logged in. */
  current({ user: email, tenant }) {
    return this.byEmail(tenant, email);
  }
  /** The user of an e-mail. Throws `missing` where the tenant has none of it. */
  byEmail(tenant, email) {
    const user = this.options.book.users.get(email.toLowerCase());
    if (user?.tenant !== tenant) {
      throw new ServiceError("missing", `Expected the e-mail of a user, got "${email}"`);
    }
    return this.userOf(email.toLowerCase(), user);
  }
  /** The user of an e-mail in whatever tenant: for whoever owns the server. Throws `missing`. */
  anywhere(email) {
    const user = this.options.book.users.get(email.toLowerCase());
    return this.byEmail(user?.tenant ?? 0, email);
  }
  /** Throws `invalid` for an e-mail or password of no use, and for an e-mail that is taken. */
  async create(tenant, wanted) {
    const email = checkEmail(wanted.email);
    const passwordHash = await this.options.hashes.make(checkPassword(wanted.password));
    const { book, clock } = this.options;
    return book.change(() => {
      this.checkFree(email);
      if (this.list(tenant).length >= usersPerTenantMax) {
        throw invalid(`Expected at most ${usersPerTenantMax} users of one account`);
      }
      const { id, counter } = book.nextUserId();
      const user = {
        ...emptyUser,
        version: formVersion,
        id,
        tenant,
        passwordHash,
        createdMs: clock.nowMs(),
        ...storedPart(wanted),
        role: wanted.role
      };
      return { changes: [putUser(email, user), counter], result: this.userOf(email, user) };
    });
  }
  /** Changes what is given; properties are merged. */
  async update(tenant, id, wanted) {
    const email = wanted.email === void 0 ? void 0 : checkEmail(wanted.email);
    const { password } = wanted;
    const passwordHash = password === void 0 ? void 0 : await this.options.hashes.make(checkPassword(password));
    return this.options.book.change(() => {
      const former = this.get(tenant, id);
      const changed2 = {
        ...documentOf(former),
        ...storedPart(wanted),
        properties: { ...former.properties, ...wanted.properties },
        ...passwordHash === void 0 ? {} : { passwordHash }
      };
      if (changed2.role !== "Administrator" || !changed2.active) this.checkNotLast(former);
      return this.planned(former, email ?? former.email, changed2);
    });
  }
  remove(tenant, id) {
    return this.options.book.change(() => {
      const former = this.get(tenant, id);
      this.checkNotLast(former);
      return { changes: [{ kind: userKind, id: former.email, document: null }], result: void 0 };
    });
  }
  /** Throws `invalid` where `oldPassword` is not the user's. */
  async changePassword(tenant, id, { oldPassword, newPassword }) {
    const user = this.get(tenant, id);
    checkPassword(newPassword);
    if (oldPassword !== null && !await this.options.logins.isPassword(user, oldPassword)) {
      throw invalid("oldPassword: expected the user's password");
    }
    return this.update(tenant, id, { password: newPassword });
  }
  /** Notes that a user made use of something; costs nothing from the second time on. */
  async noteFeature({ tenant, user: email }, feature) {
    const { book } = this.options;
    if (book.users.get(email)?.featuresUsed.includes(feature) !== false) return;
    await book.change(() => {
      const user = book.users.get(email);
      const isNew = user?.tenant === tenant && !user.featuresUsed.includes(feature);
      const used = features.filter((one) => one === feature || user?.featuresUsed.includes(one));
      const changes = isNew ? [putUser(email, { ...user, featuresUsed: used })] : [];
      return { changes, result: void 0 };
    });
  }
  planned(former, email, changed2) {
    const isRenamed = email !== former.email;
    if (isRenamed) this.checkFree(email);
    const removal = { kind: userKind, id: former.email, document: null };
    const changes = isRenamed ? [removal, putUser(email, changed2)] : [putUser(email, changed2)];
    const { uuid, document } = former.owner;
    if (isRenamed && document.adminEmail === former.email) {
      changes.push({ kind: tenantKind, id: uuid, document: { ...document, adminEmail: email } });
    }
    return { changes, result: this.userOf(email, changed2) };
  }
  checkFree(email) {
    if (!this.options.book.users.has(email)) return;
    throw invalid(`email: expected one that no user has, got "${email}"`);
  }
  checkNotLast(user) {
    const isOther = (one) => one.id !== user.id && one.role === "Administrator" && one.active;
    if (user.role !== "Administrator" || !user.active) return;
    if (this.list(user.tenant).some(isOther)) return;
    throw invalid(
      `Expected another active administrator before user ${user.id}, the last one, is changed`
    );
  }
  userOf(email, user) {
    return { ...user, email, owner: this.options.book.tenants.get(user.tenant) };
  }
};
function putUser(email, document) {
  const { properties, customElementTypeIcons } = document;
  const bytes = Buffer.byteLength(JSON.stringify([properties, customElementTypeIcons]));
  if (bytes > userBytesMax) {
    throw invalid(`properties: expected at most ${userBytesMax} bytes as JSON, got ${bytes}`);
  }
  return { kind: userKind, id: email, document };
}
function documentOf({ email: _email, owner: _owner, ...document }) {
  return document;
}
function storedPart(wanted) {
  const { role, active, properties, customElementTypeIcons } = wanted;
  return {
    ...role === void 0 ? {} : { role },
    ...active === void 0 ? {} : { active },
    ...properties === void 0 ? {} : { properties },
    ...customElementTypeIcons === void 0 ? {} : { customElementTypeIcons }
  };
}

// src/accounts/accounts.ts
async function openAccounts(options) {
  const firstStart = await setUp(options);
  const accounts = await readAccounts(options);
  return firstStart === void 0 ? { accounts } : { accounts, firstStart };
}
async function readAccounts(options) {
  const { documents, random, clock, rates = noRates, cost = defaultCost } = options;
  await upgradeUsers(documents);
  const book = new Book({ documents, clock, rates });
  const gate = passwordGate();
  const userOf = (email) => {
    const user = book.users.get(email);
    return user?.active === true && book.isOpen(user.tenant) ? user : void 0;
  };
  const logins = new Logins({ userOf, decoy: decoyHash(random, cost), clock, random, gate });
  book.watch({
    userChanged: (email) => logins.forget(email),
    tenantChanged: (tenant) => options.onTenant?.(tenant)
  });
  await book.read();
  const hashes = new PasswordHashes({ random, cost, gate });
  const keys = new KeyRing({ book, random, clock });
  return {
    authenticate: (header) => logins.authenticate(header),
    grantOf: (key) => book.keys.grantOf(key),
    tenantOfKey: (key) => book.keys.grantOf(key)?.tenant,
    tenantUuid(tenant) {
      const known = book.tenants.get(tenant);
      assert(known !== void 0, `Expected a known tenant, got ${tenant}`);
      return known.uuid;
    },
    createKey: (tenant, datasourceId, also) => keys.create(tenant, datasourceId, also),
    users: new Users({ book, logins, hashes, random, clock }),
    tenants: new Tenants({ book, hashes, random, clock }),
    keys
  };
}

// src/command/account.ts
var exitUsage = 64;
async function runAccountCommand(argv, rooms) {
  const read = readLine(accountTable, argv);
  if ("help" in read) return { status: 0, text: read.help };
  if (!("line" in read)) {
    const problems = "problems" in read ? read.problems : [];
    return { status: exitUsage, text: problems.map((one) => `tidegauge: ${one}`).join("\n") };
  }
  const command = commandOf(read.line);
  try {
    return { status: 0, text: await handlers[command.noun](command, rooms) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { status: 1, text: `tidegauge: ${error.message}` };
  }
}
function commandOf({ command, words, options }) {
  const [noun, verb] = command.name.split(" ");
  return { noun, verb, subject: words[0] ?? "", flags: options };
}
var handlers = {
  account: runAccount,
  user: runUser,
  key: runKey
};
async function runAccount({ verb, subject, flags }, { accounts: { tenants }, random }) {
  if (verb === "create") {
    const adminPassword = flags.get("password") ?? readablePassword(random);
    const adminEmail = flags.get("email");
    const made = await tenants.create({ name: flags.get("name"), adminEmail, adminPassword });
    return told([
      ["account", `${made.tenant.document.index}  ${made.tenant.uuid}`],
      ["administrator", made.tenant.document.adminEmail],
      ["password", adminPassword],
      ["API key", made.apiKey]
    ]);
  }
  if (verb === "rename") await tenants.rename(subject, flags.get("name"));
  else if (verb === "delete") return `Deleted account ${(await tenants.remove(subject)).uuid}`;
  else if (verb !== "list") await tenants.setEnabled(subject, verb === "enable");
  const rows = tenants.list().map(({ uuid, document: { index, name, state, adminEmail } }) => ({
    account: String(index),
    id: uuid,
    name: name ?? "",
    state: state ?? "active",
    administrator: adminEmail
  }));
  return tableOf(rows);
}
async function runUser(command, rooms) {
  const { verb, subject, flags } = command;
  const { users } = rooms.accounts;
  const password = flags.get("password") ?? readablePassword(rooms.random);
  if (verb === "list") return userTable(users.list(tenantOf(command, rooms)));
  if (verb === "create") {
    const role = flags.get("role") ?? "Administrator";
    const email2 = flags.get("email");
    const user = await users.create(tenantOf(command, rooms), { email: email2, password, role });
    return told([
      ["user", `${user.id}  ${user.email}`],
      ["role", user.role],
      ["password", password]
    ]);
  }
  const { tenant, id, email } = users.anywhere(subject);
  if (verb === "delete") {
    await users.remove(tenant, id);
    return `Deleted user ${email}`;
  }
  if (verb === "password") {
    await users.changePassword(tenant, id, { oldPassword: null, newPassword: password });
    return told([["password", password]]);
  }
  const change = verb === "role" ? { role: flags.get("role") } : void 0;
  return userTable([await users.update(tenant, id, change ?? { active: verb === "enable" })]);
}
async function runKey(command, rooms) {
  const { verb, subject, flags } = command;
  const { keys } = rooms.accounts;
  const tenant = tenantOf(command, rooms);
  const datasource = flags.get("datasource");
  const datasourceId = datasource === void 0 ? void 0 : wholeNumber(datasource);
  if (verb === "list") return keyTable(keys.list(tenant, datasourceId));
  if (verb === "create")
    return toldKey(await keys.create(tenant, datasourceId ?? customDatasourceId));
  if (verb === "rotate") {
    return toldKey(await keys.rotate(tenant, subject, flags.get("keep") === "yes"));
  }
  if (verb === "delete") {
    await keys.remove(tenant, subject);
    return `Deleted key ${subject}`;
  }
  if (verb !== "limit") {
    return keyTable([await keys.update(tenant, subject, { enabled: verb === "enable" })]);
  }
  const rates = {
    ...rateOf("payloadsPerMinute", flags.get("payloads")),
    ...rateOf("samplesPerMinute", flags.get("samples"))
  };
  return keyTable([await keys.update(tenant, subject, rates)]);
}
function tenantOf({ flags }, { accounts }) {
  return accounts.tenants.find(flags.get("account") ?? "0").document.index;
}
function wholeNumber(text) {
  if (!/^\d{1,15}$/.test(text)) throw invalid(`Expected a whole number, got "${text}"`);
  return Number(text);
}
function rateOf(field, text) {
  if (text === void 0) return {};
  return { [field]: text === "default" ? null : wholeNumber(text) };
}
function userTable(list) {
  return tableOf(
    list.map(({ id, email, role, active }) => ({
      user: String(id),
      "e-mail": email,
      role,
      active: active ? "yes" : "no"
    }))
  );
}
var idDigitsShown = 12;
function keyTable(list) {
  const rate = (perMinute) => perMinute === void 0 ? "default" : String(perMinute);
  return tableOf(
    list.map((key) => ({
      key: key.id.slice(0, idDigitsShown),
      datasource: String(key.datasourceId),
      enabled: key.enabled ? "yes" : "no",
      "payloads/min": rate(key.payloadsPerMinute),
      "samples/min": rate(key.samplesPerMinute),
      created: new Date(key.createdMs).toISOString()
    }))
  );
}
function toldKey({ id, key }) {
  return told([
    ["id", id.slice(0, idDigitsShown)],
    ["API key", key]
  ]);
}
function told(lines) {
  return lines.map(([name, value]) => `${name.padEnd(14)}  ${value}`).join("\n");
}
function tableOf(rows) {
  const [first] = rows;
  if (first === void 0) return "None.";
  const names = Object.keys(first);
  return tableText(
    names,
    rows.map((row) => names.map((name) => row[name]))
  );
}

// src/control.ts
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, unlinkSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { join } from "node:path";
var requestBytesMax = 64 * 1024;
var replyBytesMax = 16 * 1024 * 1024;
var replyTimeoutMs = 6e4;
async function holdStore(folder) {
  try {
    return await hold(folder);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError("storage", `Cannot open the store in "${folder}": ${String(cause)}`, {
      cause
    });
  }
}
async function hold(folder) {
  mkdirSync(folder, { recursive: true, mode: 448 });
  const { path, close } = socketPath(folder);
  let serve = () => {
  };
  const served = new Promise((resolve) => serve = resolve);
  const sockets = /* @__PURE__ */ new Set();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    void serveOne(socket, served);
  });
  try {
    await listen(server, path).catch(async (error) => {
      if (error.code !== "EADDRINUSE") throw error;
      if (await isAnswered(path)) {
        throw new ServiceError("storage", `Another process holds the store in "${folder}"`);
      }
      unlinkSync(path);
      await listen(server, path);
    });
  } catch (error) {
    close();
    throw error;
  }
  chmodSync(path, 384);
  server.unref();
  return {
    serve,
    release: () => new Promise((resolve) => {
      server.close(() => {
        close();
        resolve();
      });
      for (const socket of sockets) socket.destroy();
    })
  };
}
async function askHolder(folder, args) {
  if (!existsSync(folder)) return null;
  const { path, close } = socketPath(folder);
  try {
    const socket = await connect(path);
    if (socket === null) return null;
    socket.on("error", () => socket.destroy());
    socket.end(JSON.stringify(args));
    socket.setTimeout(replyTimeoutMs, () => socket.destroy());
    const text = await readAll(socket, replyBytesMax);
    if (text === "") throw new ServiceError("storage", "The server ended before it answered");
    return JSON.parse(text);
  } finally {
    close();
  }
}
var pathBytesMax = 100;
function socketPath(folder) {
  const path = join(folder, "control.sock");
  if (Buffer.byteLength(path) <= pathBytesMax) return { path, close: () => {
  } };
  const descriptors = "/proc/self/fd";
  if (!existsSync(descriptors)) {
    const bytesMax = pathBytesMax - "/control.sock".length;
    const problem = `Expected a folder of at most ${bytesMax} bytes, got "${folder}"`;
    throw new ServiceError("storage", problem);
  }
  const descriptor = openSync(folder, "r");
  return {
    path: join(descriptors, String(descriptor), "control.sock"),
    close: () => closeSync(descriptor)
  };
}
function listen(server, path) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const mask = process.umask(127);
    try {
      server.listen(path, () => {
        server.off("error", reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
}
async function isAnswered(path) {
  const socket = await connect(path);
  socket?.destroy();
  return socket !== null;
}
function connect(path) {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path, allowHalfOpen: true });
    socket.once("connect", () => resolve(socket));
    socket.once("error", (error) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(null);
      else reject(new ServiceError("storage", `Cannot ask at "${path}": ${error.message}`));
    });
  });
}
async function serveOne(socket, served) {
  socket.on("error", () => socket.destroy());
  try {
    const text = await readAll(socket, requestBytesMax);
    if (text === "") return void socket.end();
    const control = await served;
    socket.end(JSON.stringify(await control(JSON.parse(text))));
  } catch {
    socket.destroy();
  }
}
function readAll(socket, bytesMax) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let length = 0;
    socket.on("data", (chunk) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= bytesMax) return;
      socket.destroy();
      reject(new ServiceError("tooLarge", `Expected at most ${bytesMax} bytes`));
    });
    socket.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    socket.on("close", () => resolve(""));
  });
}

export {
  defaultCost,
  customDatasourceId,
  integrationId,
  openAccounts,
  readAccounts,
  runAccountCommand,
  holdStore,
  askHolder
};
//# sourceMappingURL=chunk-TE4R7E5U.js.map

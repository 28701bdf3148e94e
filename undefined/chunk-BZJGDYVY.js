// src/base/errors.ts
var ServiceError = class extends Error {
  name = "ServiceError";
  code;
  /** One sentence per problem, each naming field and value; never empty. */
  problems;
  /** For `throttled`, `overloaded` and `readOnly`: when a retry makes sense. */
  retryAfterSeconds;
  constructor(code, problems, options = {}) {
    const list = typeof problems === "string" ? [problems] : problems;
    super(list.join("; "), { cause: options.cause });
    this.code = code;
    this.problems = list;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
};
function invalid(problems) {
  return new ServiceError("invalid", problems);
}

export {
  ServiceError,
  invalid
};
//# sourceMappingURL=chunk-BZJGDYVY.js.map

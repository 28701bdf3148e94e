// src/model/document.ts
var tenantKind = "tenant";
var configurationKindPrefix = "analyticConfiguration:";
function configurationKind(tenant) {
  return `${configurationKindPrefix}${tenant}`;
}

export {
  tenantKind,
  configurationKindPrefix,
  configurationKind
};
//# sourceMappingURL=chunk-PZOPM4PF.js.map

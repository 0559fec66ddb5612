/** Imports run one way: app → components, http, mcp, inngest → capabilities → kernel. docs/architecture.md says why. */
const KERNEL = "^lib/[^/]+\\.ts$|^lib/(database|input|observability|outbound|security)/|^lib/generated/";
const CAPABILITIES = ["files", "records", "oauth", "webhooks", "migration", "salesforce", "sessions", "settings"];

/** What each capability may import besides itself and the kernel. */
const EXCEPTIONS = {
  files: ["records/schema/resources"],
  migration: ["files", "records", "salesforce", "webhooks/(fan-out|sending/enqueue-drain|deliveries/limits)"],
  records: ["webhooks/(fan-out|sending/enqueue-drain)"],
  oauth: ["webhooks/app-access"],
  sessions: ["webhooks/app-access"],
  settings: [
    "files/(file-storage|open-storage)",
    "records/schema/(list-address|resources)",
    "sessions/(members/member-access|passwords/prove-password|people/(erase-users|person))",
  ],
};

/** Modules of lib that also run in a browser. */
const FOR_BROWSERS = [
  "^lib/(amounts|batches|brand|context|errors|event-format|input/(calendar-day|invisible-characters|limits))\\.ts$",
  "^lib/records/schema/(field|list-address|phone-suffix|record-name|registry|resources)\\.ts$",
  "^lib/oauth/(clients/client-schema|scopes)\\.ts$",
  "^lib/sessions/schemas\\.ts$",
  "^lib/settings/(organization/organization|views/view)-schema\\.ts$",
  "^lib/webhooks/(event-types|endpoints/webhook-schema|deliveries/(delivery-schema|limits))\\.ts$",
  "^lib/salesforce/ids\\.ts$",
  "^lib/migration/(migration|issue|connections/connection)-schema\\.ts$",
  "^lib/migration/configuration/(comparable-fields|configuration-schema|custom-fields|duplicate-rules|fit-of-choice|locked-statuses|mapping-rules)\\.ts$",
  "^lib/migration/(duplicates/duplicates-schema|owners/(choose-owner|owners-schema)|preview/preview-schema|relationships/relationships-schema|configuration/exported-schema)\\.ts$",
  "^lib/migration/(objects/(source-object-names|source-objects)|report/(analysis-schema|report-schema|wording)|proof/proof-schema|history/history-schema|conflicts/conflict-schema|undo/undo-schema)\\.ts$",
];

const capabilityRules = CAPABILITIES.map((name) => ({
  name: `${name}-imports-kernel-only`,
  comment: `lib/${name} may import itself, the kernel${EXCEPTIONS[name] ? ` and ${EXCEPTIONS[name].join(", ")}` : ""}.`,
  severity: "error",
  from: { path: `^lib/${name}/` },
  to: {
    path: "^(app|components|inngest|lib|sandbox-org|scripts|tests)/",
    pathNot: [`^lib/${name}/`, KERNEL, ...(EXCEPTIONS[name] ?? []).map((other) => `^lib/${other}`)],
  },
}));

export default {
  forbidden: [
    ...capabilityRules,
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "kernel-imports-kernel-only",
      severity: "error",
      from: { path: "^lib/([^/]+\\.ts$|(database|input|observability|outbound|security)/)" },
      to: { path: "^(app|components|inngest|lib|sandbox-org|scripts|tests)/", pathNot: [KERNEL] },
    },
    {
      name: "transport-imports-capabilities-only",
      comment: "lib/http and lib/mcp sit above the capabilities and below app.",
      severity: "error",
      from: { path: "^lib/(http|mcp)/" },
      to: { path: "^(app|components|inngest|sandbox-org|scripts|tests)/" },
    },
    { name: "lib-knows-no-next", severity: "error", from: { path: "^lib/" }, to: { path: "node_modules/next/" } },
    {
      name: "handlers-of-the-api-know-no-next",
      comment: "scripts/service/web/route-handlers.ts calls them without it: no cookies(), after() or cache",
      severity: "error",
      from: { path: "^app/(api/v1/|api/mcp/|oauth/token/|oauth/client-endpoint)" },
      to: { path: "node_modules/next/" },
    },
    {
      name: "components-run-in-the-browser",
      comment: "Components may import schemas of records and migrations from lib, and nothing that needs a server.",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^(app|inngest|lib|sandbox-org|scripts|tests)/", pathNot: FOR_BROWSERS },
    },
    {
      name: "jobs-import-capabilities",
      severity: "error",
      from: { path: "^inngest/" },
      to: { path: "^(app|components|sandbox-org|scripts|tests)/|^lib/(http|mcp)/" },
    },
    { name: "app-is-the-top", severity: "error", from: { path: "^(lib|components|inngest)/" }, to: { path: "^app/" } },
    {
      name: "app-reaches-no-scripts",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^(sandbox-org|scripts|tests)/" },
    },
    {
      name: "app-touches-no-database",
      comment: "Rules and Prisma are in the layers below.",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^lib/database/|^lib/generated/prisma/client" },
    },
    {
      name: "sandbox-org-stands-alone",
      severity: "error",
      from: { path: "^sandbox-org/" },
      to: { path: "^(app|components|inngest|lib|scripts|tests)/" },
    },
    {
      name: "service-tests-stand-outside",
      comment:
        "They test the service through its public interfaces only, as its users do. tests/service/setup prepares " +
        "what they need.",
      severity: "error",
      from: { path: "^tests/service/", pathNot: "^tests/service/setup/" },
      to: {
        path: "^(app|components|inngest|lib|scripts)/",
        pathNot: "^scripts/(service/free-port|demo/obtain-access-token)",
      },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(lib/generated|\\.next)/" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ["import", "node", "default", "types"], exportsFields: ["exports"] },
  },
};

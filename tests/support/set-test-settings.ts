// Loaded before any module of the project: the settings that `lib/env.ts` reads in tests.
process.env.APP_SECRET ??= "a-secret-for-tests-that-is-long-enough-0123456789";
process.env.APP_URL ??= "http://localhost:3000";
process.env.LOG_LEVEL ??= "silent";
process.env.RATE_LIMIT_PER_MINUTE ??= "0";
process.env.ALLOW_PRIVATE_NETWORK ??= "true";
// Only the suites that are meant for it run on an Inngest server.
if (process.env.ENGINE_UNDER_TEST !== "inngest-server")
  for (const name of Object.keys(process.env)) if (name.startsWith("INNGEST_")) delete process.env[name];
// Variables of the machine that would redirect requests.
for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "NODE_USE_ENV_PROXY"])
  delete process.env[name];

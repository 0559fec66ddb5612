// Not a .ts file: Next would load its compiler in every web process, for this file alone. Node reads the imported one.
import { SECURITY_HEADERS } from "./lib/http/pages/content-security-policy.ts";

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // `npm run verify` checks the types of the whole project; the first start need not wait for that.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["pg", "graphile-worker", "@node-rs/argon2", "@prisma/adapter-pg", "pino"],
  // No page has pictures to scale. Strangers could let the service work on some, and write its log with their address.
  images: { unoptimized: true },
  turbopack: { root: import.meta.dirname },
  experimental: {
    // No process reads them: they would take a tenth of the build's time, and 68 MB.
    turbopackSourceMaps: false,
    // A version is built once: writing the cache, of 190 MB, would take a seventh of that time.
    turbopackFileSystemCacheForBuild: false,
    // scripts/service/web/preload-routes.ts loads them when the first request can be answered.
    preloadEntriesOnStart: false,
    optimizePackageImports: ["@mantine/core", "@mantine/hooks", "@mantine/notifications", "@mantine/spotlight"],
  },
  headers: async () => [
    {
      source: "/:path*",
      headers: Object.entries(SECURITY_HEADERS).map(([key, value]) => ({ key, value })),
    },
  ],
};

export default config;

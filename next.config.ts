import type { NextConfig } from "next";
import { PHASE_DEVELOPMENT_SERVER } from "next/constants";

import { contentSecurityPolicy } from "./lib/http/content-security-policy";

export default function config(phase: string): NextConfig {
  return {
    poweredByHeader: false,
    // `npm run verify` checks the types of the whole project; a person's first start need not wait for it.
    typescript: { ignoreBuildErrors: true },
    serverExternalPackages: ["pg", "graphile-worker", "@node-rs/argon2", "@prisma/adapter-pg", "pino"],
    turbopack: { root: import.meta.dirname },
    experimental: { optimizePackageImports: ["@mantine/core", "@mantine/hooks"] },
    // proxy.ts sets the policy of the pages whose forms lead elsewhere.
    headers: async () => [
      {
        source: "/:path*",
        headers: [
          { key: "Content-Security-Policy", value: contentSecurityPolicy({ development: phase === PHASE_DEVELOPMENT_SERVER }) },
          { key: "X-Content-Type-Options", value: "nosniff" },
          { key: "X-Frame-Options", value: "DENY" },
          { key: "Referrer-Policy", value: "same-origin" },
          { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=()" },
          { key: "Strict-Transport-Security", value: "max-age=31536000" },
        ],
      },
    ],
  };
}

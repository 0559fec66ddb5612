import type { NextConfig } from "next";

import { PLAIN_POLICY } from "./lib/http/pages/content-security-policy";

const config: NextConfig = {
  poweredByHeader: false,
  // `npm run verify` checks the types of the whole project; the first start need not wait for that.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["pg", "graphile-worker", "@node-rs/argon2", "@prisma/adapter-pg", "pino"],
  turbopack: { root: import.meta.dirname },
  experimental: { optimizePackageImports: ["@mantine/core", "@mantine/hooks"] },
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        // For all responses except pages, whose policy proxy.ts sets.
        { key: "Content-Security-Policy", value: PLAIN_POLICY },
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "X-Frame-Options", value: "DENY" },
        { key: "Referrer-Policy", value: "same-origin" },
        { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=()" },
        { key: "Strict-Transport-Security", value: "max-age=31536000" },
      ],
    },
  ],
};

export default config;

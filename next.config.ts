import type { NextConfig } from "next";
import { PHASE_DEVELOPMENT_SERVER } from "next/constants";

/**
 * Content Security Policy of every answer. Next writes inline scripts without a nonce into prerendered pages, and Mantine writes inline
 * styles; everything else must come from this origin. `form-action` is left open: a consent form ends with a redirect to the client's own address.
 */
function contentSecurityPolicy(development: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'unsafe-inline'${development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export default function config(phase: string): NextConfig {
  return {
    poweredByHeader: false,
    // `npm run verify` checks the types of the whole project; a person's first start need not wait for it.
    typescript: { ignoreBuildErrors: true },
    serverExternalPackages: ["pg", "graphile-worker", "@node-rs/argon2", "@prisma/adapter-pg", "pino"],
    turbopack: { root: import.meta.dirname },
    experimental: { optimizePackageImports: ["@mantine/core", "@mantine/hooks"] },
    headers: async () => [
      {
        source: "/:path*",
        headers: [
          { key: "Content-Security-Policy", value: contentSecurityPolicy(phase === PHASE_DEVELOPMENT_SERVER) },
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

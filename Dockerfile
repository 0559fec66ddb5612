# syntax=docker/dockerfile:1
# One image for web, worker and the preparation of the database; docs/deploy.md says how they run together.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
# The packages first: a change of the sources alone does not install them again.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run package

FROM node:24.21.0-bookworm-slim
# The C library gives free memory back (docs/decisions/0069-memory-at-rest.md).
ENV NODE_ENV=production DATA_DIR=/data MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=4194304
WORKDIR /app
COPY --from=build --chown=root:root /app/out ./
# Nothing in the image can be changed by the process; files that a migration copies go to DATA_DIR, or to S3.
# OpenShift replaces the user by one of its own, of the same group.
RUN mkdir /data && chown 1000:0 /data && chmod g=u /data
USER 1000:0
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=15s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/api/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=30", "--max-old-space-size=600", "dist/web.js"]

# syntax=docker/dockerfile:1
FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY sandbox/package.json sandbox/
# The build needs no install script; `prepare` would want the sources, which come next.
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY mappers mappers
COPY adapters adapters
COPY src src
COPY sandbox sandbox
RUN npm run build

FROM node:24.21.0-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY sandbox/package.json sandbox/
RUN npm ci --omit=dev --ignore-scripts --workspaces=false && npm cache clean --force

# The sandbox, an image of its own: docker build --target sandbox
FROM node:24.21.0-slim AS sandbox
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
COPY sandbox/package.json sandbox/
RUN npm ci --omit=dev --ignore-scripts --workspace facturapuente-sandbox && npm cache clean --force
COPY --from=build /app/sandbox/dist /app/sandbox/dist
WORKDIR /data
RUN chown node:node /data
USER node
VOLUME /data
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --retries=12 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4010/api/ping', { method: 'POST' }).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/sandbox/dist/sandbox/cli/bin.js"]
CMD ["--host", "0.0.0.0", "--in-container", "--data", "/data"]

FROM node:24.21.0-slim
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
COPY --from=dependencies /app/node_modules /app/node_modules
COPY --from=build /app/dist /app/dist
COPY package.json /app/
# facturapuente.config.yaml is looked for here; the SQLite ledger lies beside it.
WORKDIR /data
RUN mkdir .facturapuente && chown -R node:node /data && chmod 700 .facturapuente
USER node
VOLUME /data/.facturapuente
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# V8 otherwise lets the heap of a busy process grow to four times what is alive, and malloc keeps a heap for each thread
# (docs/performance.md, memory).
ENTRYPOINT ["node", "--max-semi-space-size=8", "--heap-growing-percent=30", "/app/dist/src/cli/bin.js"]
# A container is reached from outside itself; publish the port to a proxy with HTTPS only.
CMD ["start", "--host", "0.0.0.0", "--port", "8080"]

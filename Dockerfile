# Builds both halves, then keeps what running them needs. PostgreSQL, Redis and a mail server are other containers
# (docker-compose.yml); without DATABASE_URL the image brings its own PostgreSQL, with its data in /data.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

# sharp, argon2 and the embedded PostgreSQL come as optional packages: they must not be left out.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production PORT=3000 DATA_DIR=/data
# What is freed goes back to the machine: scripts/lib/server-flags.mjs says why.
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=65536
WORKDIR /app
# LibreOffice converts Office documents. It, PDFium (for PDFs that do not embed their fonts) and SVG files use these fonts:
# Latin, Cyrillic and Greek, Arabic and Hebrew (DejaVu), Chinese, Japanese and Korean (WenQuanYi), Devanagari, Thai.
RUN apt-get update && apt-get install -y --no-install-recommends \
    libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui \
    fontconfig-config fonts-dejavu-core fonts-liberation fonts-crosextra-carlito fonts-crosextra-caladea \
    fonts-wqy-microhei fonts-lohit-deva fonts-tlwg-loma-ttf \
  && rm -rf /var/lib/apt/lists/*
RUN mkdir /data && chown node:node /data
COPY --from=packages --chown=root:root /app/node_modules node_modules
COPY --from=build /app/dist/backend dist/backend
COPY --from=build /app/dist/frontend dist/frontend
COPY package.json ./
USER node
VOLUME /data
EXPOSE 3000
# A worker answers on a port of its own: ready is who got through to the jobs within 30 seconds.
ENV WORKER_PORT=3001
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ROLE === 'worker' ? process.env.WORKER_PORT : process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=2", "--heap-growing-percent=20", "dist/backend/src/main.js"]

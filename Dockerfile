# One image, several services: the command chooses (api, worker, migrate).
FROM node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553
# A working process keeps its id in the ready file; in the container the file lies in memory.
ENV NODE_ENV=production SERVICE_READY_FILE=/tmp/vouch.ready
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Tests and measurements stay out. Optional packages of libraries are their native parts and stay; our own are the
# embedded servers, and the image talks to real ones. Temporal's package has native parts for five platforms, of which the
# image can load one.
RUN npm ci --omit=dev --workspaces=false \
  && node -p 'Object.keys(require("./package.json").optionalDependencies).join("\n")' \
  | sed 's#^#node_modules/#' | xargs rm -rf \
  && native="$(node -p 'require("@temporalio/core-bridge/common").getPrebuiltPath()')" \
  && find "$PWD/node_modules/@temporalio/core-bridge/releases" -type f ! -path "$native" -delete \
  && npm cache clean --force
# Owned by root: what runs cannot change itself.
COPY . .
ARG SERVICE_BUILD_SHA=
ENV SERVICE_BUILD_SHA=${SERVICE_BUILD_SHA}
RUN node bin/bundle.ts
# A new volume takes its owner from the folder it is mounted over.
RUN install -d -o node -g node -m 700 /var/lib/vouch/blobs /var/lib/vouch/keys /var/lib/vouch/promises
USER node
EXPOSE 4000 9464
# Fits every command; the API's own question is in docker-compose.yml.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD kill -0 "$(cat "$SERVICE_READY_FILE")"
CMD ["node", "bin/program.mjs", "api"]

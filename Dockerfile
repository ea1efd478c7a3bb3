# One image, several services: the command chooses (api, worker, migrate).
FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The embedded servers are optional packages; the image talks to real ones.
RUN npm ci --omit=dev --omit=optional && npm cache clean --force
COPY --chown=node:node . .
USER node
EXPOSE 4000
CMD ["node", "bin/api.ts"]

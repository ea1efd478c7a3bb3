/** The variable that names each server when it runs elsewhere. */
import type { Settings } from '../config/index.ts';
import { serverNames, type ServerName } from '../../embedded/names.ts';

export const NAMED_BY = {
  postgres: 'DATABASE_URL',
  temporal: 'TEMPORAL_ADDRESS',
  meilisearch: 'MEILI_HOST',
  qdrant: 'QDRANT_URL',
} as const satisfies Readonly<Record<ServerName, keyof Settings>>;

export const SERVERS: readonly ServerName[] = serverNames;

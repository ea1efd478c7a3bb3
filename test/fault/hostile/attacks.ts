/** The attacks by what they trouble. Where each is to stand alone, every shape and text has one of its own as well. */
import { BODIES_ALONE, BODY_ATTACKS } from './bodies.ts';
import { CONNECTION_ATTACKS } from './connections.ts';
import { DOCUMENT_ATTACKS } from './documents.ts';
import { HISTORY_ATTACKS, TEXT_ATTACKS, TEXTS_ALONE } from './observations.ts';
import { QUERIES_ALONE, QUERY_ATTACKS } from './queries.ts';
import type { Attack } from './scene.ts';
import { HOSTILE_SETTINGS } from './settings.ts';
import { TOOL_ATTACKS } from './tools.ts';

const { eachAlone } = HOSTILE_SETTINGS;

/** Requests that are expensive to answer. */
export const REQUEST_ATTACKS: readonly Attack[] = [
  ...BODY_ATTACKS,
  ...CONNECTION_ATTACKS,
  ...QUERY_ATTACKS,
  ...TOOL_ATTACKS,
  ...(eachAlone ? [...BODIES_ALONE, ...QUERIES_ALONE] : []),
];

/** Observations and documents that are expensive to read. */
export const READING_ATTACKS: readonly Attack[] = [
  ...TEXT_ATTACKS,
  ...HISTORY_ATTACKS,
  ...DOCUMENT_ATTACKS,
  ...(eachAlone ? TEXTS_ALONE : []),
];

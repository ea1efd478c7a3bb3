/**
 * What the service asks of its database in its hot paths, asked through the stores as they are, on the seed. Each
 * scenario has a name; the plans of all statements that it ran, those inside of functions too, stand under it.
 */
import { CIRCLES } from './circles.ts';
import { CONTEXT } from './context.ts';
import { DESK } from './desk.ts';
import { ERASURE } from './erasure.ts';
import { EXPLAIN } from './explain.ts';
import { FORGETTING } from './forgetting.ts';
import { NAMES } from './names.ts';
import { QUESTIONS } from './questions.ts';
import { READING } from './reading.ts';
import { SCOPE_PAGES } from './scopes.ts';
import { SKILLS } from './skills.ts';
import { SOURCES } from './sources.ts';
import type { Scenario } from './stage.ts';
import { DOCUMENTS } from './documents.ts';
import { UPKEEP } from './upkeep.ts';
import { USAGE } from './usage.ts';
import { WORKING } from './working.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...READING,
  ...NAMES,
  ...DESK,
  ...QUESTIONS,
  ...SKILLS,
  ...CIRCLES,
  ...FORGETTING,
  ...SOURCES,
  ...SCOPE_PAGES,
  ...WORKING,
  ...CONTEXT,
  ...UPKEEP,
  ...USAGE,
  ...DOCUMENTS,
  ...ERASURE,
  ...EXPLAIN,
];

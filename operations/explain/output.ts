/** What an explanation says: states, names of scopes and peers, ids, counts and times. No field holds a text of a person. */
import { z } from 'zod';
import { CAUSE_WORDS, CAUSES, KEPT_FROM, type Obstacle } from '../../domain/explain/causes.ts';
import { CONDITION_FIELDS } from '../../domain/explain/conditions.ts';
import {
  presenceOf,
  PRESENCES,
  type IndexedUnit,
  type Presence,
} from '../../domain/explain/in-indexes.ts';
import { SENSITIVITIES, TARGET_LEVELS } from '../../domain/statements/candidate.ts';
import { ITEM_KINDS, ITEM_STATES } from '../../domain/governance/items.ts';
import { KNOWLEDGE_STATES } from '../../domain/statements/states.ts';
import { VERIFICATIONS } from '../../domain/statements/statement.ts';
import { ERROR_CLASSES } from '../../domain/error-class.ts';
import { INDEX_NAMES } from '../../domain/retrieval/index-failure.ts';
import { markState, MARK_STATES } from '../../domain/retrieval/marks.ts';
import { UNIT_KINDS, type UnitKind } from '../../domain/retrieval/units.ts';
import type { IndexLook } from '../../engine/indexes/look.ts';
import type { ExplainedMark } from '../../stores/postgres/explain/marks.ts';
import { roleOutput } from '../identity/inputs.ts';

const instant = z.iso.datetime();

const obstacle = z.object({
  cause: z.enum(CAUSE_WORDS),
  /** What the cause is about: an index, an error class, a state, the id of another statement. */
  of: z.string().nullable(),
  from: z.enum(KEPT_FROM),
  means: z.string(),
  remedy: z.string(),
});

const inIndex = z.object({
  index: z.enum(INDEX_NAMES),
  presence: z.enum(PRESENCES),
  /** Found by its words, and not by meaning yet. */
  awaits_vector: z.boolean(),
  mark: z
    .object({
      state: z.enum(MARK_STATES),
      waiting_since: instant,
      next_look_at: instant,
      attempts: z.int(),
      /** Searches read it from Postgres until then. */
      overdue: z.boolean(),
    })
    .nullable(),
});
export type ExplainedIndex = z.output<typeof inIndex>;

const reader = z.object({
  peer_key: z.string(),
  /** The role that its grants give at the scope. */
  role: roleOutput.nullable(),
  readable: z.boolean(),
  /** Of a message: whether the reader said or relayed it, or was in the session. */
  was_there: z.boolean().nullable(),
  /** Of a statement: the conditions of the visibility predicate that fail. */
  failed_conditions: z.array(z.enum(CONDITION_FIELDS)),
});

const message = z.object({
  accepted_at: instant,
  occurred_at: instant,
  scope_path: z.string(),
  session_id: z.string().nullable(),
  speaker_key: z.string(),
  relay_key: z.string().nullable(),
  role: z.string(),
  document: z.object({ id: z.uuid(), version: z.int(), chunk: z.int() }).nullable(),
  extraction: z
    .object({
      status: z.enum(['pending', 'failed', 'completed', 'repairable', 'terminal']),
      attempts: z.int(),
      last_error_class: z.enum(ERROR_CLASSES).nullable(),
      held: z.boolean(),
      next_look_at: instant,
      failed_at: instant.nullable(),
      completed_at: instant.nullable(),
      candidates: z.int().nullable(),
      /** Until when the circuit of the extractor keeps it back. */
      blocked_until: instant.nullable(),
    })
    .nullable(),
  mailbox: z
    .object({
      shard: z.int(),
      paused: z.boolean(),
      awake: z.boolean(),
      last_rung_at: instant.nullable(),
    })
    .nullable(),
  budget: z
    .object({
      scope_root: z.string(),
      deadline_at: instant,
      closed_at: instant.nullable(),
    })
    .nullable(),
  statement_counts: z.array(z.object({ state: z.enum(KNOWLEDGE_STATES), count: z.int() })),
  /** The earliest of them. */
  statements: z.array(z.object({ id: z.uuid(), state: z.enum(KNOWLEDGE_STATES) })),
});

const statement = z.object({
  recorded_at: instant,
  updated_at: instant,
  state: z.enum(KNOWLEDGE_STATES),
  verification: z.enum(VERIFICATIONS),
  scope_path: z.string(),
  target_level: z.enum(TARGET_LEVELS),
  held_scope_path: z.string().nullable(),
  sensitivity: z.enum(SENSITIVITIES),
  subject_key: z.string().nullable(),
  confidence: z.number(),
  corroboration: z.int(),
  sources: z.int(),
  submitters: z.int(),
  relevant_from: instant.nullable(),
  relevant_until: instant.nullable(),
  expires_at: instant.nullable(),
  revalidate_after: instant.nullable(),
  merged_into_id: z.uuid().nullable(),
  newer_id: z.uuid().nullable(),
  source_message_ids: z.array(z.uuid()),
  /** The latest first. */
  decisions: z.array(
    z.object({
      gate: z.string(),
      decision: z.string(),
      reason: z.string(),
      channel: z.string(),
      decided_at: instant,
      rule_scope_path: z.string().nullable(),
    }),
  ),
  /** Open ones. */
  items: z.array(
    z.object({
      id: z.uuid(),
      kind: z.enum(ITEM_KINDS),
      state: z.enum(ITEM_STATES),
      reason: z.string(),
      open_since: instant,
      due_at: instant,
    }),
  ),
  consents: z.array(
    z.object({
      status: z.enum(['pending', 'granted', 'denied']),
      target_scope_path: z.string(),
      requested_at: instant,
      decided_at: instant.nullable(),
    }),
  ),
});

export const explanation = z.object({
  account_id: z.uuid(),
  unit: z.enum(UNIT_KINDS),
  id: z.uuid(),
  /** By a search for anything but a phrase, by the reader that was named or else by some reader. */
  found: z.boolean(),
  /** The first one on the way comes first; what keeps it from phrases alone comes last. */
  obstacles: z.array(obstacle),
  message: message.nullable(),
  statement: statement.nullable(),
  indexes: z.array(inIndex),
  reader: reader.nullable(),
});
export type Explanation = z.input<typeof explanation>;
export type ExplainedReader = z.input<typeof reader>;

/** The obstacles with their words. */
export function described(obstacles: readonly Obstacle[]): Explanation['obstacles'] {
  return obstacles.map((one) => ({ ...one, ...CAUSES[one.cause] }));
}

function presenceIn(unit: UnitKind, look: IndexLook, rowVersion: number | null): Presence {
  return look.isAway ? 'away' : presenceOf(unit, look.shown, rowVersion);
}

/** What the indexes show of a unit, beside the marks of its writes. `rowVersion`: of a statement. */
export function indexesOf(
  unit: UnitKind,
  looks: readonly IndexLook[],
  marks: readonly ExplainedMark[],
  rowVersion: number | null,
): { readonly shown: readonly ExplainedIndex[]; readonly judged: readonly IndexedUnit[] } {
  const shown = looks.map((look): ExplainedIndex => {
    const { index } = look;
    const mark = marks.find((one) => one.index === index);
    return {
      index,
      presence: presenceIn(unit, look, rowVersion),
      awaits_vector: look.shown?.awaitsVector ?? false,
      mark:
        mark === undefined
          ? null
          : {
              state: markState({ attempts: mark.attempts, unheardAttempts: mark.unheard_attempts }),
              waiting_since: mark.waiting_since,
              next_look_at: mark.next_look_at,
              attempts: mark.attempts,
              overdue: mark.overdue,
            },
    };
  });
  const judged = shown.map(({ index, mark, presence }) => ({
    index,
    presence,
    mark: mark?.state ?? null,
    isOverdue: mark?.overdue ?? false,
  }));
  return { shown, judged };
}

/** A readiness report as callers read it. */
import { z } from 'zod';
import { pendingMember } from '../questions/pending.ts';
import { GAP_REPORT_IDENTITY } from '../../domain/identities.ts';
import { REQUIREMENT_LEVELS, SOURCE_POLICIES } from '../../domain/skills/card.ts';
import type { EffectiveRequirement } from '../../domain/skills/inherit.ts';
import {
  judgeRequirement,
  MOST_COUNTED_MATCHES,
  MOST_NAMED_MATCHES,
  STATUSES,
  syntheticBlockers,
  type RequirementMatch,
  type SyntheticBlocker,
} from '../../domain/skills/report.ts';
import { ANY_STATEMENT } from '../../domain/skills/read-selector.ts';
import type { CardRow } from '../../stores/postgres/skills/cards.store.ts';
import { freshnessOutput, selectorOutput } from './card-output.ts';

const count = z.int().min(0).max(MOST_COUNTED_MATCHES);

const itemOutput = z
  .object({
    key: z.string(),
    description: z.string().nullable(),
    level: z.enum(REQUIREMENT_LEVELS),
    source_policy: z.enum(SOURCE_POLICIES),
    selector: selectorOutput,
    freshness: freshnessOutput.nullable(),
    status: z
      .enum([...STATUSES, 'missing_card', 'not_checked'])
      .describe(
        '`stale`: the matching statements have ended, wait to be confirmed, or are older than the card allows. `missing_card` and `not_checked` are blockers without a requirement of a card.',
      ),
    blocking: z.boolean(),
    message: z
      .string()
      .nullable()
      .describe('Explains a blocker that has no requirement of a card.'),
    matched_knowledge_ids: z
      .array(z.uuid())
      .describe(
        `The ids of statements that satisfy it, the newest first, at most ${MOST_NAMED_MATCHES}.`,
      ),
    matched_count: count.describe(
      `The number of matching statements. The service stops counting at ${MOST_COUNTED_MATCHES}.`,
    ),
    stale_knowledge_ids: z.array(z.uuid()),
    stale_count: count,
    source_scope_id: z.uuid().nullable(),
    source_scope_path: z
      .string()
      .nullable()
      .describe('The scope of the card that has the requirement.'),
    card_version: z.int().nullable(),
    elicitation: z.discriminatedUnion('allowed', [
      z.object({ allowed: z.literal(false) }),
      z.object({
        allowed: z.literal(true),
        prompt: z.string().describe('The question to ask the person.'),
        submit_via: z.literal('ingest'),
        // oxlint-disable-next-line unicorn/no-thenable -- the contract's name
        then: z.literal('check_readiness'),
      }),
    ]),
  })
  .meta({ id: 'ReadinessItem' });
type Item = z.input<typeof itemOutput>;

export const reportOutput = z.object({
  report_version: z.literal(GAP_REPORT_IDENTITY),
  skill: z.string(),
  peer_id: z.uuid().describe('The id of the peer that the report is about.'),
  scope_id: z
    .uuid()
    .nullable()
    .describe('Null if the scope does not exist or the caller may not read it.'),
  scope_path: z.string(),
  ready: z.boolean().describe('True exactly when there are no blockers.'),
  blocked: z.boolean(),
  cards: z
    .array(
      z.object({
        id: z.uuid(),
        scope_id: z.uuid(),
        version: z.int(),
        requirement_schema_version: z.string(),
      }),
    )
    .describe('The cards in force along the chain, from the root down.'),
  requirements: z.array(itemOutput),
  blockers: z.array(itemOutput).describe('Required facts that are missing or stale.'),
  warnings: z.array(itemOutput).describe('Preferred facts that are missing or stale.'),
  checked_at: z.string(),
  ...pendingMember,
});

/** What a report says of a card. */
export type ReportedCard = Pick<
  CardRow,
  'id' | 'scope_id' | 'version' | 'requirement_schema_version'
>;

export interface ReportFacts {
  readonly cards: readonly ReportedCard[];
  readonly checked: readonly EffectiveRequirement[];
  readonly unchecked: number;
  /** Of each requirement, in their order. */
  readonly matches: readonly (readonly RequirementMatch[])[];
  /** ISO 8601 UTC. */
  readonly at: string;
}

function itemOf(one: EffectiveRequirement, matches: readonly RequirementMatch[], at: string): Item {
  const { card, requirement } = one;
  const { elicitation, isBlocking, matched, stale, status } = judgeRequirement(one, matches, at);
  const { enabled: _enabled, prompt: _prompt, ...asked } = requirement;
  return {
    ...asked,
    selector: requirement.selector as Item['selector'],
    status,
    blocking: isBlocking,
    message: null,
    matched_knowledge_ids: matched.slice(0, MOST_NAMED_MATCHES),
    matched_count: matched.length,
    stale_knowledge_ids: stale.slice(0, MOST_NAMED_MATCHES),
    stale_count: stale.length,
    source_scope_id: card.scopeId,
    source_scope_path: card.scopePath,
    card_version: card.version,
    elicitation,
  };
}

function syntheticItem({ key, message, status }: SyntheticBlocker): Item {
  return {
    key,
    description: null,
    level: 'required',
    source_policy: 'from-memory',
    selector: ANY_STATEMENT as Item['selector'],
    freshness: null,
    status,
    blocking: true,
    message,
    matched_knowledge_ids: [],
    matched_count: 0,
    stale_knowledge_ids: [],
    stale_count: 0,
    source_scope_id: null,
    source_scope_path: null,
    card_version: null,
    elicitation: { allowed: false },
  };
}

/** The part of the report that follows from the cards and from what matches. */
export function reportOf({ at, cards, checked, matches, unchecked }: ReportFacts) {
  const requirements = checked.map((one, place) => itemOf(one, matches[place] ?? [], at));
  const blockers = [
    ...requirements.filter(({ blocking }) => blocking),
    ...syntheticBlockers(cards.length, unchecked).map(syntheticItem),
  ];
  return {
    ready: blockers.length === 0,
    blocked: blockers.length > 0,
    cards: cards.map((card) => ({
      id: card.id,
      scope_id: card.scope_id,
      version: card.version,
      requirement_schema_version: card.requirement_schema_version,
    })),
    requirements,
    blockers,
    warnings: requirements.filter(
      ({ level, status }) => level === 'preferred' && status !== 'satisfied',
    ),
    checked_at: at,
  };
}

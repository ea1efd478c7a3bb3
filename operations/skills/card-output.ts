/** Skill cards as callers write and read them. */
import { z } from 'zod';
import {
  isSlug,
  LONGEST_CARD_TEXT_CHARS,
  LONGEST_SLUG_CHARS,
  MOST_REQUIREMENTS,
  REQUIREMENT_LEVELS,
  SELECTOR_SUBJECTS,
  SELECTOR_WORDS,
  SOURCE_POLICIES,
  type Requirement,
} from '../../domain/skills/card.ts';
import { readRequirements, SLUG_FAULT } from '../../domain/skills/read-card.ts';
import { CardReading, readText, type CardFault } from '../../domain/skills/reading.ts';
import { isTopic } from '../../engine/skills/matching.ts';
import type { CardRow, ListedCard } from '../../stores/postgres/skills/cards.store.ts';

/** The name of a skill. */
export const skillField = z
  .string()
  .refine(isSlug, { message: SLUG_FAULT })
  .meta({ description: 'The name of the skill.', wire: { examples: ['plan-a-trip'] } });

interface Issues {
  addIssue(issue: { code: 'custom'; path: (string | number)[]; message: string }): void;
}

function refuse(faults: readonly CardFault[], context: Issues): void {
  for (const { message, path } of faults) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
}

/** What a member of a requirement may be, for the description of the interface. */
const listOf = (items: unknown) => ({ anyOf: [items, { type: 'array', items }] });
const text = { type: 'string', maxLength: LONGEST_CARD_TEXT_CHARS };
const selectorWire = {
  type: 'object',
  additionalProperties: false,
  description:
    'The conditions for matching statements. A statement must meet each condition. A single word means a list of one word.',
  properties: {
    ...Object.fromEntries(
      Object.entries(SELECTOR_WORDS).map(([name, words]) => [name, listOf({ enum: words })]),
    ),
    subject: { enum: SELECTOR_SUBJECTS },
    topic: {
      ...listOf({ type: 'string' }),
      description:
        'Alternatives. The statement must contain all words of one alternative, in any form.',
    },
    minimum_confidence: { type: 'number', minimum: 0, maximum: 1 },
    minimum_corroboration: { type: 'integer', minimum: 1 },
  },
};

const requirementsField = z
  .unknown()
  .transform((value, context): readonly Requirement[] => {
    const reading = new CardReading(isTopic);
    const requirements = readRequirements(value, reading);
    if (reading.faults.length === 0) return requirements;
    refuse(reading.faults, context);
    return z.NEVER;
  })
  .meta({
    description: `At most ${MOST_REQUIREMENTS} requirements, each with a key of its own. A requirement replaces the one with the same key in a card above. With \`enabled: false\` it removes that one.`,
    wire: {
      type: 'array',
      maxItems: MOST_REQUIREMENTS,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['key'],
        properties: {
          key: { type: 'string', maxLength: LONGEST_SLUG_CHARS },
          description: text,
          level: { enum: REQUIREMENT_LEVELS },
          source_policy: { enum: SOURCE_POLICIES },
          selector: selectorWire,
          freshness: {
            type: 'object',
            additionalProperties: false,
            required: ['revalidated_within_seconds'],
            properties: { revalidated_within_seconds: { type: 'integer', minimum: 1 } },
          },
          prompt: text,
          enabled: { type: 'boolean' },
        },
      },
      examples: [
        [
          {
            key: 'diet',
            description: 'what the traveller does not eat',
            level: 'required',
            source_policy: 'either',
            selector: { kind: ['preference'], subject: 'peer', topic: ['food', 'diet'] },
            freshness: { revalidated_within_seconds: 31_536_000 },
          },
        ],
      ],
    },
  });

/** The content of a card. */
export const contentFields = {
  skill: skillField,
  description: z
    .unknown()
    .optional()
    .transform((value, context): string | null => {
      const reading = new CardReading(isTopic);
      const description = readText(value, LONGEST_CARD_TEXT_CHARS, reading);
      refuse(reading.faults, context);
      return reading.faults.length === 0 ? description : z.NEVER;
    })
    .meta({ description: 'The purpose of the skill.', wire: text }),
  requirements: requirementsField,
};

const words = <const T extends readonly string[]>(list: T) => z.array(z.enum(list));

export const selectorOutput = z
  .object({
    kind: words(SELECTOR_WORDS.kind),
    subject: z.enum(SELECTOR_SUBJECTS),
    sensitivity: words(SELECTOR_WORDS.sensitivity),
    target_level: words(SELECTOR_WORDS.target_level),
    source_types: words(SELECTOR_WORDS.source_types),
    verification: words(SELECTOR_WORDS.verification),
    attribute: words(SELECTOR_WORDS.attribute),
    topic: z.array(z.string()),
    minimum_confidence: z.number().nullable(),
    minimum_corroboration: z.int().nullable(),
  })
  .meta({ id: 'SkillSelector', description: 'An empty list or null sets no condition.' });

export const freshnessOutput = z.object({ revalidated_within_seconds: z.int() });

const requirementOutput = z
  .object({
    key: z.string(),
    description: z.string().nullable(),
    level: z.enum(REQUIREMENT_LEVELS),
    source_policy: z.enum(SOURCE_POLICIES),
    selector: selectorOutput,
    freshness: freshnessOutput.nullable(),
    prompt: z.string().nullable(),
    enabled: z.boolean(),
  })
  .meta({ id: 'SkillRequirement' });

const placeFields = {
  id: z.uuid(),
  skill: z.string(),
  scope_id: z.uuid(),
  scope_path: z.string(),
  version: z.int(),
  description: z.string().nullable(),
  published_at: z.string(),
  retired_at: z.string().nullable().describe('Null while this version is in force.'),
};

export const cardOutput = z
  .object({
    ...placeFields,
    requirement_schema_version: z.string(),
    requirements: z.array(requirementOutput),
  })
  .meta({ id: 'SkillCard', description: 'A version of a card. A version never changes.' });

export const listedCardOutput = z
  .object({ ...placeFields, requirement_count: z.int() })
  .meta({ id: 'ListedSkillCard' });

export const cardPageOutput = z.object({
  items: z.array(listedCardOutput),
  next_cursor: z.uuid().nullable(),
});

export function shownCard(card: CardRow): z.input<typeof cardOutput> {
  return { ...card, requirements: card.requirements.map((one) => ({ ...one })) };
}

/** A page of `limit` cards out of at most one more. */
export function cardPage(
  rows: readonly ListedCard[],
  limit: number,
): z.input<typeof cardPageOutput> {
  const items = rows.slice(0, limit);
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

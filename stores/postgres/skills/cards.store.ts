/** Skill cards: the versions that were published for scopes, and which of them are in force. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import {
  MOST_RETIRED_KEPT,
  MOST_VERSIONS_KEPT,
  REQUIREMENT_LEVELS,
  SELECTOR_SUBJECTS,
  SELECTOR_WORDS,
  SOURCE_POLICIES,
  type CardContent,
} from '../../../domain/skills/card.ts';
import { AccountStore } from '../account-store.ts';
import { isAtOneOf } from '../scopes/paths.ts';

/** Requirements as they are kept. A later build may have written members that this one does not know: they are left out. */
const requirementShape = z.object({
  key: z.string(),
  description: z.string().nullable(),
  level: z.enum(REQUIREMENT_LEVELS),
  source_policy: z.enum(SOURCE_POLICIES),
  selector: z.object({
    kind: z.array(z.enum(SELECTOR_WORDS.kind)),
    subject: z.enum(SELECTOR_SUBJECTS),
    sensitivity: z.array(z.enum(SELECTOR_WORDS.sensitivity)),
    target_level: z.array(z.enum(SELECTOR_WORDS.target_level)),
    source_types: z.array(z.enum(SELECTOR_WORDS.source_types)),
    verification: z.array(z.enum(SELECTOR_WORDS.verification)),
    attribute: z.array(z.enum(SELECTOR_WORDS.attribute)),
    topic: z.array(z.string()),
    minimum_confidence: z.number().nullable(),
    minimum_corroboration: z.number().nullable(),
  }),
  freshness: z.object({ revalidated_within_seconds: z.number() }).nullable(),
  prompt: z.string().nullable(),
  enabled: z.boolean(),
});

const cardRow = z.object({
  id: z.string(),
  scope_id: z.string(),
  scope_path: z.string(),
  skill: z.string(),
  version: z.int(),
  requirement_schema_version: z.string(),
  description: z.string().nullable(),
  requirements: z.array(requirementShape),
  published_at: z.string(),
  retired_at: z.string().nullable(),
});
export type CardRow = z.infer<typeof cardRow>;

const listedRow = cardRow.omit({ requirements: true, requirement_schema_version: true }).extend({
  requirement_count: z.int(),
});
export type ListedCard = z.infer<typeof listedRow>;

const idRow = z.object({ id: z.string() });
const forceRow = z.object({
  id: z.string(),
  version: z.int(),
  content_hash: z.string(),
});
/** The version of a skill that is in force at a scope. */
export type CardInForce = z.infer<typeof forceRow>;

export interface NewCard extends CardContent {
  readonly id: string;
  readonly scopeId: string;
  readonly skill: string;
  readonly schemaVersion: string;
  /** SHA-256 of the content, lower-case hex. */
  readonly contentHash: string;
  readonly at: Date;
}

export interface CardPage {
  /** The scopes whose cards are listed; null for all of the account. */
  readonly scopeIds: readonly string[] | null;
  readonly skill: string | null;
  readonly withRetired: boolean;
  /** The last id of the page before; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

const shown = sql.fragment`c.id, c.scope_id, s.path as scope_path, c.skill, c.version, c.requirement_schema_version,
  c.description, c.requirements, c.published_at, c.retired_at`;

function isListed({ after, skill, withRetired }: CardPage): FragmentSqlToken {
  return sql.fragment`${withRetired ? sql.fragment`true` : sql.fragment`c.retired_at is null`}
    ${skill === null ? sql.fragment`` : sql.fragment`and c.skill = ${skill}`}
    ${after === null ? sql.fragment`` : sql.fragment`and c.id < ${after}::uuid`}`;
}

export class SkillCardsStore extends AccountStore {
  /** The cards of the skill in force at these paths, outermost first. */
  async inForce(skill: string, paths: readonly string[]): Promise<readonly CardRow[]> {
    return this.tx.any(sql.type(cardRow)`
      select ${shown} from scopes s
      join skill_cards c on c.account_id = s.account_id and c.scope_id = s.id
      where s.account_id = ${this.accountId}::uuid and ${isAtOneOf(paths, 's')}
        and c.skill = ${skill} and c.retired_at is null
      order by char_length(s.path), s.path`);
  }

  async find(id: string): Promise<CardRow | null> {
    return this.tx.maybeOne(sql.type(cardRow)`
      select ${shown} from skill_cards c
      join scopes s on s.account_id = c.account_id and s.id = c.scope_id
      where c.account_id = ${this.accountId}::uuid and c.id = ${id}::uuid`);
  }

  /** The newest versions first. */
  async list(page: CardPage): Promise<readonly ListedCard[]> {
    const { limit, scopeIds } = page;
    const ids =
      scopeIds === null
        ? sql.fragment`
          select c.id from skill_cards c where c.account_id = ${this.accountId}::uuid and ${isListed(page)}
          order by c.id desc limit ${limit}`
        : sql.fragment`
          select listed.id from unnest(${sql.array(scopeIds, 'uuid')}) as place (id) cross join lateral (
            select c.id from skill_cards c
            where c.account_id = ${this.accountId}::uuid and c.scope_id = place.id and ${isListed(page)}
            order by c.id desc limit ${limit}
          ) listed order by listed.id desc limit ${limit}`;
    return this.tx.any(sql.type(listedRow)`
      select c.id, c.scope_id, s.path as scope_path, c.skill, c.version, c.description, c.published_at, c.retired_at,
        jsonb_array_length(c.requirements) as requirement_count
      from skill_cards c
      join scopes s on s.account_id = c.account_id and s.id = c.scope_id
      where c.account_id = ${this.accountId}::uuid and c.id = any(array(${ids}))
      order by c.id desc`);
  }

  async current(scopeId: string, skill: string): Promise<CardInForce | null> {
    return this.tx.maybeOne(sql.type(forceRow)`
      select c.id, c.version, encode(c.content_hash, 'hex') as content_hash from skill_cards c
      where c.account_id = ${this.accountId}::uuid and c.scope_id = ${scopeId}::uuid and c.skill = ${skill}
        and c.retired_at is null`);
  }

  /** Skills with a card in force at the scope. */
  async countOfScope(scopeId: string): Promise<number> {
    return this.tx.oneFirst(sql.type(z.object({ skills: z.int() }))`
      select count(*)::integer as skills from skill_cards c
      where c.account_id = ${this.accountId}::uuid and c.scope_id = ${scopeId}::uuid and c.retired_at is null`);
  }

  /** Enters the next version. Versions go on where the last one that is kept ended, also after a retirement. */
  async insert(card: NewCard): Promise<void> {
    const { at, contentHash, description, id, requirements, schemaVersion, scopeId, skill } = card;
    await this.tx.query(sql.unsafe`
      insert into skill_cards (account_id, id, scope_id, skill, version, requirement_schema_version, description,
        requirements, content_hash, published_at)
      select ${this.accountId}::uuid, ${id}::uuid, ${scopeId}::uuid, ${skill}, coalesce(max(c.version), 0) + 1,
        ${schemaVersion}, ${description}::text, ${JSON.stringify(requirements)}::jsonb,
        decode(${contentHash}, 'hex'), ${at.toISOString()}::timestamptz
      from skill_cards c
      where c.account_id = ${this.accountId}::uuid and c.scope_id = ${scopeId}::uuid and c.skill = ${skill}`);
  }

  /** Whether the card was in force until now. A clock that runs behind retires it when it was published. */
  async retire(id: string, at: Date): Promise<boolean> {
    const retired = await this.tx.maybeOne(sql.type(idRow)`
      update skill_cards c set retired_at = greatest(c.published_at, ${at.toISOString()}::timestamptz)
      where c.account_id = ${this.accountId}::uuid and c.id = ${id}::uuid and c.retired_at is null
      returning c.id`);
    return retired !== null;
  }

  /** Deletes retired versions that are no longer kept: of the skill, and of the scope. */
  async prune(scopeId: string, skill: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      delete from skill_cards c
      where c.account_id = ${this.accountId}::uuid and c.retired_at is not null and c.id = any(array(
        (select old.id from skill_cards old
          where old.account_id = ${this.accountId}::uuid and old.scope_id = ${scopeId}::uuid and old.skill = ${skill}
          order by old.version desc offset ${MOST_VERSIONS_KEPT})
        union all
        (select old.id from skill_cards old
          where old.account_id = ${this.accountId}::uuid and old.scope_id = ${scopeId}::uuid
            and old.retired_at is not null
          order by old.retired_at desc, old.id desc offset ${MOST_RETIRED_KEPT})))`);
  }
}

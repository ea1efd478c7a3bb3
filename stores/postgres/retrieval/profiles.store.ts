/** What operators set in place of the values of retrieval profiles. */
import { sql, type FragmentSqlToken } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import {
  OVERRIDABLE_PROFILES,
  type OverridableProfile,
  type ProfileOverride,
} from '../../../domain/retrieval/profile-override.ts';
import { STRATEGIES } from '../../../domain/retrieval/strategies.ts';
import { AccountStore } from '../account-store.ts';
import { isAtOneOf } from '../scopes/paths.ts';
import type { ScopeRow } from '../scopes/scopes.store.ts';

const overrideShape = z
  .object({
    // Names that this build does not know are passed over: a later one may have written them.
    strategies: z.record(z.string(), z.number()).nullable(),
    deadline_ms: z.int().nullable(),
    rrf_k: z.int().nullable(),
    rerank: z.boolean().nullable(),
  })
  .transform(({ strategies, deadline_ms: deadlineMs, rrf_k: rrfK, rerank }): ProfileOverride => ({
    strategies:
      strategies === null
        ? null
        : Object.fromEntries(
            STRATEGIES.flatMap((name) =>
              strategies[name] === undefined ? [] : [[name, strategies[name]]],
            ),
          ),
    deadlineMs,
    rrfK,
    rerank,
  }));

const placeRow = z.object({
  id: z.string().nullable(),
  path: z.string().nullable(),
  override: overrideShape.nullable(),
});
const storedRow = z.object({ id: z.string(), override: overrideShape });
const listedRow = storedRow.extend({
  profile: z.enum(OVERRIDABLE_PROFILES),
  scope_path: z.string().nullable(),
  set_at: z.string(),
});
export type ListedOverride = z.infer<typeof listedRow>;

/** Scopes, and what is set for one profile there. */
export interface OverriddenScopes {
  /** Outermost first. */
  readonly found: readonly ScopeRow[];
  /** What is set for the whole account; null where nothing is. */
  readonly account: ProfileOverride | null;
  /** By the id of the scope; null where nothing is set. */
  readonly overrides: ReadonlyMap<string, ProfileOverride | null>;
}

/** The values of `alias` (of `retrieval_profiles`) as one jsonb. */
const asOverride = (alias: string): FragmentSqlToken => {
  const column = (name: string) => sql.identifier([alias, name]);
  return sql.fragment`jsonb_build_object('strategies', ${column('strategies')}, 'deadline_ms', ${column('deadline_ms')},
    'rrf_k', ${column('rrf_k')}, 'rerank', ${column('rerank')})`;
};

export class RetrievalProfilesStore extends AccountStore {
  /** As `scopes.find`, with what is set for the profile at each place, in one round trip. */
  async ofScopes(paths: readonly string[], profile: OverridableProfile): Promise<OverriddenScopes> {
    const places = await this.tx.any(sql.type(placeRow)`
      select place.id, place.path, place.override
      from (
        select null::uuid as id, null::text as path, ${asOverride('p')} as override
        from retrieval_profiles p
        where p.account_id = ${this.accountId}::uuid and p.scope_id is null and p.profile = ${profile}
        union all
        select s.id, s.path, case when p.id is not null then ${asOverride('p')} end
        from scopes s
        left join retrieval_profiles p
          on p.account_id = s.account_id and p.scope_id = s.id and p.profile = ${profile}
        where s.account_id = ${this.accountId}::uuid and ${isAtOneOf(paths, 's')}
      ) place
      order by char_length(place.path) nulls first, place.path`);
    const atScopes = places.flatMap(({ id, override, path }) =>
      id === null || path === null ? [] : [{ id, path, override }],
    );
    return {
      found: atScopes.map(({ id, path }) => ({ id, path })),
      account: places.find(({ id }) => id === null)?.override ?? null,
      overrides: new Map(atScopes.map(({ id, override }) => [id, override])),
    };
  }

  /** Holds the account's row until the end of the transaction, so that changes of overrides follow each other. */
  async lock(): Promise<void> {
    await this.tx.query(sql.unsafe`
      select from accounts where id = ${this.accountId}::uuid for no key update`);
  }

  async count(): Promise<number> {
    return this.tx.oneFirst(sql.type(z.object({ overrides: z.int() }))`
      select count(*)::integer as overrides from retrieval_profiles where account_id = ${this.accountId}::uuid`);
  }

  async find(
    profile: OverridableProfile,
    scopeId: string | null,
  ): Promise<z.infer<typeof storedRow> | null> {
    return this.tx.maybeOne(sql.type(storedRow)`
      select p.id, ${asOverride('p')} as override from retrieval_profiles p
      where p.account_id = ${this.accountId}::uuid and p.profile = ${profile}
        and p.scope_id is not distinct from ${scopeId}::uuid`);
  }

  /** Sets the override of the place, in place of one that is there. Answers its id. */
  async set(
    profile: OverridableProfile,
    scopeId: string | null,
    { deadlineMs, rerank, rrfK, strategies }: ProfileOverride,
    at: Date,
  ): Promise<string> {
    const weights = strategies === null ? null : JSON.stringify(strategies);
    return this.tx.oneFirst(sql.type(storedRow.pick({ id: true }))`
      insert into retrieval_profiles (account_id, id, profile, scope_id, strategies, deadline_ms, rrf_k, rerank, set_at)
      values (${this.accountId}::uuid, ${uuidv7()}::uuid, ${profile}, ${scopeId}::uuid, ${weights}::jsonb,
        ${deadlineMs}::integer, ${rrfK}::integer, ${rerank}::boolean, ${at.toISOString()}::timestamptz)
      on conflict on constraint one_override_of_a_profile_at_a_place do update
        set strategies = excluded.strategies, deadline_ms = excluded.deadline_ms, rrf_k = excluded.rrf_k,
          rerank = excluded.rerank, set_at = excluded.set_at
      returning id`);
  }

  async remove(id: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      delete from retrieval_profiles where account_id = ${this.accountId}::uuid and id = ${id}::uuid`);
  }

  /** All of them: of the account first, then by path. */
  async list(): Promise<readonly ListedOverride[]> {
    return this.tx.any(sql.type(listedRow)`
      select p.id, p.profile, s.path as scope_path, ${asOverride('p')} as override, p.set_at
      from retrieval_profiles p
      left join scopes s on s.account_id = p.account_id and s.id = p.scope_id
      where p.account_id = ${this.accountId}::uuid
      order by s.path nulls first, p.profile`);
  }
}

/** `retrieval_profile.set`, `list`, `remove`: what operators set in place of the values of a retrieval profile. */
import { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import {
  LARGEST_RRF_K,
  LEAST_DEADLINE_MS,
  LONGEST_DEADLINE_MS,
  OVERRIDABLE_PROFILES,
  overrideText,
  overridesAnything,
  strategiesFault,
  type OverridableProfile,
  type ProfileOverride,
} from '../../domain/retrieval/profile-override.ts';
import type { ScopePath } from '../../domain/scopes/path.ts';
import type { ListedOverride } from '../../stores/postgres/retrieval/profiles.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput, scopePathInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';
import { NO_SCOPE } from '../scopes/no-scope.ts';
import { profileOverrideField, profileOverrideOf } from './override-digest.ts';

/** Overrides of one account: three profiles at a hundred places. */
const MOST_OVERRIDES = 300;

const integerWithin = (least: number, most: number) =>
  z
    .number()
    .refine((value) => Number.isInteger(value) && value >= least && value <= most, {
      message: `must be a whole number from ${least} to ${most}`,
    })
    .optional();

const strategiesInput = z.record(z.string(), z.number()).superRefine((weights, context) => {
  const message = strategiesFault(weights);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

const placeFields = {
  account: accountInput,
  profile: z.enum(OVERRIDABLE_PROFILES),
  /** Absent: the whole account. */
  scope: scopePathInput.optional(),
};

export const overrideOutput = z.object({
  profile: z.enum(OVERRIDABLE_PROFILES),
  scope_path: z.string().nullable(),
  strategies: z.record(z.string(), z.number()).nullable(),
  deadline_ms: z.int().nullable(),
  rrf_k: z.int().nullable(),
  rerank: z.boolean().nullable(),
  /** As searches name it. */
  profile_override: profileOverrideField,
});

function shown(
  profile: OverridableProfile,
  scopePath: string | null,
  override: ProfileOverride,
): z.input<typeof overrideOutput> {
  return {
    profile,
    scope_path: scopePath,
    strategies: override.strategies === null ? null : { ...override.strategies },
    deadline_ms: override.deadlineMs,
    rrf_k: override.rrfK,
    rerank: override.rerank,
    profile_override: profileOverrideOf(profile, override),
  };
}

/** An override as it is listed. */
export function shownOverride({ override, profile, scope_path: path, set_at: at }: ListedOverride) {
  return { ...shown(profile, path, override), set_at: at };
}

/** The id of the scope at the path; null is the whole account. */
async function placeOf(
  stores: Stores,
  path: ScopePath | undefined,
): Promise<{ readonly id: string | null; readonly path: string | null }> {
  if (path === undefined) return { id: null, path: null };
  const [scope] = await stores.scopes.find([path]);
  if (scope === undefined) throw invalidField('scope', NO_SCOPE);
  return scope;
}

/** Sets an override whole: a value that is not given is the profile's own. As it is already, it stays. */
export const setProfileOverride = defineOperation({
  id: 'retrieval_profile.set',
  access: 'operator',
  effect: 'write',
  input: z.object({
    ...placeFields,
    strategies: strategiesInput.optional(),
    deadline_ms: integerWithin(LEAST_DEADLINE_MS, LONGEST_DEADLINE_MS),
    rrf_k: integerWithin(1, LARGEST_RRF_K),
    rerank: z.boolean().optional(),
  }),
  output: overrideOutput.extend({ changed: z.boolean() }),
  async run({ caller, directory, inAccount, now }, { account, profile, scope, ...input }) {
    const accountId = await resolveAccount(directory, account);
    const override: ProfileOverride = {
      strategies: input.strategies ?? null,
      deadlineMs: input.deadline_ms ?? null,
      rrfK: input.rrf_k ?? null,
      rerank: input.rerank ?? null,
    };
    if (!overridesAnything(override)) {
      throw invalidField(
        'override',
        'must set at least one of strategies, deadline_ms, rrf_k and rerank',
      );
    }
    return inAccount(accountId, async (stores) => {
      await stores.retrievalProfiles.lock();
      const place = await placeOf(stores, scope);
      const before = await stores.retrievalProfiles.find(profile, place.id);
      const changed =
        before === null ||
        overrideText(profile, before.override) !== overrideText(profile, override);
      if (before === null && (await stores.retrievalProfiles.count()) >= MOST_OVERRIDES) {
        throw invalidField(
          'override',
          `the account has ${MOST_OVERRIDES} overrides, which is the most`,
        );
      }
      if (changed) {
        const id = await stores.retrievalProfiles.set(profile, place.id, override, now);
        await stores.audit.record({
          category: 'configuration',
          action: 'retrieval_profile.set',
          actor: auditActor(caller),
          resourceType: 'retrieval_profile',
          resourceId: id,
          metadata: {
            profile,
            scope_id: place.id,
            profile_override: profileOverrideOf(profile, override),
          },
        });
      }
      return { ...shown(profile, place.path, override), changed };
    });
  },
});

/** Takes an override away, so that the one above it, or the profile itself, is in force again. */
export const removeProfileOverride = defineOperation({
  id: 'retrieval_profile.remove',
  access: 'operator',
  effect: 'destroy',
  input: z.object(placeFields),
  output: z.object({
    profile: z.enum(OVERRIDABLE_PROFILES),
    scope_path: z.string().nullable(),
    changed: z.boolean(),
  }),
  async run({ caller, directory, inAccount }, { account, profile, scope }) {
    const accountId = await resolveAccount(directory, account);
    return inAccount(accountId, async (stores) => {
      await stores.retrievalProfiles.lock();
      const place = await placeOf(stores, scope);
      const before = await stores.retrievalProfiles.find(profile, place.id);
      if (before !== null) {
        await stores.retrievalProfiles.remove(before.id);
        await stores.audit.record({
          category: 'configuration',
          action: 'retrieval_profile.removed',
          actor: auditActor(caller),
          resourceType: 'retrieval_profile',
          resourceId: before.id,
          metadata: { profile, scope_id: place.id },
        });
      }
      return { profile, scope_path: place.path, changed: before !== null };
    });
  },
});

export const listProfileOverrides = defineOperation({
  id: 'retrieval_profile.list',
  access: 'operator',
  effect: 'read',
  input: z.object({ account: accountInput }),
  output: z.object({ overrides: z.array(overrideOutput.extend({ set_at: z.string() })) }),
  async run({ directory, inAccount }, { account }) {
    const accountId = await resolveAccount(directory, account);
    const rows = await inAccount(accountId, (stores) => stores.retrievalProfiles.list());
    return {
      overrides: rows.map(shownOverride),
    };
  },
});

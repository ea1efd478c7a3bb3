/** `stable-profile`: what a person has said plainly about itself, as a small list with its sources. */
import { z } from 'zod';
import { EXCLUSIONS, PROFILE_CATEGORIES } from '../../domain/stable-profile/eligible.ts';
import {
  MOST_OF_A_CATEGORY,
  MOST_PROFILE_CHARS,
  MOST_PROFILE_ITEMS,
  MOST_PROFILE_SOURCES,
  MOST_STATEMENT_CHARS,
} from '../../domain/stable-profile/profile.ts';
import { readStableProfile, type ShownProfile } from '../../engine/retrieval/stable-profile.ts';
import { defineOperation } from '../operation.ts';
import { readerField, readScopeField } from '../fields/read.ts';
import { authoriseRead } from '../access/reader.ts';

const count = z.int().min(0);

const item = z
  .object({
    knowledge_id: z.uuid(),
    statement: z.string().describe(`At most ${MOST_STATEMENT_CHARS} characters.`),
    category: z.enum(PROFILE_CATEGORIES),
    conflict_group: z
      .string()
      .nullable()
      .describe(
        'Several claims of one category have the same group. The service prefers none of them. Null for the only claim of its category.',
      ),
    lineage: z
      .object({
        source_references: z
          .array(z.object({ type: z.literal('message'), id: z.uuid() }))
          .describe(`At most ${MOST_PROFILE_SOURCES} sources that the reader may read.`),
        truncated: z.boolean().describe('Whether the statement has more sources than the list.'),
      })
      .describe('The direct sources of the statement.'),
  })
  .meta({ id: 'ProfileItem', description: 'A statement of a stable profile.' });

export const profileOutput = z
  .object({
    items: z.array(item),
    projection_digest: z.string().describe('Changes exactly when an item changes.'),
    diagnostic: z.object({
      status: z.enum(['ready', 'empty']),
      considered: count,
      eligible: count,
      returned: count,
      excluded: z.object(Object.fromEntries(EXCLUSIONS.map((why) => [why, count]))),
      truncated: z.object({
        items: count,
        category: count,
        characters: count,
        statements: count.describe('The number of statements that the service shortened.'),
      }),
      model_calls: z.literal(0),
    }),
  })
  .meta({
    id: 'StableProfile',
    description: `At most ${MOST_PROFILE_ITEMS} items, ${MOST_OF_A_CATEGORY} of a category and ${MOST_PROFILE_CHARS} characters.`,
  });

export function profileView(profile: ShownProfile): z.input<typeof profileOutput> {
  const { considered, digest, eligible, excluded, items, truncated } = profile;
  return {
    items: items.map((each) => ({
      knowledge_id: each.knowledgeId,
      statement: each.statement,
      category: each.category,
      conflict_group: each.conflictGroup,
      lineage: {
        source_references: each.sourceMessageIds.map((id) => ({ type: 'message' as const, id })),
        truncated: each.hasMoreSources,
      },
    })),
    projection_digest: digest,
    diagnostic: {
      status: items.length === 0 ? 'empty' : 'ready',
      considered,
      eligible,
      returned: items.length,
      excluded,
      truncated,
      model_calls: 0,
    },
  };
}

export const stableProfile = defineOperation({
  id: 'memory.stable_profile',
  access: 'any_identity',
  effect: 'read',
  summary: 'Read the stable profile of the reader',
  description:
    'The profile is about the reader. It holds only what the reader said plainly about their own name, pronouns, occupation, location, language and time zone. It holds no preferences, passing states, generalizations, inferences or sensitive traits. The service builds it from statements on every read, without a model. A reader that is no peer gets an empty profile.',
  refusals: ['forbidden', 'unknown_peer'],
  input: z.object({ scope_path: readScopeField, peer_key: readerField }),
  output: profileOutput,
  async run(context, input) {
    const { openings, reader, scopeIds } = await authoriseRead(context, {
      scopePath: input.scope_path,
      peerKey: input.peer_key,
    });
    const at = context.now.toISOString();
    const profile = await context.inAccount(context.caller.accountId, (stores) =>
      readStableProfile(stores, { scopeIds, openings, reader, at }),
    );
    return profileView(profile);
  },
});

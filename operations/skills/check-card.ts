/** `skills.check`: what a skill card would do if it were published, without publishing it. */
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { Refusal, type FieldProblem } from '../../domain/errors.ts';
import { GAP_REPORT_IDENTITY } from '../../domain/identities.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import { REQUIREMENT_LEVELS } from '../../domain/skills/card.ts';
import { STATUSES } from '../../domain/skills/report.ts';
import { labelInput } from '../identity/inputs.ts';
import { scopePathField } from '../fields/observation.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { authoriseRead, type AuthorisedRead } from '../access/reader.ts';
import { contentFields } from './card-output.ts';
import { meetUnpublished, type Met, type Publication } from './publishing.ts';
import { reportAbout, type DraftCard } from './reporting.ts';

/** People that one check names: each is a report of its own. */
const MOST_PEOPLE = 8;

const gapOutput = z.object({
  key: z.string(),
  level: z.enum(REQUIREMENT_LEVELS),
  status: z.enum([...STATUSES, 'missing_card', 'not_checked']),
  message: z.string().nullable().describe('Explains a gap that has no requirement.'),
});

const personOutput = z.object({
  peer_key: z.string().nullable().describe('The key from the request. Null for the caller.'),
  peer_id: z.uuid(),
  ready: z.boolean().describe('Whether no required fact would be missing.'),
  gaps: z.array(gapOutput).describe('The facts that would be missing, the required ones first.'),
});

interface NamedRead {
  readonly key: string | null;
  readonly read: AuthorisedRead;
}

/** The reads about the named people, or about the caller. The refusal names all unknown keys at once. */
async function readsOf(
  context: RequestContext<Caller>,
  { keys, scopePath }: { keys: readonly string[] } & Pick<Publication, 'scopePath'>,
): Promise<readonly NamedRead[]> {
  if (keys.length === 0) {
    if (context.caller.peerId === null) return [];
    return [{ key: null, read: await authoriseRead(context, { scopePath, peerKey: null }) }];
  }
  const reads: NamedRead[] = [];
  const faults: FieldProblem[] = [];
  for (const key of new Set(keys)) {
    try {
      reads.push({ key, read: await authoriseRead(context, { scopePath, peerKey: key }) });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'unknown_peer') throw error;
      faults.push({
        path: `peer_keys.${keys.indexOf(key)}`,
        message: 'must be the key of a peer of this account',
      });
    }
  }
  if (faults.length > 0) throw new Refusal('unknown_peer', { fields: faults });
  return reads;
}

/** The card as the chain would hold it. */
function draftOf({ now }: Pick<RequestContext, 'now'>, of: Publication, met: Met): DraftCard {
  const { description, requirements, scopePath } = of;
  const msecs = now.getTime();
  // A scope that would only be made has no id yet; nothing else has this one.
  const scopeId = met.scopeId ?? uuidv7({ msecs });
  return {
    id: uuidv7({ msecs }),
    version: (met.current?.version ?? 0) + 1,
    scope_id: scopeId,
    scopeId,
    scopePath,
    requirement_schema_version: GAP_REPORT_IDENTITY,
    description,
    requirements,
  };
}

export const checkSkillCard = defineOperation({
  id: 'skills.check',
  access: 'human',
  effect: 'read',
  summary: 'Check a skill card without publishing it',
  description:
    'Only curators of the scope may check a card. The answer says what publishing the card would do now, and which of the named people would be ready for the skill with it. Without names it is about the caller. The service records each naming, as in a readiness report. It publishes nothing.',
  refusals: ['forbidden', 'unknown_peer'],
  input: z.object({
    scope_path: scopePathField.meta({
      description: 'The scope. It need not exist.',
    }),
    ...contentFields,
    peer_keys: z
      .array(labelInput)
      .refine((keys) => keys.length <= MOST_PEOPLE, `must be at most ${MOST_PEOPLE}`)
      .default([])
      .meta({
        description: `The keys of the people to check, at most ${MOST_PEOPLE}. Absent or empty: the caller.`,
      }),
  }),
  output: z.object({
    outcome: z
      .enum(['published', 'unchanged'])
      .describe('The status that publishing would return.'),
    version_in_force: z.int().nullable(),
    people: z.array(personOutput),
  }),
  async run(context, { peer_keys: keys, scope_path: scopePath, ...content }) {
    const { caller, inAccount } = context;
    // As for publishing: refused before anything is looked up.
    if (!curates(caller, scopePath)) throw new Refusal('forbidden');
    const publication = { ...content, scopePath };
    const met = await inAccount(
      caller.accountId,
      (stores) => meetUnpublished(stores, publication),
      { readOnly: true },
    );
    const draft = draftOf(context, publication, met);
    const reads = await readsOf(context, { keys, scopePath });
    const people: z.input<typeof personOutput>[] = [];
    for (const { key, read } of reads) {
      const report = await reportAbout(context, read, content.skill, draft);
      people.push({
        peer_key: key,
        peer_id: report.peer_id,
        ready: report.ready,
        gaps: [...report.blockers, ...report.warnings],
      });
    }
    return {
      outcome: met.isSame ? ('unchanged' as const) : ('published' as const),
      version_in_force: met.current?.version ?? null,
      people,
    };
  },
});

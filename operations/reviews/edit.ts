/** `reviews.edit`: a curator puts the statement of an item into other words. */
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { SENSITIVITIES, type Sensitivity } from '../../domain/statements/candidate.ts';
import { explainFault } from '../../domain/extraction/validate-faults.ts';
import {
  cleanText,
  MAX_STATEMENT,
  statementFaults,
} from '../../domain/extraction/validate-text.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import { ROOT_PATH } from '../../domain/scopes/path.ts';
import { claimOf, statementHashOf } from '../../engine/knowledge/claims.ts';
import { editOf, openItemOf } from '../../engine/knowledge/ruling.ts';
import type { CommitWork } from '../../stores/postgres/knowledge/commit.store.ts';
import type { FoundStatement } from '../../stores/postgres/knowledge/desk.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { defineOperation } from '../operation.ts';
import { assertTakenIn } from '../secrets.ts';
import {
  conclude,
  decisionOutput,
  lockItem,
  reviewId,
  versionField,
  type ItemVersion,
} from './decide.ts';

interface Asked extends ItemVersion {
  readonly newId: string;
  readonly text: string;
  readonly statementHash: string;
  readonly sensitivity: Sensitivity | null;
  readonly approve: boolean;
}

/** Refuses what no extractor could have proposed: a question, the first person, a scope's restricted secret. */
function assertStatable({ text, sensitivity }: Asked, found: FoundStatement): void {
  const isAboutPeer = found.subject_peer_id !== null;
  const [fault] = statementFaults(text, isAboutPeer);
  if (fault !== undefined) throw invalidField('statement', explainFault(fault));
  if (!isAboutPeer && sensitivity === 'restricted') {
    throw invalidField('sensitivity', 'a statement about a scope is never restricted');
  }
}

/** Whether the curator's approval of the new text waits for its subject. */
function waitsForSubject({ writes }: CommitWork, statementId: string): boolean {
  return writes.consents.some(
    (consent) => consent['knowledge_id'] === statementId && consent['status'] === 'pending',
  );
}

async function carryOut(stores: Stores, caller: Caller, asked: Asked): Promise<void> {
  const { approve, newId, sensitivity, statementHash, text } = asked;
  const claimed = (found: FoundStatement) =>
    found.subject_peer_id === null ? null : claimOf(text, found.subject_names);
  const { found, item, state } = await lockItem(stores, caller, asked, (statement) => {
    const claim = claimed(statement);
    return {
      rows: [{ ...statement, hash: statementHash }],
      claims:
        claim === null
          ? []
          : [
              {
                subjectId: statement.subject_id,
                about: claim.about,
                audienceId: statement.audience_id,
              },
            ],
    };
  });
  assertStatable(asked, found);
  const isBeyond = found.target_level === 'account' && !curates(caller, ROOT_PATH);
  if (approve && isBeyond) throw new Refusal('forbidden');
  const work = editOf(
    state,
    {
      id: item.knowledge_id,
      item: openItemOf(item),
      actor: { peerId: caller.peerId, channel: 'api' },
    },
    { newId, text, statementHash, claim: claimed(found), sensitivity },
    approve,
  );
  if (work === null) throw new Refusal('conflict');
  await stores.desk.write(work);
  if (!waitsForSubject(work, newId)) return;
  const waiting = await stores.reviews.openOf(newId, ['gate_a_b']);
  if (waiting !== null) await stores.reviews.awaitConsent(waiting.id, caller.peerId);
}

export const editReview = defineOperation({
  id: 'reviews.edit',
  access: 'human',
  effect: 'write',
  summary: 'Reword the statement of an item',
  description:
    'The new text becomes a proposal of its own, with the sources, the window and the confidence of the old statement, and goes through the gates. With `approve` the curator also approves it. A placed statement stays until the new text is placed. The service supersedes any other statement at once. Returns the new statement.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({
    review_id: reviewId,
    version: versionField,
    statement: z
      .string()
      .max(MAX_STATEMENT, `must have at most ${MAX_STATEMENT} characters`)
      .transform(cleanText)
      .meta({
        description: `The whole new text, in the third person. At most ${MAX_STATEMENT} characters.`,
        wire: { minLength: 1, maxLength: MAX_STATEMENT, examples: ['Ana lives in Porto.'] },
      }),
    sensitivity: z
      .enum(SENSITIVITIES)
      .nullish()
      .describe('The sensitivity of the new text. Absent: the sensitivity of the statement.'),
    approve: z.boolean().nullish().describe('Whether the curator approves the new text as well.'),
  }),
  output: decisionOutput,
  async run(context, { approve, review_id: id, sensitivity, statement: text, version }) {
    const statementHash = statementHashOf(text);
    if (statementHash === null) throw invalidField('statement', 'must hold a word');
    await assertTakenIn(context, 'statement', () => text);
    const asked: Asked = {
      id,
      version,
      newId: uuidv7(),
      text,
      statementHash,
      sensitivity: sensitivity ?? null,
      approve: approve ?? false,
    };
    return conclude(context, {
      id,
      version,
      action: 'edit',
      fields: [version, text, asked.sensitivity, asked.approve],
      statementId: asked.newId,
      carryOut: (stores) => carryOut(stores, context.caller, asked),
    });
  },
});

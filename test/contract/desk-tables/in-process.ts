/** The desk as operations, on Postgres alone. */
import { Refusal } from '../../../domain/errors.ts';
import { execute } from '../../../operations/execute.ts';
import { promoteKnowledge } from '../../../operations/governance/promote.ts';
import { approveReview } from '../../../operations/reviews/approve.ts';
import { deferReview } from '../../../operations/reviews/defer.ts';
import { editReview } from '../../../operations/reviews/edit.ts';
import { mergeReview } from '../../../operations/reviews/merge.ts';
import { rejectReview } from '../../../operations/reviews/reject.ts';
import { confirmOwnKnowledge } from '../../../operations/self/confirm.ts';
import { contestOwnKnowledge } from '../../../operations/self/contest.ts';
import { decideOwnConsent } from '../../../operations/self/decide-consent.ts';
import { redactOwnKnowledge } from '../../../operations/self/redact.ts';
import { drain, literalExtractor, pipeline } from '../../integration/extraction/scene.ts';
import type { Scene } from '../../integration/observations/scene.ts';
import type { Door } from './desk.ts';
import { decisionBody } from './bodies.ts';

const OWN = {
  confirm: confirmOwnKnowledge,
  contest: contestOwnKnowledge,
  redact: redactOwnKnowledge,
} as const;
const DECISIONS = {
  approve: approveReview,
  reject: rejectReview,
  defer: deferReview,
  edit: editReview,
  'edit and approve': editReview,
  merge: mergeReview,
} as const;

/** An account with an agent, the person alice, of whom it spoke, and a curator. */
export async function openInProcess(scene: Scene): Promise<Door> {
  const account = await scene.account();
  const agent = await scene.caller(account, { key: 'agent' });
  const alice = await scene.caller(account, { key: 'alice', kind: 'human' });
  const curator = await scene.caller(account, { key: 'cura', role: 'curator', kind: 'human' });
  await scene.ingest(agent, { peer_key: 'alice', content: 'Alice keeps a boat.' });
  await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
  const [template] = await scene.rows('select id from knowledge where account_id = $1', [account]);
  const run = (operation: Parameters<typeof execute>[0], as: typeof alice, input: object) =>
    execute(operation, { ...scene.context(as), sweep: { soon: () => {} } }, input);
  return {
    rows: (query, values) => scene.rows(query, values),
    templateId: String(template?.['id']),
    keepsMarks: true,
    async act(action, { consentId, itemId, statementId, ...target }) {
      const { does } = action;
      try {
        if (does === 'promote') {
          await run(promoteKnowledge, curator, {
            knowledge_id: statementId,
            target_scope_path: '/',
          });
        } else if (does === 'grant' || does === 'deny') {
          await run(decideOwnConsent, alice, { consent_id: consentId, decision: does });
        } else if (does in OWN) {
          await run(OWN[does as keyof typeof OWN], alice, { knowledge_id: statementId });
        } else {
          const body = { review_id: itemId, ...decisionBody(does, target) };
          await run(DECISIONS[does as keyof typeof DECISIONS], curator, body);
        }
        return 'ok';
      } catch (error) {
        if (error instanceof Refusal) return error.code;
        throw error;
      }
    },
  };
}

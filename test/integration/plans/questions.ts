/** Questions: what a read in a session asks for, what an answer reads and writes, and preferences. */
import { visibleToQuestions } from '../../../domain/governance/visibility.ts';
import { puttingOffOf } from '../../../engine/knowledge/ruling.ts';
import { PEERS, seedId } from './seed.ts';
import { CREDENTIAL, HOT, inLarge, NOW, type Scenario } from './stage.ts';

const PEER = seedId('peer', PEERS.hot);
const READ = {
  peerId: PEER,
  sessionId: 'session-0',
  scopeIds: HOT,
  visible: visibleToQuestions({
    scopeIds: HOT,
    reader: { posture: 'peer', peerId: PEER },
    at: NOW,
  }),
};
const ANSWERING = { credentialId: CREDENTIAL, peerId: seedId('peer', PEERS.relay) };

export const QUESTIONS: readonly Scenario[] = [
  {
    name: 'the open questions to a person whom a tenth of all statements is about, as that person is shown them',
    run: (stage) =>
      inLarge(stage, async ({ answers, askPreferences }) => {
        await askPreferences.of(PEER);
        const [first] = await answers.askedOf(PEER, 26);
        await answers.isAskedOf(first?.id ?? PEER, PEER);
      }),
  },
  {
    name: 'a question to a person whom a tenth of all statements is about, and its answer',
    run: (stage) =>
      inLarge(stage, async ({ answers, asking, askPreferences, desk }) => {
        await asking.mayAsk(PEER);
        const [question] = await asking.askable(READ);
        if (question === undefined) throw new Error('the seed has questions');
        const delivery = {
          question,
          peerId: PEER,
          credentialId: CREDENTIAL,
          operation: 'memory.search',
        };
        const id = (await asking.deliver(delivery)) ?? '';
        const asked = await answers.deliveredTo(id, ANSWERING);
        if (asked === null) throw new Error('it was handed out');
        await answers.turnsSince(asked, { credentialId: seedId('credential', 5), peerId: null });
        const found = await desk.find(asked.knowledge_id);
        const state = found === null ? null : await desk.lock(found);
        if (state === null) throw new Error('the statement is there');
        await desk.write(puttingOffOf(state, asked.knowledge_id, NOW));
        await answers.notePutOff(asked.question_id);
        await answers.countSkip(asked.question_id);
        await answers.write(id, {
          verdict: 'skip',
          verification: 'verified',
          effect: 'pending_after_skip',
          shownTextHash: 'aa'.repeat(32),
          shownTextDiffers: false,
        });
        await answers.end(asked.question_id, 'escalated');
        await answers.endOf(asked.knowledge_id, 'consent_upward', null, 'escalated');
        await asking.takeBack(id, question);
        const wish = (await askPreferences.lock(PEER)) ?? null;
        if (wish !== null) await askPreferences.write(PEER, wish);
      }),
  },
  {
    name: 'no question to somebody who took no part in the session',
    run: (stage) =>
      inLarge(stage, ({ asking }) =>
        asking.askable({ ...READ, peerId: seedId('peer', PEERS.elsewhere) }),
      ),
  },
];

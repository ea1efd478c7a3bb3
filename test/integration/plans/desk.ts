/** What people ask and decide: their own record, the queue of curators, one item, contests and consents. */
import { AUDIENCES } from '../../../domain/governance/audience.ts';
import type { CuratorReach } from '../../../domain/governance/curator-reach.ts';
import { aboutSubject } from '../../../domain/governance/visibility.ts';
import {
  denialOf,
  promotionOf,
  reopeningOf,
  ruleOn,
  takingBackOf,
} from '../../../engine/knowledge/ruling.ts';
import { ROOT_PATH } from '../../../domain/scopes/path.ts';
import { SCOPES, seedId, PEERS } from './seed.ts';
import { ACCOUNT, HOT, everywhere, inLarge, someIds, type Scenario, type Stage } from './stage.ts';

const PAGE = {
  state: null,
  kind: null,
  subjectPeerId: null,
  curatorPeerId: seedId('peer', PEERS.relay),
  afterId: null,
  limit: 26,
} as const;
/** A curator of the whole account. */
const CURATOR: CuratorReach = {
  peerId: PAGE.curatorPeerId,
  openings: { tops: [{ path: ROOT_PATH, reachesBelow: true }], closedBelow: [], closedHere: [] },
};
/** What hardly any item of the queue fits. */
const FILTERS = [
  { kind: 'contest' },
  { kind: 'gate_a_b' },
  { state: 'escalated' },
  { subjectPeerId: seedId('peer', 77) },
  { kind: 'conflict', state: 'deferred', subjectPeerId: seedId('peer', PEERS.hot) },
] as const;
const TRACE = '0'.repeat(32);
/** A decision that waits. */
const SCHEDULED = {
  action: 'reject',
  version: 1,
  expires_at: null,
  defer_until: null,
  new_statement: null,
  new_sensitivity: null,
  approves_new: null,
  new_knowledge_id: null,
  into_knowledge_id: null,
  decided_by: CURATOR.peerId ?? '',
  credential_id: seedId('peer', PEERS.relay),
  undo_seconds: 30,
} as const;
const ACTOR = { peerId: null, channel: 'api' } as const;

async function someItem({ scene }: Stage): Promise<{ readonly id: string; readonly of: string }> {
  const [row] = await scene.rows(
    'select id, knowledge_id from review_items where account_id = $1 order by id limit 1',
    [ACCOUNT],
  );
  return { id: String(row?.['id']), of: String(row?.['knowledge_id']) };
}

export const DESK: readonly Scenario[] = [
  {
    name: 'the record of a person whom a tenth of all statements is about',
    run: (stage) =>
      inLarge(stage, async (stores) => {
        const peerId = seedId('peer', PEERS.hot);
        const sources = everywhere({ posture: 'peer', peerId });
        const visible = aboutSubject(peerId, 'listed');
        const selection = { by: 'subject', peerId, afterId: null, limit: 13 } as const;
        const [last] = await stores.knowledge.read({ selection, visible, reader: sources });
        const next = { ...selection, afterId: last?.id ?? null };
        await stores.knowledge.read({ selection: next, visible, reader: sources });
        await stores.consents.of(peerId, { afterId: null, limit: 13 });
      }),
  },
  {
    name: 'the queue of the account, and of scopes',
    run: async (stage) => {
      const { id } = await someItem(stage);
      await inLarge(stage, async (stores) => {
        for (const order of ['due', 'newest'] as const) {
          const scopes = [seedId('scope', SCOPES.hot), ...HOT];
          for (const afterId of [null, id]) {
            const page = { ...PAGE, order, afterId };
            await stores.reviews.next(null, { ...page, limit: 1_000 });
            await stores.reviews.next(scopes, page);
            for (const filter of FILTERS) {
              await stores.reviews.next(null, { ...page, ...filter });
              await stores.reviews.next(scopes, { ...page, ...filter });
            }
          }
        }
      });
    },
  },
  {
    name: 'a page of the desk, and how many items and readers there are',
    run: async (stage) => {
      const rows = await stage.scene.rows(
        'select id, knowledge_id from review_items where account_id = $1 order by id desc limit 100',
        [ACCOUNT],
      );
      const ids = rows.map((row) => String(row['id']));
      const of = rows.map((row) => String(row['knowledge_id']));
      await inLarge(stage, async (stores) => {
        await stores.reviews.allFor(ids, CURATOR.peerId);
        await stores.reviewDesk.shown(ids, CURATOR);
        await stores.reviewDesk.inScopes([seedId('scope', SCOPES.hot), ...HOT], CURATOR.peerId);
        await stores.reviewDesk.withinReach(CURATOR);
        const groups = AUDIENCES.map((readers) => ({ scope_path: '/', readers, knowledgeIds: of }));
        await stores.readership.count(groups);
      });
    },
  },
  {
    name: 'one item: what is shown of it, and every decision about it',
    run: async (stage) => {
      const { id, of } = await someItem(stage);
      await inLarge(stage, async (stores) => {
        const item = await stores.reviews.find(id);
        const found = await stores.desk.find(of);
        if (item === null || found === null) throw new Error('the seed has items');
        await stores.reviews.findFor(id, seedId('peer', PEERS.relay));
        await stores.desk.findFor(of, seedId('peer', PEERS.relay));
        const sources = await stores.reviewSources.sources(of, CURATOR);
        const messages = sources.map((source) => source.message_id);
        await stores.reviewSources.turns(
          [...messages, ...someIds('message', stage, 5)],
          CURATOR.peerId,
        );
        await stores.reviewSources.decisions(of);
        await stores.reviewSources.words(id);
        const about = [{ scope_path: '/', knowledgeIds: [of] }];
        for (const readers of AUDIENCES) {
          await stores.readership.count(about.map((each) => ({ ...each, readers })));
        }
        await stores.reviews.decisions(of);
        await stores.statementPage.periods(of);
        await stores.statementPage.audience(of);
        await stores.statementPage.openItems(of);
        await stores.statementPage.isSubmittedBy(of, seedId('peer', PEERS.relay));
        await stores.statementPage.sources(of, someIds('message', stage, 20));
        await stores.reviews.consent(item);
        await stores.reviews.openOf(of, ['gate_a_b', 'gate_b']);
        const state = await stores.desk.lock(found);
        if (state === null) throw new Error('the statement is there');
        await stores.reviews.defer(id, new Date(Date.now() + 3_600_000));
        await stores.reviews.awaitConsent(id, null);
        await stores.reviews.approverOf(id);
        const target = { targetScopeId: HOT[0] ?? null, targetLevel: 'account' } as const;
        await stores.desk.attesters([of, seedId('statement', 11)]);
        await stores.desk.isPartyBesideOthers(found, seedId('peer', PEERS.hot));
        await stores.reviewWords.say(id, CURATOR.peerId ?? '', {
          reason: 'Is it?',
          correction: null,
        });
        const earlier = await stores.scheduledDecisions.waitingFor(id);
        if (earlier !== null) await stores.scheduledDecisions.end(earlier, 'undone');
        const decisionRun = await stores.runs.enter({
          kind: 'decision',
          traceId: TRACE,
          targetId: id,
        });
        await stores.scheduledDecisions.schedule({
          ...SCHEDULED,
          review_item_id: id,
          run_id: decisionRun,
        });
        await stores.scheduledDecisions.waitingFor(id);
        const waiting = await stores.scheduledDecisions.ofRun(decisionRun);
        if (waiting === null) throw new Error('it waits');
        await stores.callers.findPerson(waiting.decided_by, waiting.credential_id);
        await stores.scheduledDecisions.end(waiting, 'undone');
        await stores.runs.resume(decisionRun);
        const speaker = seedId('peer', PEERS.relay);
        await stores.desk.attests(of, speaker);
        const takenBack = takingBackOf(state, of, ACTOR);
        if (takenBack !== null) await stores.desk.write(takenBack);
        await stores.desk.withdrawAttestation(of, speaker);
        const reopening = reopeningOf(state, of, true, ACTOR);
        if (reopening !== null) await stores.desk.write(reopening);
        await stores.desk.write(promotionOf(state, of, target));
        await stores.desk.write(denialOf(state, of, HOT[0] ?? '', ACTOR));
        await stores.desk.write(ruleOn(state, of, { action: 'contest' }, ACTOR).work);
        const contest = await stores.reviews.openOf(of, ['contest']);
        const targetId = contest?.id ?? id;
        const runId = await stores.runs.enter({
          kind: 'contest',
          traceId: '0'.repeat(32),
          targetId,
        });
        await stores.reviews.ofRun(runId);
        await stores.reviews.escalate(targetId, 24);
      });
    },
  },
  {
    name: 'a consent by its id, and its answer',
    run: async (stage) => {
      const subject = seedId('peer', PEERS.hot);
      await stage.scene.rows(
        `insert into consents (account_id, id, knowledge_id, subject_peer_id, target_scope_id, status, channel)
         values ($1, $2, $3, $4, $5, 'pending', 'pipeline') on conflict do nothing`,
        [ACCOUNT, seedId('statement', 10), seedId('statement', 10), subject, HOT[0]],
      );
      await inLarge(stage, async (stores) => {
        await stores.consents.find(seedId('statement', 10));
        await stores.consents.about(seedId('statement', 10), HOT[0] ?? '');
        await stores.consents.decide(seedId('statement', 10), 'granted', subject);
      });
    },
  },
];

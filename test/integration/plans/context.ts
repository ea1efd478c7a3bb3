/** Context: what a read asks for, and what building and summarising its parts reads and writes. */
import { CONTEXT_CARD_KINDS } from '../../../domain/context/kinds.ts';
import { visibleByDefault } from '../../../domain/governance/visibility.ts';
import { buildPlace } from '../../../engine/context-cards/build.ts';
import { readParts } from '../../../engine/context-cards/reading.ts';
import { ContextCardAccountsStore } from '../../../stores/postgres/context-cards/accounts.store.ts';
import { PEERS, SCOPES, seedId } from './seed.ts';
import { HOT, inLarge, NOW, READERS, someIds, type Scenario } from './stage.ts';

const HOT_SCOPE = seedId('scope', SCOPES.hot);
const PEER = seedId('peer', PEERS.hot);
/** It has a hundredth of all messages, and stands in the hot scope. */
const SESSION = seedId('session', 0);

export const CONTEXT: readonly Scenario[] = [
  {
    name: 'the accounts in which something is to be built',
    run: ({ called, scene }) =>
      called
        .noting('context-cards/accounts.store', new ContextCardAccountsStore(scene.pool))
        .waiting(null, 100),
  },
  {
    name: 'the building of all parts of the hot scope, with a summary',
    run: (stage) =>
      inLarge(stage, async (stores) => {
        const { contextCardSources, contextCardWork, contextCards } = stores;
        const targets = {
          session_summary: SESSION,
          peer_profile: PEER,
          scope_card: HOT_SCOPE,
          entity_card: HOT_SCOPE,
        };
        const places = CONTEXT_CARD_KINDS.map((kind) => ({
          kind,
          scopeId: HOT_SCOPE,
          targetId: targets[kind],
        }));
        await contextCardWork.mark(places);
        await contextCardWork.fold();
        await contextCardWork.take(100);
        for (const place of places) {
          await contextCardWork.lock(place);
          await buildPlace(stores, { place, at: NOW, summarises: true });
          await contextCardWork.end({ ...place, generation: 0 });
        }
        await contextCardSources.saidSince(
          HOT_SCOPE,
          targets.session_summary,
          someIds('statement', stage),
        );
        const [name] = await contextCardSources.names(HOT_SCOPE);
        await contextCardSources.mentioning(HOT_SCOPE, name?.alias ?? 'anna', NOW, 12);
        const waiting = await contextCards.takeSummaries(16);
        for (const each of waiting) {
          const visible = visibleByDefault({
            scopeIds: [HOT_SCOPE],
            reader: { posture: 'peer', peerId: PEER },
            at: NOW,
          });
          await contextCardSources.readable(each.sourceIds, visible);
          await contextCards.postponeSummary(each);
          await contextCards.holdSummary(each, 1_000);
          await contextCards.keepSummary(each, {
            text: 'A summary.',
            mode: 'model',
            provenance: { provider: 'p', model: 'm', modelVersion: '1', promptVersion: '1' },
          });
        }
        await contextCards.remove({
          kind: 'scope_card',
          scopeId: HOT_SCOPE,
          targetId: HOT_SCOPE,
          entity: '',
        });
      }),
  },
  ...Object.entries(READERS).map(([who, reader]): Scenario => ({
    name: `the parts of a context for a reader ${who}`,
    run: (stage) =>
      inLarge(stage, (stores) =>
        readParts(stores, { scopeIds: HOT, reader, sessionId: 'session-0', at: NOW }),
      ),
  })),
];

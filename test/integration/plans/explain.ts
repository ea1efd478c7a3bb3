/** What an operator has explained: one message and one statement by id, and whether a reader reads them. */
import { visibleByDefault } from '../../../domain/governance/visibility.ts';
import { seedId, PEERS } from './seed.ts';
import { HOT, inLarge, NOW, someIds, type Scenario } from './stage.ts';

const PEER_IDS = [seedId('peer', PEERS.relay), seedId('peer', PEERS.hot), seedId('peer', 77)];

export const EXPLAIN: readonly Scenario[] = [
  {
    name: 'messages explained, for readers with many messages and few',
    run: (stage) =>
      inLarge(stage, async ({ explainedMessages, grants }) => {
        for (const id of someIds('message', stage, 5)) {
          await explainedMessages.find(id);
          for (const peerId of PEER_IDS) {
            await grants.ofPeer(peerId);
            await explainedMessages.readBy(id, { peerId, scopeIds: HOT });
          }
        }
      }),
  },
  {
    name: 'statements explained, for readers with many statements and few',
    run: (stage) =>
      inLarge(stage, async ({ explainedStatements }) => {
        for (const id of someIds('statement', stage, 5)) {
          await explainedStatements.find(id);
          for (const peerId of PEER_IDS) {
            const reader = { posture: 'peer', peerId } as const;
            await explainedStatements.readBy(
              id,
              visibleByDefault({ scopeIds: HOT, reader, at: NOW }),
            );
          }
        }
      }),
  },
];

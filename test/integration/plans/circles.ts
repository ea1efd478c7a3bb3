/** What reads and writes ask about circles. */
import { ON_THE_RECORD, HOT, inLarge, type Scenario } from './stage.ts';
import { PEERS, seedId } from './seed.ts';

/** Names that a request may name at once. */
const NAMES = Array.from({ length: 20 }, (_, n) => `circle ${n * 7}`);

export const CIRCLES: readonly Scenario[] = [
  {
    name: 'the circles of readers who are in many and in none, and those that a request names',
    run: (stage) =>
      inLarge(stage, async ({ audiences, circles }) => {
        for (const n of [PEERS.hot, PEERS.relay, 77]) {
          for (const withGrants of [true, false]) {
            await audiences.memberships(seedId('peer', n), HOT, { withGrants });
          }
        }
        await audiences.circlesAt(['/', '/hot'], NAMES);
        await circles.named(HOT, NAMES);
      }),
  },
  {
    name: 'a circle read and changed',
    run: (stage) =>
      inLarge(stage, async ({ audit, circles, peers }) => {
        const [, scopeId = ''] = HOT;
        await peers.findByKeys(Array.from({ length: 50 }, (_, n) => `person-${n}@seed.example`));
        await circles.countsInScope(scopeId, [seedId('peer', PEERS.hot), seedId('peer', 77)]);
        const id = await circles.insert(scopeId, 'new');
        await circles.addMembers(id, [seedId('peer', PEERS.hot)], seedId('peer', 9));
        await circles.find(id);
        await circles.findAs(id, seedId('peer', PEERS.hot));
        await circles.memberIds(id);
        await circles.members(id);
        await circles.removeMembers(id, [seedId('peer', PEERS.hot)]);
        await circles.remove(id);
        await audit.record(ON_THE_RECORD);
      }),
  },
];

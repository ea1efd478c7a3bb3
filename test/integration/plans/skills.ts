/** Skill cards, and the statements that the selectors of a readiness report match. */
import { v7 as uuidv7 } from 'uuid';
import { visibleToReadiness, type ChainReader } from '../../../domain/governance/visibility.ts';
import { KINDS } from '../../../domain/statements/kinds.ts';
import { ATTRIBUTES } from '../../../domain/statements/attributes.ts';
import type { Selector } from '../../../domain/skills/card.ts';
import { ANY_STATEMENT } from '../../../domain/skills/read-selector.ts';
import { matchRead } from '../../../domain/skills/walks.ts';
import { cardOf } from '../../unit/skills/fixtures.ts';
import { PEERS, seedId } from './seed.ts';
import { HOT, inLarge, NOW, someIds, type Scenario, type Stage } from './stage.ts';

const peer = (id: string) => ({ posture: 'peer', peerId: id }) as const;
const [HOT_PEER, RELAY, LITTLE] = [
  seedId('peer', PEERS.hot),
  seedId('peer', PEERS.relay),
  seedId('peer', 77),
] as const;

/** Whom a report is about, and as whom it is read. */
const REPORTS: Readonly<Record<string, readonly [peerId: string, reader: ChainReader]>> = {
  'whom a tenth is about': [HOT_PEER, peer(HOT_PEER)],
  'who submitted everything': [RELAY, peer(RELAY)],
  'of whom little is known': [LITTLE, peer(LITTLE)],
  'whom a curator names in one of two scopes': [
    HOT_PEER,
    {
      posture: 'named',
      named: peer(HOT_PEER),
      otherwise: peer(RELAY),
      scopeIds: HOT.slice(1),
    },
  ],
};

const SELECTORS: readonly Partial<Selector>[] = [
  {},
  ...KINDS.map((kind) => ({ kind: [kind] })),
  ...ATTRIBUTES.map((attribute) => ({ attribute: [attribute] })),
  { subject: 'scope' },
  { subject: 'peer', topic: ['tea'] },
];
/** Selectors that nothing meets: their walks go as far as they may. */
const OF_NOTHING: readonly Partial<Selector>[] = [
  { minimum_corroboration: 1_000 },
  { verification: ['pending_human'], minimum_confidence: 1 },
  { source_types: ['document'], minimum_corroboration: 1_000 },
];

function requirementsOf(selectors: readonly Partial<Selector>[]) {
  const card = cardOf(
    '/',
    selectors.map((selector, n) => ({
      key: `k${n}`,
      selector: { ...ANY_STATEMENT, ...selector },
      source_policy: n % 2 === 0 ? 'either' : 'ask-peer',
    })),
  );
  return card.requirements.map((requirement) => ({ requirement, card }));
}

const reporting =
  (who: string, selectors: readonly Partial<Selector>[]) =>
  (stage: Stage): Promise<unknown> => {
    const [peerId, reader] = REPORTS[who] ?? [LITTLE, peer(LITTLE)];
    const visible = visibleToReadiness({ scopeIds: HOT, reader, at: NOW });
    const read = { peerId, scopeIds: HOT, reader, visible, at: NOW };
    return inLarge(stage, async ({ skillMatches }) => {
      await skillMatches.find(matchRead(read, requirementsOf(selectors)));
      await skillMatches.texts(someIds('statement', stage, 500), visible);
    });
  };

const many = (selectors: readonly Partial<Selector>[]) =>
  Array.from({ length: 64 }, (_, n) => selectors[n % selectors.length] ?? {});

export const SKILLS: readonly Scenario[] = [
  {
    name: 'a skill card published, read, listed and retired, and the cards of a chain',
    run: (stage) =>
      inLarge(stage, async ({ peers, scopes, skillCards }) => {
        const [, scopeId = ''] = HOT;
        await peers.findById(LITTLE);
        await scopes.lock(scopeId);
        await skillCards.countOfScope(scopeId);
        const id = uuidv7();
        await skillCards.insert({
          id,
          scopeId,
          skill: 'trip',
          description: null,
          requirements: [],
          schemaVersion: 'f9-1',
          contentHash: 'ab'.repeat(32),
          at: new Date(),
        });
        await skillCards.current(scopeId, 'trip');
        await skillCards.inForce('trip', ['/', '/hot']);
        await skillCards.find(id);
        for (const scopeIds of [HOT, null]) {
          const page = { scopeIds, skill: null, withRetired: true, after: null, limit: 25 };
          await skillCards.list(page);
          await skillCards.list({ ...page, skill: 'trip', withRetired: false, after: uuidv7() });
        }
        await skillCards.retire(id, new Date());
        await skillCards.prune(scopeId, 'trip');
      }),
  },
  ...Object.keys(REPORTS).flatMap((who): Scenario[] => [
    {
      name: `a readiness report about somebody ${who}`,
      run: reporting(who, SELECTORS),
    },
    {
      name: `a readiness report of one requirement that nothing meets about somebody ${who}`,
      run: reporting(who, OF_NOTHING.slice(0, 1)),
    },
    {
      name: `a readiness report of 64 requirements that nothing meets about somebody ${who}`,
      run: reporting(who, many(OF_NOTHING)),
    },
  ]),
];

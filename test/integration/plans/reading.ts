/** Listings, searches and what they are hydrated with. */
import {
  visibleByDefault,
  visibleInLineage,
  visibleInState,
} from '../../../domain/governance/visibility.ts';
import { PEERS, seedId } from './seed.ts';
import {
  ACCOUNT,
  HOT,
  NOW,
  PAST,
  PLACES,
  READERS,
  STATES,
  everywhere,
  inLarge,
  someIds,
  type Scenario,
} from './stage.ts';

function listings(): Scenario[] {
  const cases = Object.entries(READERS).flatMap(([who, reader]) =>
    Object.entries(PLACES).flatMap(([where, scopeIds]) =>
      STATES.map((state) => ({ who, reader, where, scopeIds, state })),
    ),
  );
  return cases.map(({ who, reader, where, scopeIds, state }) => ({
    name: `a listing of ${state} in ${where} for a reader ${who}`,
    run: (stage) => {
      const visible = visibleInState(state, { scopeIds, reader, at: NOW }, scopeIds.slice(1));
      const selection = { by: 'listing', limit: 12 } as const;
      const after = { confidence: 0.7, recordedAt: NOW, id: seedId('statement', 1) };
      return inLarge(stage, async ({ knowledge }) => {
        await knowledge.read({ selection, visible, reader: everywhere(reader) });
        await knowledge.read({
          selection: { ...selection, after },
          visible,
          reader: everywhere(reader),
        });
        // What a page with a filter looks at in one query.
        await knowledge.read({
          selection: { ...selection, limit: 501 },
          visible,
          reader: everywhere(reader),
        });
      });
    },
  }));
}

function blankSearches(): Scenario[] {
  const cases = Object.entries(READERS).flatMap(([who, reader]) =>
    Object.entries(PLACES).flatMap(([where, scopeIds]) =>
      [null, PAST].map((asOf) => ({ who, reader, where, scopeIds, asOf })),
    ),
  );
  return cases.map(({ who, reader, where, scopeIds, asOf }) => ({
    name: `a blank search ${asOf === null ? 'of today' : 'of the past'} in ${where} for a reader ${who}`,
    run: (stage) => {
      const at = asOf ?? NOW;
      const visible = visibleByDefault({ scopeIds, reader, at });
      const read = { ...everywhere(reader), accountId: ACCOUNT, visible, asOf, withText: false };
      return inLarge(stage, ({ candidates }) =>
        candidates.salient(at, 48, { ...read, sourceMessageId: null }),
      );
    },
  }));
}

const someTerms = (count: number) => Array.from({ length: count }, (_, n) => 1 + n * 3);

const search: Scenario[] = [
  {
    name: 'the chain and the reader of a request',
    run: (stage) =>
      inLarge(stage, async (stores) => {
        await stores.scopes.find(['/', '/wide', '/wide/7', '/wide/8/103']);
        await stores.peers.findByKey('person-77@seed.example');
        await stores.candidates.ofSource(seedId('message', 7), everywhere({ posture: 'internal' }));
      }),
  },
  {
    name: 'the chain of a search with the overrides of its profile, and the scopes that are linked to it',
    run: (stage) =>
      inLarge(stage, async (stores) => {
        for (const paths of [[], ['/'], ['/', '/hot'], ['/', '/wide', '/wide/7', '/wide/8/103']]) {
          await stores.retrievalProfiles.ofScopes(paths, 'balanced');
        }
        await stores.scopeLinks.ofScopes(HOT);
        await stores.scopeLinks.ofScopes(
          Array.from({ length: 33 }, (_, n) => seedId('scope', n + 5)),
        );
      }),
  },
  ...[null, PAST].map((asOf): Scenario => ({
    name: `a search ${asOf === null ? 'of today' : 'of the past'} in as many scopes as chain and links may have`,
    run: (stage) => {
      const at = asOf ?? NOW;
      const scopeIds = [...HOT, ...Array.from({ length: 63 }, (_, n) => seedId('scope', n + 2))];
      const reader = READERS['who may read little'];
      if (reader === undefined) throw new TypeError('the stage has this reader');
      const visible = visibleByDefault({ scopeIds, reader, at });
      const read = { ...everywhere(reader), accountId: ACCOUNT, visible, asOf, withText: false };
      return inLarge(stage, async ({ candidates, dirtyMarks, frequencies }) => {
        await candidates.salient(at, 48, { ...read, sourceMessageId: null });
        await candidates.read(someIds('statement', stage), { ...read, sourceMessageId: null });
        await dirtyMarks.waitingStatements(scopeIds, 'overdue_in_qdrant', 100);
        await frequencies.of(scopeIds, 'statement', someTerms(512));
      });
    },
  })),
  {
    name: 'a link between scopes looked up, and how many links they have',
    run: (stage) =>
      inLarge(stage, async ({ scopeLinks }) => {
        await scopeLinks.lockEnds(['/hot', '/wide/7']);
        for (const scopeId of HOT) {
          await scopeLinks.exists(scopeId, seedId('scope', 17));
          await scopeLinks.count(scopeId);
        }
      }),
  },
  ...[null, PAST].flatMap((asOf) =>
    Object.entries(READERS).map(([who, reader]): Scenario => ({
      name: `the candidates of a search ${asOf === null ? 'of today' : 'of the past'} for a reader ${who}`,
      run: (stage) => {
        const visible = visibleByDefault({ scopeIds: HOT, reader, at: asOf ?? NOW });
        const read = { ...everywhere(reader), accountId: ACCOUNT, visible, asOf, withText: true };
        const ids = someIds('statement', stage, 60);
        return inLarge(stage, async (stores) => {
          await stores.candidates.read(ids, { ...read, sourceMessageId: seedId('message', 7) });
          await stores.candidates.readable(ids, read);
          await stores.knowledge.read({
            selection: { by: 'ids', ids },
            visible,
            reader: everywhere(reader),
            asOf,
          });
        });
      },
    })),
  ),
  ...[null, PAST].flatMap((asOf) =>
    Object.entries(READERS).map(([who, reader]): Scenario => ({
      name: `the chunks of documents that a search found ${asOf === null ? 'today' : 'of the past'} for a reader ${who}`,
      run: (stage) => {
        const documentId = seedId('document', 1);
        const read = { scopeIds: HOT, reader, asOf, documentId: null, withText: true };
        // Chunks are numbered from a thousand million on.
        const ofChunks = Array.from({ length: 200 }, (_, n) => seedId('message', 1e9 + n));
        const all = [...someIds('message', stage, 60), ...ofChunks];
        return inLarge(stage, async ({ chunks }) => {
          await chunks.sessionOf(documentId);
          await chunks.read(all, read);
          await chunks.read(all, { ...read, documentId, withText: false });
        });
      },
    })),
  ),
  {
    name: 'the weights of the words of a search, and what waits for an index',
    run: (stage) =>
      inLarge(stage, async (stores) => {
        // As many as an ordinary question has with its alternatives, and as many as any may have.
        await stores.frequencies.of(HOT, 'statement', someTerms(120));
        await stores.frequencies.of(HOT, 'statement', someTerms(512));
        await stores.dirtyMarks.waitingStatements(HOT, 'dirty_in_meilisearch', 100);
        await stores.dirtyMarks.waitingStatements(HOT, 'overdue_in_qdrant', 100);
      }),
  },
];

/** Every hundredth message is one of the session that is larger than the others. */
const ofLargeSession = Array.from({ length: 100 }, (_, n) => seedId('message', n * 100));

/** A page of results with turns that the reader may not read on both sides: the most that a look meets. */
const hiddenTurns: Scenario = {
  name: 'the turns of a session that its reader may not read',
  run: (stage) => {
    const reader = { posture: 'peer', peerId: seedId('peer', PEERS.elsewhere) } as const;
    return inLarge(stage, ({ turns }) =>
      turns.beside(ofLargeSession, { reader, scopeIds: HOT }, 960),
    );
  },
};

/** Some of the messages are found with the place of what was found. */
const sources = Object.entries(READERS).flatMap(([who, reader]) =>
  Object.entries(PLACES).map(([where, scopeIds]): Scenario => ({
    name: `the messages that a source search found in ${where} for a reader ${who}`,
    run: (stage) => {
      const ids = someIds('message', stage, 200);
      const found = ids.map((id, n) => ({ id, beginsAt: n % 2 === 0 ? null : n }));
      const read = { reader, scopeIds };
      return inLarge(stage, async ({ sourceMessages, turns }) => {
        const part = { part: 'around', before: 480, length: 2_160, unplaced: 16_384 } as const;
        await sourceMessages.read(found, read, part, 12);
        await sourceMessages.read(found, read, { part: 'whole', bytes: 1_048_576 }, 200);
        await sourceMessages.spoken(someIds('message', stage, 400), read);
        await sourceMessages.readable(ids, read);
        await sourceMessages.own(read, 16);
        await sourceMessages.waiting('qdrant', read, 1);
        await sourceMessages.waiting('meilisearch', read, 500);
        await turns.beside(
          [...someIds('message', stage, 12), ...ofLargeSession.slice(0, 3)],
          read,
          960,
        );
      });
    },
  })),
);

const provenance: Scenario[] = [
  ...Object.entries(READERS).flatMap(([who, reader]) =>
    Object.entries(PLACES).map(([where, scopeIds]): Scenario => ({
      name: `the statements that a stable profile considers in ${where} for a reader ${who}`,
      run: (stage) => {
        const visible = visibleByDefault({ scopeIds, reader, at: NOW });
        const peerId = seedId('peer', PEERS.hot);
        return inLarge(stage, ({ profiles }) => profiles.about({ peerId, visible, limit: 200 }));
      },
    })),
  ),
  ...Object.entries(READERS).map(([who, reader]): Scenario => ({
    name: `what statements and messages were made from for a reader ${who}`,
    run: (stage) => {
      const visibility = visibleInLineage({ scopeIds: HOT, reader, at: NOW });
      const targets = [
        ...someIds('statement', stage).map((id) => ({ type: 'knowledge', id }) as const),
        ...someIds('message', stage).map((id) => ({ type: 'message', id }) as const),
        { type: 'document_version', id: seedId('version', 1) } as const,
      ];
      return inLarge(stage, ({ lineage }) =>
        lineage.facts(targets, 24, { visibility, scopeIds: HOT, reader }),
      );
    },
  })),
];

const answers = Object.entries(READERS).map(([who, reader]): Scenario => ({
  name: `what an answerer is told of the statements of a page, for a reader ${who}`,
  run: (stage) => {
    const messages = someIds('message', stage, 100);
    const asked = someIds('statement', stage, 100).map((id, n) => ({
      id,
      earliestMessageId: messages[n] ?? null,
    }));
    return inLarge(stage, ({ evidenceDetails }) =>
      evidenceDetails.of(asked, { reader, scopeIds: HOT }),
    );
  },
}));

export const READING: readonly Scenario[] = [
  ...listings(),
  ...blankSearches(),
  ...search,
  ...sources,
  hiddenTurns,
  ...provenance,
  ...answers,
];

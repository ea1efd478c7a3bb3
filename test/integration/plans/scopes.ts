/** The directory of scopes and the picture of one. */
import {
  aboutSubject,
  visibleByDefault,
  visibleInState,
} from '../../../domain/governance/visibility.ts';
import type { Grant } from '../../../domain/identity/roles.ts';
import { openingsWithin } from '../../../domain/identity/openings.ts';
import { parseScopePath, ROOT_PATH, type ScopePath } from '../../../domain/scopes/path.ts';
import { PEERS, seedId } from './seed.ts';
import { HOT, NOW, READERS, everywhere, inLarge, someIds, type Scenario } from './stage.ts';

const path = (text: string): ScopePath => parseScopePath(text) ?? ROOT_PATH;

const allow = (text: string, propagate = true): Grant => ({
  scopePath: path(text),
  role: 'reader',
  effect: 'allow',
  propagate,
});

/** What grants open in the tree: all of it, many small parts of it, all but many parts of it. */
const GRANTS: Readonly<Record<string, readonly Grant[]>> = {
  everything: [allow('/')],
  'many scopes': Array.from({ length: 60 }, (_, n) => allow(`/wide/${n + 5}`, n % 2 === 0)),
  'all but many scopes': [
    allow('/'),
    ...Array.from({ length: 60 }, (_, n) => ({
      ...allow(`/wide/${n + 5}`, n % 2 === 0),
      effect: 'deny' as const,
    })),
  ],
};

const PAGE = 51;
const LISTED = [...HOT, ...Array.from({ length: 23 }, (_, n) => seedId('scope', n + 2))];
/** As many scopes as a picture takes in. */
const DRAWN = [...HOT, ...Array.from({ length: 30 }, (_, n) => seedId('scope', n + 2))];
const MOST_STATEMENTS = 151;
/** As many scopes as an overview looks at. */
const LOOKED_AT = [...HOT, ...Array.from({ length: 98 }, (_, n) => seedId('scope', n + 2))];

export const SCOPE_PAGES: readonly Scenario[] = [
  ...Object.entries(GRANTS).map(([what, grants]): Scenario => ({
    name: `some scopes, and a page of the directory, for who may read ${what}`,
    run: (stage) =>
      inLarge(stage, async ({ scopeDirectory }) => {
        const openings = openingsWithin(grants, ROOT_PATH);
        await scopeDirectory.some(openings, 501);
        await scopeDirectory.some(openings, 1_001);
        const first = await scopeDirectory.page({ openings, after: null, limit: PAGE });
        const after = await scopeDirectory.byId(first.at(-1)?.id ?? '');
        const tops = openings.tops.slice(-1);
        await scopeDirectory.page({ openings: { ...openings, tops }, after, limit: PAGE });
      }),
  })),
  ...Object.entries(READERS).map(([who, reader]): Scenario => ({
    name: `what stands in the scopes of a page for a reader ${who}`,
    run: (stage) =>
      inLarge(stage, async ({ scopeDirectory }) => {
        const visible = visibleByDefault({ scopeIds: LISTED, reader, at: NOW });
        await scopeDirectory.statements(LISTED, visible);
        const peerId = reader.posture === 'peer' ? reader.peerId : seedId('peer', PEERS.relay);
        for (const counted of ['everybody', { peerId }] as const) {
          await scopeDirectory.documents(LISTED, counted);
          await scopeDirectory.sessions(LISTED, counted);
        }
      }),
  })),
  ...Object.entries(READERS).map(([who, reader]): Scenario => ({
    name: `the overview for a reader ${who}`,
    run: (stage) =>
      inLarge(stage, async ({ overview }) => {
        const peerId = reader.posture === 'peer' ? reader.peerId : seedId('peer', PEERS.relay);
        await overview.aboutPeer(peerId, aboutSubject(peerId, 'listed'));
        await overview.waiting(null, peerId);
        await overview.waiting(LOOKED_AT, peerId);
        const visible = visibleByDefault({ scopeIds: LOOKED_AT, reader, at: NOW });
        await overview.latest(LOOKED_AT, visible, 12);
      }),
  })),
  {
    name: 'the roles at a scope',
    run: (stage) =>
      inLarge(stage, ({ scopeDirectory }) =>
        scopeDirectory.grants([path('/'), path('/wide'), path('/wide/7')], 201),
      ),
  },
  ...Object.entries(READERS).map(([who, reader]): Scenario => ({
    name: `the picture of as many scopes as may be for a reader ${who}`,
    run: (stage) =>
      inLarge(stage, async ({ knowledge, statementGraph }) => {
        const query = { scopeIds: DRAWN, reader, at: NOW };
        const visible = visibleByDefault(query);
        const selection = { by: 'listing', limit: MOST_STATEMENTS } as const;
        await knowledge.read({ selection, visible, reader: everywhere(reader) });
        const ids = someIds('statement', stage, MOST_STATEMENTS);
        await statementGraph.ties(ids, { any: [visible, visibleInState('superseded', query, [])] });
      }),
  })),
];

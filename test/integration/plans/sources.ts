/** Lists of sources: documents, sessions and what was said, of scopes and of a peer, and the runs of a session. */
import { SCOPES, seedId, PEERS } from './seed.ts';
import { CREDENTIAL, HOT, inLarge, type Scenario, someIds } from './stage.ts';

/** A curator of scopes, somebody who was everywhere, somebody who was hardly anywhere. */
const LOOKERS = {
  'a curator of the hot scope': { scopeIds: HOT, peerId: seedId('peer', 77) },
  'a curator of very many scopes': {
    scopeIds: [...HOT, ...Array.from({ length: 498 }, (_, n) => seedId('scope', n + 2))],
    peerId: seedId('peer', 77),
  },
  'the agent that relays everything': { scopeIds: [], peerId: seedId('peer', PEERS.relay) },
  'a peer that was elsewhere': { scopeIds: [], peerId: seedId('peer', PEERS.elsewhere) },
} as const;
const FULL = 51;

export const SOURCES: readonly Scenario[] = [
  ...Object.entries(LOOKERS).flatMap(([who, look]): Scenario[] => [
    {
      name: `documents for ${who}`,
      run: (stage) =>
        inLarge(stage, async ({ documentList }) => {
          const { peerId: uploaderId, scopeIds } = look;
          const page = { uploaderId, scopeIds, afterId: null, limit: FULL };
          const found = await documentList.page(page);
          await documentList.page({ ...page, afterId: found.at(-1)?.id ?? seedId('document', 7) });
        }),
    },
    {
      name: `sessions for ${who}`,
      run: (stage) =>
        inLarge(stage, async ({ sessionList }) => {
          const page = { ...look, after: null, limit: FULL };
          const last = (await sessionList.sessions(page)).at(-1);
          const after = {
            sessionId: last?.id ?? seedId('session', 7),
            scopeId: last?.scope_id ?? seedId('scope', SCOPES.hot),
          };
          await sessionList.sessions({ ...page, after });
        }),
    },
    {
      name: `what was said, for ${who}`,
      run: (stage) =>
        inLarge(stage, async ({ sessionList }) => {
          const [afterId = null] = someIds('message', stage, 1);
          for (const status of [null, 'pending', 'terminal'] as const) {
            await sessionList.messages({ ...look, status, afterId: null, limit: FULL });
            await sessionList.messages({ ...look, status, afterId, limit: FULL });
          }
        }),
    },
    {
      name: `what was said in one session, for ${who}`,
      run: (stage) =>
        inLarge(stage, async ({ sessionList }) => {
          const places = await sessionList.placesOf('session-0');
          const ids = places.map(({ scope_id: id }) => id);
          const isCurator = look.scopeIds.length > 0;
          const page = {
            sessionId: places[0]?.session_id ?? seedId('session', 0),
            scopeIds: isCurator ? ids : [],
            attendedScopeIds: isCurator ? [] : ids,
            peerId: look.peerId,
            status: null,
            afterId: null,
            limit: FULL,
          };
          const last = (await sessionList.ofSession(page)).at(-1)?.id ?? null;
          await sessionList.ofSession({ ...page, afterId: last });
          await sessionList.ofSession({ ...page, status: 'terminal' });
        }),
    },
  ]),
  {
    name: 'the runs of tools of a browser session',
    run: (stage) =>
      inLarge(stage, async ({ browserSessions }) => {
        const run = { tool: 'search', at: new Date().toISOString(), code: 'ok', ms: 7 };
        await browserSessions.noteToolRun(CREDENTIAL, run, 5);
        await browserSessions.toolRuns(CREDENTIAL);
      }),
  },
];

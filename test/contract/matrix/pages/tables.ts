/** Who opens which page of the console, and whose forms are taken. Decisions about a statement are `decisions.ts`' matter. */
import { DECISIONS } from './decisions.ts';
import {
  ADMIN,
  atGovernance,
  CURATORS,
  others,
  people,
  peopleOfThing,
  READERS,
  STRANGER,
  when,
  type PageTable,
} from './page-table.ts';

const HERE = ['in the scope'];
const ELSEWHERE = ['elsewhere'];
const BOTH = ['in the scope', 'elsewhere'];

const page = (path: string, from: PageTable['rows'][number]['from']): PageTable => ({
  route: `GET ${path}`,
  names: null,
  rows: people(others('200', from)),
});

const SIGNING: readonly PageTable[] = [
  {
    route: 'GET /',
    names: null,
    rows: [others('303 /console', 'interface 4: browser routes, redirects to /console')],
  },
  ...(['/sign-in', '/governance/sign-in'] as const).flatMap((path): PageTable[] => [
    {
      route: `GET ${path}`,
      names: null,
      rows: [
        when(['nobody', 'a key of an agent'], null, '200', 'interface 4: browser routes, sign-in'),
        others(
          path === '/sign-in' ? '303 /console' : '303 /governance',
          'interface 5: the same role-limited session',
        ),
      ],
    },
    {
      route: `POST ${path}`,
      names: null,
      rows: [others('401', 'interface 5: the same opaque 401')],
    },
  ]),
  ...(['POST', 'DELETE'] as const).map((method): PageTable => ({
    route: `${method} /sign-out`,
    names: null,
    rows: [others('303 /sign-in', 'interface 4: browser routes, ends session')],
  })),
];

/** Pages of a scope that the address names. */
const OF_SCOPE: readonly PageTable[] = [
  {
    route: 'GET /console/knowledge',
    names: { parameter: 'scope' },
    rows: people(others('200', 'facts 14: a scope whose chain is left out shows nothing')),
  },
  ...(['', '/sessions', '/observations'] as const).map((list): PageTable => ({
    route: `GET /console/sources${list}`,
    names: { parameter: 'scope_path' },
    rows: people(others('200', 'interface 4: browser routes, sources')),
  })),
  ...(['scopes', 'graph'] as const).map((name): PageTable => ({
    route: `GET /console/${name}`,
    names: { parameter: 'scope' },
    rows: people(
      when([...READERS, ...ADMIN], ['the scope', 'elsewhere'], '200', 'facts 14: the focus scope'),
      // A scope of that path is in the other account too.
      when(['a curator', STRANGER], ['the scope'], '200', 'facts 14: the focus scope'),
      others('404', 'decisions 2: a hidden or missing resource'),
    ),
  })),
  ...(['', '/held'] as const).map((name): PageTable => ({
    route: `GET /console/skills${name}`,
    names: { parameter: 'scope' },
    rows: people(others('200', 'facts 14: cards by scope, none of a hidden one')),
  })),
  {
    route: 'GET /governance',
    names: { parameter: 'scope_path' },
    rows: atGovernance(
      people(
        when([...READERS], null, '403', 'decisions 17: curator nowhere'),
        others('200', 'interface 4: browser routes, human curator session'),
      ),
    ),
  },
  {
    route: 'GET /console/operations',
    names: { parameter: 'scope' },
    rows: people(
      when([...ADMIN, STRANGER], null, '200', 'interface 4: browser routes, account-admin'),
      others('404', 'decisions 2: a hidden or missing resource'),
    ),
  },
];

const SOURCES: readonly PageTable[] = [
  page('/console/sources/connectors', 'interface 4: browser routes, sources'),
  page('/console/sources/upload', 'interface 4: browser routes, sources'),
  {
    route: 'POST /console/sources/upload',
    names: null,
    rows: people(
      when(['a reader', 'the subject'], null, '403', 'interface 4: documents are sent by members'),
      others('303 /console/sources/versions/:id', 'interface 4: documents are sent by members'),
    ),
  },
  {
    route: 'GET /console/sources/observations/:id',
    names: { kind: 'message' },
    rows: peopleOfThing(
      when(['the subject', ...CURATORS], HERE, '200', 'decisions 3: who was there, and curators'),
      when(['the subject', ...ADMIN], ELSEWHERE, '200', 'decisions 3: who was there, and curators'),
      when([STRANGER], ['foreign'], '200', 'decisions 3: who was there, and curators'),
    ),
  },
  {
    route: 'POST /console/sources/observations/:id/requeue',
    names: { kind: 'message' },
    rows: peopleOfThing(
      when(ADMIN, BOTH, '409', 'decisions 17: legal states, else 409'),
      when([STRANGER], ['foreign'], '409', 'decisions 17: legal states, else 409'),
      // The page of the form is shown again, with the refusal, where they may see it at all.
      when(['a curator', 'the subject'], HERE, '403', 'interface 4: operator endpoints'),
      when(['the subject'], ELSEWHERE, '403', 'interface 4: operator endpoints'),
    ),
  },
  {
    route: 'GET /console/sources/versions/:id',
    names: { kind: 'version' },
    rows: peopleOfThing(
      when(['a member', ...CURATORS], HERE, '200', 'decisions 3: who uploaded it, and curators'),
      when(ADMIN, ELSEWHERE, '200', 'decisions 3: who uploaded it, and curators'),
      when([STRANGER], ['foreign'], '200', 'decisions 3: who uploaded it, and curators'),
    ),
  },
  {
    route: 'POST /console/sources/documents/:id/withdraw',
    names: { kind: 'document' },
    rows: peopleOfThing(
      when(['a curator'], HERE, '303 /console/sources', 'interface 4: who may write there'),
      when(
        ['a member', ...ADMIN],
        BOTH,
        '303 /console/sources',
        'interface 4: who may write there',
      ),
      when([STRANGER], ['foreign'], '303 /console/sources', 'interface 4: who may write there'),
    ),
  },
];

const SKILLS: readonly PageTable[] = [
  {
    route: 'GET /console/skills/cards/:id',
    names: { kind: 'card' },
    rows: peopleOfThing(
      when([...READERS, ...ADMIN], BOTH, '200', 'facts 14: cards by scope'),
      when(['a curator'], HERE, '200', 'facts 14: cards by scope'),
      when([STRANGER], ['foreign'], '200', 'facts 14: cards by scope'),
    ),
  },
  {
    route: 'POST /console/skills/cards/:id/retire',
    names: { kind: 'card' },
    rows: peopleOfThing(
      when(['a curator'], HERE, '303 /console/skills/cards/:id', 'interface 4: card authoring'),
      when(ADMIN, BOTH, '303 /console/skills/cards/:id', 'interface 4: card authoring'),
      when([STRANGER], ['foreign'], '303 /console/skills/cards/:id', 'interface 4: card authoring'),
      when([...READERS], BOTH, '403', 'decisions 17: curator nowhere'),
    ),
  },
  {
    route: 'GET /console/skills/write',
    names: null,
    rows: people(
      when([...READERS], null, '403', 'decisions 17: curator nowhere'),
      others('200', 'interface 4: card authoring'),
    ),
  },
  {
    route: 'POST /console/skills/publish',
    names: null,
    rows: people(
      when([...READERS], null, '403', 'decisions 17: curator nowhere'),
      others('303 /console/skills/cards/:id', 'interface 4: card authoring'),
    ),
  },
  {
    // The card is shown again with what the check says of it; nothing is published.
    route: 'POST /console/skills/check',
    names: 'scope of the form',
    rows: people(
      when([...READERS], null, '403', 'decisions 17: curator nowhere'),
      when(['a curator'], ['the scope'], '200', 'interface 4: card authoring'),
      when(
        ['a curator'],
        ['elsewhere', 'missing'],
        '403',
        'decisions 3: the role at a path, whether or not the scope exists',
      ),
      others('200', 'interface 4: card authoring'),
    ),
  },
];

const LISTED_CIRCLES: PageTable['rows'] = people(
  others('200', 'decisions 29: circles of a scope, none of a hidden one'),
);
const MADE_BY_CURATORS = 'decisions 29: made by curators' as const;

const CIRCLES: readonly PageTable[] = [
  { route: 'GET /console/scopes/circles', names: { parameter: 'scope' }, rows: LISTED_CIRCLES },
  {
    // The form names somebody whom nobody knows, so that nothing is made.
    route: 'POST /console/scopes/circles/create',
    names: 'scope of the form',
    rows: people(
      when(['a reader', 'a member', 'the subject'], null, '403', MADE_BY_CURATORS),
      when(['a curator'], ['elsewhere', 'missing'], '403', MADE_BY_CURATORS),
      others('422', 'decisions 2: peer_key naming nobody'),
    ),
  },
  {
    route: 'GET /console/scopes/circles/:id',
    names: { kind: 'circle' },
    rows: peopleOfThing(
      when(['the subject', ...ADMIN], BOTH, '200', 'decisions 29: shown to its members'),
      when(['a curator'], HERE, '200', 'decisions 29: shown to its members'),
      when([STRANGER], ['foreign'], '200', 'decisions 29: shown to its members'),
    ),
  },
  ...(['add', 'remove'] as const).map((word): PageTable => ({
    route: `POST /console/scopes/circles/:id/${word}`,
    names: { kind: 'circle' },
    rows: peopleOfThing(
      when(['the subject'], BOTH, '403', MADE_BY_CURATORS),
      when(ADMIN, BOTH, '422', 'decisions 2: peer_key naming nobody'),
      when(['a curator'], HERE, '422', 'decisions 2: peer_key naming nobody'),
      when([STRANGER], ['foreign'], '422', 'decisions 2: peer_key naming nobody'),
    ),
  })),
  {
    // Whoever comes after somebody who may delete it finds it gone.
    route: 'POST /console/scopes/circles/:id/delete',
    names: { kind: 'circle' },
    rows: peopleOfThing(
      when(['the subject'], BOTH, ['403', '404'], MADE_BY_CURATORS),
      when(CURATORS, HERE, ['303 /console/scopes/circles', '404'], MADE_BY_CURATORS),
      when(ADMIN, ELSEWHERE, ['303 /console/scopes/circles', '404'], MADE_BY_CURATORS),
      when([STRANGER], ['foreign'], ['303 /console/scopes/circles', '404'], MADE_BY_CURATORS),
    ),
  },
];

const TOOLS: readonly PageTable[] = [
  page('/console/tools', 'interface 4: browser routes, forms for each MCP tool'),
  ...(['GET', 'POST'] as const).map((method): PageTable => ({
    route: `${method} /console/tools/:tool`,
    names: 'tool',
    rows: people(
      {
        when: { thing: ['missing'] },
        answer: ['404'],
        from: 'decisions 2: a hidden or missing resource',
      },
      others('200', 'interface 4: browser routes, forms for each MCP tool'),
    ),
  })),
];

const ME: readonly PageTable[] = [
  page('/console/me', 'interface 4: browser routes, statements about you'),
  ...(['grant', 'deny'] as const).map((word): PageTable => ({
    route: `POST /console/me/consents/:id/${word}`,
    names: { kind: 'consent' },
    rows: peopleOfThing(
      when(['the subject'], ['of the subject'], '303 /console/me', 'interface 4: consent'),
    ),
  })),
  // What a form names that is not hers is answered as what is not there. The question is left open before its statement goes.
  {
    route: 'POST /console/me/questions/yes',
    names: { kind: 'own statement' },
    rows: peopleOfThing(
      when(
        ['the subject'],
        ['waiting for her word'],
        '303 /console/me',
        'interface 4: self-governance, subject is always the caller',
      ),
    ),
  },
  {
    // It is confirmed by then, and may still be contested.
    route: 'POST /console/me/questions/wrong',
    names: { kind: 'own statement' },
    rows: peopleOfThing(
      when(
        ['the subject'],
        ['waiting for her word'],
        '303 /console/me',
        'decisions 29: contest takes a reason and a correction',
      ),
    ),
  },
  {
    route: 'POST /console/me/questions/leave',
    names: { kind: 'question' },
    rows: peopleOfThing(
      when(
        ['the subject'],
        ['put to the subject'],
        '303 /console/me',
        'decisions 17: self, whoever is asked, else 404',
      ),
    ),
  },
  {
    route: 'POST /console/me/questions/no',
    names: { kind: 'statement asked about' },
    rows: peopleOfThing(
      when(
        ['the subject'],
        ['of the subject'],
        '303 /console/me',
        'interface 4: self-governance, subject is always the caller',
      ),
    ),
  },
  {
    route: 'POST /console/me/ask-preference',
    names: null,
    rows: people(others('303 /console/me', 'decisions 17: self, people may loosen')),
  },
  {
    route: 'POST /console/me/password',
    names: null,
    rows: people(others('422', 'decisions 8: the old password is asked for')),
  },
  {
    route: 'POST /console/me/erasure',
    names: null,
    rows: people(others('422', 'facts 14: erasure, type a confirm word')),
  },
  {
    route: 'GET /console/me/erasure/:id',
    names: { kind: 'erasure' },
    rows: peopleOfThing(),
  },
];

const NO_ROUTE = others('404', 'decisions 2: a hidden or missing resource, unknown route');

const REST: readonly PageTable[] = [
  page('/console', 'interface 4: browser routes, overview'),
  {
    route: 'GET /console/operations/workflows',
    names: null,
    rows: people(
      when([...ADMIN, STRANGER], null, '303 temporal', 'interface 4: browser routes, operations'),
      others('404', 'decisions 2: a hidden or missing resource'),
    ),
  },
  {
    route: 'GET /console/*rest',
    names: null,
    rows: people(NO_ROUTE),
  },
  {
    route: 'GET /governance/*rest',
    names: null,
    rows: atGovernance(people(NO_ROUTE)),
  },
];

/** In this order they are asked: what changes what others look at comes late. */
export const PAGE_TABLES: readonly PageTable[] = [
  ...REST,
  ...OF_SCOPE,
  ...SOURCES,
  ...SKILLS,
  ...CIRCLES,
  ...TOOLS,
  ...ME,
  ...DECISIONS,
  ...SIGNING,
];

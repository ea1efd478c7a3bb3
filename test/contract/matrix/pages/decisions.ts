/** Who opens a statement or an item of the queue, and whose decisions about it are taken. */
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

const BELIEVED = ['believed'];
const CONTESTED = ['contested'];
/** What of the queue its subject may open, because the statements are about her. */
const HERS = ['contested', 'waiting', 'waiting elsewhere'];

/** What a curator may say of an item, in the queue and at the statement. */
const DECIDED = ['approve', 'reject', 'defer', 'edit'] as const;

const STATEMENT: readonly PageTable[] = [
  {
    route: 'GET /console/knowledge/:id',
    names: { kind: 'statement' },
    rows: peopleOfThing(
      when([...READERS, ...CURATORS], BELIEVED, '200', 'decisions 5: the predicate, believed'),
      when(CURATORS, CONTESTED, '200', 'decisions 5: contested, and curators of the scope'),
      when(['the subject'], HERS, '200', 'decisions 5: the predicate, the subject of what waits'),
    ),
  },
  {
    route: 'POST /console/knowledge/:id/promote',
    names: { kind: 'statement' },
    rows: peopleOfThing(
      // Refused alike for any id; the page is shown again to whoever may see it.
      when([...READERS], BELIEVED, '403', 'decisions 17: curator nowhere'),
      when(['the subject'], HERS, '403', 'decisions 17: curator nowhere'),
      when(
        ['a curator'],
        ['believed', 'contested'],
        '403',
        'decisions 17: wider targets need curator at the target',
      ),
      when(ADMIN, BELIEVED, '303 /console/knowledge/:id', 'decisions 17: curator of both scopes'),
      when(ADMIN, CONTESTED, '409', 'decisions 17: legal states, only active is promoted'),
    ),
  },
  // What only waits is decided in the queue: its page is not there for curators, whatever the refusal is.
  ...DECIDED.map((word): PageTable => ({
    route: `POST /console/knowledge/:id/${word}`,
    names: { kind: 'statement' },
    rows: peopleOfThing(
      when([...READERS], BELIEVED, '403', 'decisions 17: curator nowhere'),
      when(['the subject'], HERS, '403', 'decisions 17: curator nowhere'),
      when(CURATORS, CONTESTED, '409', 'decisions 17: the version that was seen'),
    ),
  })),
  ...(['confirm', 'contest', 'withdraw', 'redact'] as const).map((word): PageTable => ({
    route: `POST /console/knowledge/:id/${word}`,
    names: { kind: 'own statement' },
    rows: peopleOfThing(
      when(
        ['the subject'],
        ['waiting for her word'],
        word === 'redact' ? '303 /console/me' : '303 /console/knowledge/:id',
        'interface 4: self-governance, subject is always the caller',
      ),
    ),
  })),
];

/** Of an item of the queue: curators of its scope get `answer`. */
const ofItem = (route: string, answer: string | readonly string[]): PageTable => ({
  route,
  names: { kind: 'item' },
  rows: atGovernance(
    peopleOfThing(
      when([...READERS], null, '403', 'decisions 17: curator nowhere'),
      when(
        CURATORS,
        ['in the scope', 'contested'],
        answer,
        'decisions 17: the version that was seen',
      ),
      when(ADMIN, ['elsewhere'], answer, 'decisions 17: the version that was seen'),
      when([STRANGER], ['foreign'], answer, 'decisions 17: the version that was seen'),
    ),
  ),
});

/** Forms come with a version that is long past, so that whoever may decide is told that, and nothing is decided. */
const QUEUE: readonly PageTable[] = [
  ofItem('GET /governance/:id', '200'),
  ...DECIDED.map((word) => ofItem(`POST /governance/:id/${word}`, '409')),
  // Nothing waits to be carried out.
  ofItem('POST /governance/:id/undo', '409'),
  // The other statement may be looked up first.
  ofItem('POST /governance/:id/merge', ['409', '422']),
  {
    // Nothing is chosen.
    route: 'GET /governance/bulk',
    names: null,
    rows: atGovernance(
      people(
        when([...READERS], null, '403', 'decisions 17: curator nowhere'),
        others('422', 'decisions 17: each decision of many by itself'),
      ),
    ),
  },
  {
    route: 'POST /governance/bulk',
    names: null,
    rows: atGovernance(
      people(
        when([...READERS], null, '403', 'decisions 17: curator nowhere'),
        others('303 /governance', 'decisions 17: each decision of many by itself'),
      ),
    ),
  },
];

/** Of a request to forget: curators of its scope get `answer`, and nobody else learns of it. */
const ofHold = (route: string, answer: string): PageTable => ({
  route,
  names: { kind: 'hold' },
  rows: atGovernance(
    peopleOfThing(
      when(CURATORS, ['in the scope'], answer, 'decisions 29: uphold and lift'),
      when(ADMIN, ['elsewhere'], answer, 'decisions 29: uphold and lift'),
      when([STRANGER], ['foreign'], answer, 'decisions 29: uphold and lift'),
    ),
  ),
});

const FORGETTING: readonly PageTable[] = [
  {
    route: 'GET /governance/forgetting',
    names: { parameter: 'scope' },
    rows: atGovernance(
      people(
        when([...READERS], null, '403', 'decisions 17: curator nowhere'),
        others('200', 'decisions 29: curators see requests to forget'),
      ),
    ),
  },
  ofHold('GET /governance/forgetting/:id', '200'),
  ofHold('POST /governance/forgetting/:id/uphold', '409'),
  ofHold('POST /governance/forgetting/:id/lift', '409'),
];

/** It opens an item about the statement, so that it comes last: whoever asks second is told that somebody has. */
const REOPENING: readonly PageTable[] = [
  {
    route: 'POST /console/knowledge/:id/reopen',
    names: { kind: 'statement' },
    rows: peopleOfThing(
      when([...READERS], BELIEVED, '403', 'decisions 17: curator nowhere'),
      when(['the subject'], HERS, '403', 'decisions 17: curator nowhere'),
      when(
        CURATORS,
        BELIEVED,
        ['303 /governance/:id', '409'],
        'decisions 29: reopen, by a curator of the scope',
      ),
      when(CURATORS, CONTESTED, '409', 'decisions 29: reopen, on a placed row'),
    ),
  },
];

export const DECISIONS: readonly PageTable[] = [
  ...QUEUE,
  ...FORGETTING,
  ...STATEMENT,
  ...REOPENING,
];

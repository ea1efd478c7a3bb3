/** Who opens a statement or an item of the queue, and whose decisions about it are taken. */
import {
  atGovernance,
  others,
  people,
  peopleOfThing,
  when,
  type PageTable,
  type Viewer,
} from './page-table.ts';

const STRANGER = "another account's administrator";
const READERS = ['a reader', 'a member', 'the subject'] as const;
const CURATORS: readonly Viewer[] = ['a curator', 'an administrator'];
const ADMIN: readonly Viewer[] = ['an administrator'];
const BELIEVED = ['believed'];

const STATEMENT: readonly PageTable[] = [
  {
    route: 'GET /console/knowledge/:id',
    names: { kind: 'statement' },
    rows: peopleOfThing(
      when([...READERS, ...CURATORS], BELIEVED, '200', 'decisions 5: the predicate, believed'),
      when(
        ['the subject'],
        ['waiting', 'waiting elsewhere'],
        '200',
        'decisions 5: the predicate, the subject of what waits',
      ),
    ),
  },
  {
    route: 'POST /console/knowledge/:id/promote',
    names: { kind: 'statement' },
    rows: peopleOfThing(
      // Refused alike for any id; the page is shown again to whoever may see it.
      when([...READERS], BELIEVED, '403', 'decisions 17: curator nowhere'),
      when(
        ['the subject'],
        ['waiting', 'waiting elsewhere'],
        '403',
        'decisions 17: curator nowhere',
      ),
      when(['a curator'], BELIEVED, '403', 'decisions 17: curator of both scopes'),
      when(ADMIN, BELIEVED, '303 /console/knowledge/:id', 'decisions 17: curator of both scopes'),
    ),
  },
  ...(['confirm', 'contest', 'redact'] as const).map((word): PageTable => ({
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
      when(CURATORS, ['in the scope'], answer, 'decisions 17: the version that was seen'),
      when(ADMIN, ['elsewhere'], answer, 'decisions 17: the version that was seen'),
      when([STRANGER], ['foreign'], answer, 'decisions 17: the version that was seen'),
    ),
  ),
});

/** Forms come with a version that is long past, so that whoever may decide is told that, and nothing is decided. */
const QUEUE: readonly PageTable[] = [
  ofItem('GET /governance/:id', '200'),
  ...(['approve', 'reject', 'defer', 'edit'] as const).map((word) =>
    ofItem(`POST /governance/:id/${word}`, '409'),
  ),
  // The other statement may be looked up first.
  ofItem('POST /governance/:id/merge', ['409', '422']),
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

export const DECISIONS: readonly PageTable[] = [...QUEUE, ...STATEMENT];

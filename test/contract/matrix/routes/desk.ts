/** The tables of what people do as curators. What becomes of a statement is `desk-tables`' matter. */
import { idIn, itemId, place, post, versionOf, decided, type Asked } from '../asking.ts';
import { asAlone, reviews } from '../checks.ts';
import { promotedTo } from '../aspects.ts';
import { field, parameter } from '../borrowed.ts';
import { NOTHING, PLACES } from '../world.ts';
import {
  answered,
  CURATOR_NOWHERE,
  CURATORS,
  HIDDEN,
  MALFORMED_PATH,
  PEOPLE,
  withId,
  type RouteTable,
} from './route-table.ts';

/** An item about a statement of a scope, as its curator saw it or not, open or decided. */
export const ITEM = {
  target: ['malformed', 'missing', 'foreign', 'an item'],
  place: ['root', 'own', 'child', 'sibling', 'denied'],
  version: ['as it is', 'another'],
  item: ['open', 'ended'],
};

/** What a decision says beside the version. */
const WITH: Readonly<Record<string, (asked: Asked) => Record<string, unknown>>> = {
  edit: ({ n }) => ({ statement: `Pear tree number ${n} is old.` }),
  merge: ({ fresh }) => ({ into: fresh?.intoId ?? NOTHING }),
};

const decision = (word: string): RouteTable => ({
  route: `POST /api/v1/governance/reviews/:review_id/${word}`,
  request: decided(word, WITH[word]),
  ...(word === 'merge' ? { borrows: [field('into', 'statementId')] } : {}),
  isLate: true,
  vary: ITEM,
  rows: [
    ...withId(CURATORS),
    { ...HIDDEN, from: "decisions 17: an item outside of the caller's scopes" },
    {
      when: { version: ['another'] },
      answer: ['409 conflict'],
      from: 'decisions 17: wrong state or version',
    },
    {
      when: { item: ['ended'] },
      answer: ['409 conflict'],
      from: 'decisions 17: wrong state or version',
    },
    answered(200, 'decisions 17: routes, for people with a password'),
  ],
});

export const DESK: readonly RouteTable[] = [
  {
    route: 'GET /api/v1/governance/reviews',
    request: (asked) => ({
      path: `/api/v1/governance/reviews?limit=100&order=newest&scope_path=${place(asked)}`,
    }),
    shows: (answer, asked, { fresh }) => reviews(answer, asked, fresh.values()),
    borrows: [
      parameter('scope_path', 'scope'),
      parameter('subject_key', 'peer'),
      parameter('cursor', 'itemId'),
    ],
    isLate: true,
    vary: { place: PLACES },
    rows: [
      ...PEOPLE,
      MALFORMED_PATH,
      CURATOR_NOWHERE,
      answered(200, 'decisions 17: reviews of the subtree'),
    ],
  },
  {
    route: 'GET /api/v1/governance/reviews/:review_id',
    request: (asked) => ({
      path: `/api/v1/governance/reviews/${itemId(asked)}`,
    }),
    showsTurns: true,
    isLate: true,
    vary: { target: ITEM.target, place: ITEM.place },
    rows: [
      ...withId(CURATORS),
      { ...HIDDEN, from: "decisions 17: an item outside of the caller's scopes" },
      answered(200, 'decisions 17: one review'),
    ],
  },
  ...['approve', 'reject', 'defer', 'edit', 'merge'].map(decision),
  {
    route: 'POST /api/v1/governance/reviews/bulk',
    request: (asked) =>
      post('governance/reviews/bulk', {
        decisions: [{ id: itemId(asked), version: versionOf(asked), action: 'defer' }],
      }),
    shows: asAlone('/defer'),
    borrows: [
      field('decisions', 'itemId', { as: (id) => [{ id, version: 1, action: 'approve' }] }),
    ],
    isLate: true,
    vary: { ...ITEM, target: ['missing', 'foreign', 'an item'] },
    rows: [
      ...PEOPLE,
      CURATOR_NOWHERE,
      answered(200, 'decisions 17: bulk, each decision its own transaction'),
    ],
  },
  {
    route: 'POST /api/v1/governance/reviews',
    request: (asked) =>
      post('governance/reviews', {
        knowledge_id: idIn(asked, asked.scene.foreign.statementId, asked.fresh?.statementId),
        reason: 'Somebody else says otherwise.',
        withhold: asked.cell['withhold'] === 'yes',
      }),
    borrows: [field('knowledge_id', 'statementId')],
    isLate: true,
    vary: {
      target: ['missing', 'foreign', 'a statement'],
      place: ['root', 'own', 'child', 'sibling', 'denied'],
      state: ['active', 'stale', 'provisional'],
      withhold: ['yes', 'no'],
    },
    rows: [
      ...CURATORS,
      { ...HIDDEN, from: "decisions 17: an item outside of the caller's scopes" },
      {
        when: { state: ['provisional'] },
        answer: ['409 conflict'],
        from: 'decisions 29: reopen, a placed row',
      },
      {
        when: { state: ['stale'], withhold: ['no'] },
        answer: ['409 conflict'],
        from: 'decisions 17: one open item per statement and kind',
      },
      answered(200, 'decisions 29: reopen, by a curator of the scope'),
    ],
  },
  {
    route: 'POST /api/v1/governance/reviews/:review_id/undo',
    request: (asked) => post(`governance/reviews/${itemId(asked)}/undo`, {}),
    isLate: true,
    vary: { target: ITEM.target, place: ITEM.place, item: ['open', 'ended', 'scheduled'] },
    rows: [
      ...withId(CURATORS),
      { ...HIDDEN, from: "decisions 17: an item outside of the caller's scopes" },
      {
        when: { item: ['open', 'ended'] },
        answer: ['409 conflict'],
        from: 'decisions 29: undo, a decision that is scheduled',
      },
      answered(200, 'decisions 29: undo, by a curator of the scope'),
    ],
  },
  {
    route: 'POST /api/v1/governance/knowledge/:knowledge_id/promote',
    request: (asked) => {
      const id = idIn(asked, asked.scene.foreign.statementId, asked.fresh?.statementId);
      return post(`governance/knowledge/${id}/promote`, {
        target_scope_path: promotedTo(asked.cell),
      });
    },
    borrows: [field('target_scope_path', 'scope')],
    isLate: true,
    vary: {
      target: ['malformed', 'missing', 'foreign', 'a statement'],
      place: ['ancestor', 'own', 'child', 'sibling', 'denied'],
      to: ['above', 'root', 'itself'],
      state: ['active', 'provisional'],
    },
    rows: [
      ...withId(CURATORS),
      { ...HIDDEN, from: "decisions 17: an item outside of the caller's scopes" },
      {
        when: { to: ['itself'] },
        answer: ['422 invalid_request'],
        from: 'interface 1: promotion to scope or account level, widening',
      },
      {
        when: { curatesTarget: ['no'] },
        answer: ['403 forbidden'],
        from: 'decisions 17: wider targets need curator at the target',
      },
      {
        when: { state: ['provisional'] },
        answer: ['409 conflict'],
        from: 'decisions 17: legal states, promote from active',
      },
      answered(200, 'decisions 17: promote, an item gate_b opens'),
    ],
  },
];

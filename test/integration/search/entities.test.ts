/** Search by the names that a query and statements share, on the real indexes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MOST_ROWS_OF_ENTITY } from '../../../domain/entities/scores.ts';
import { testServers } from '../../support/environment.ts';
import type { AccountScene, StatementInput } from './account.ts';
import { openSearchScene, texts, type SearchData, type SearchScene } from './scene.ts';

let scene: SearchScene;

beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());

const ALL_TIME = { deadline: 'disabled' } as const;

async function filled(...inputs: readonly (string | StatementInput)[]): Promise<AccountScene> {
  const account = await scene.account();
  for (const input of inputs) {
    await account.statement(typeof input === 'string' ? { text: input, subject: null } : input);
  }
  await account.refresh();
  return account;
}

async function ask(
  account: AccountScene,
  query: string,
  { peer = 'carol', ...body }: Record<string, unknown> & { peer?: string | null } = {},
): Promise<SearchData> {
  const caller = await account.caller({ peer });
  const asAdmin = {
    ...caller,
    grants: caller.grants.map((grant) => ({ ...grant, role: 'account_admin' as const })),
  };
  return scene.search(asAdmin, { query, ...ALL_TIME, ...body });
}

const foundBy = (answer: SearchData, strategy: string) =>
  answer.candidates
    .filter(({ strategies }) => (strategies as readonly string[]).includes(strategy))
    .map(({ statement }) => statement)
    .toSorted();

const outcomeOf = (answer: SearchData, strategy: string) => {
  const found = answer.retrieval_outcomes.find(({ component }) => component === strategy);
  return [found?.status, found?.reason_class];
};

const PADDING = Array.from({ length: 12 }, (_, n) => `the tide number ${n} is high`);

describe('entity_match', () => {
  test.each(['Acme Rockets', "where do acme rockets' engineers eat?", 'Who left Acme Rockets?'])(
    'finds statements of a name of several words: %s',
    async (query) => {
      const account = await filled('We saw Acme Rockets launch', 'A rocket is loud', ...PADDING);
      const answer = await ask(account, query);
      expect(foundBy(answer, 'entity_match')).toEqual(['We saw Acme Rockets launch']);
      expect(outcomeOf(answer, 'entity_match')).toEqual(['completed', null]);
    },
  );

  test('joins a single name to the one longer name, and not to either of two', async () => {
    const one = ['We met Anna Smith', 'They like Anna'];
    const account = await filled(...one, ...PADDING);
    expect(foundBy(await ask(account, 'Who is Anna Smith?'), 'entity_match')).toEqual(
      one.toSorted(),
    );
    await account.statement({ text: 'We met Anna Jones', subject: null });
    await account.refresh();
    expect(foundBy(await ask(account, 'Who is Anna Smith?'), 'entity_match')).toEqual([
      'We met Anna Smith',
    ]);
    expect(foundBy(await ask(account, 'is it Anna'), 'entity_match')).toEqual(['They like Anna']);
  });

  test('finds a peer by key and by name, in a script without capitals too', async () => {
    const account = await scene.account();
    const peerId = await account.peer('maria@harbour.example');
    await scene.sql('update peers set name = $3 where account_id = $1 and id = $2', [
      account.id,
      peerId,
      '玛丽亚',
    ]);
    await account.statement({ text: '玛丽亚喜欢茶', subject: 'maria@harbour.example' });
    await account.refresh();
    await account.statement({ text: '我们见到玛丽亚了', subject: null });
    for (const text of PADDING) await account.statement({ text, subject: null });
    await account.refresh();
    expect(foundBy(await ask(account, '玛丽亚在哪里'), 'entity_match')).toHaveLength(2);
    expect(foundBy(await ask(account, 'mail of maria@harbour.example'), 'entity_match')).toEqual([
      '玛丽亚喜欢茶',
    ]);
  });

  test('is empty where the scopes know no name of the query', async () => {
    const account = await filled('We saw Acme Rockets launch');
    const answer = await ask(account, 'Where is Lisbon?');
    expect(answer.empty_strategies).toContain('entity_match');
    expect(outcomeOf(answer, 'entity_match')).toEqual(['completed', null]);
  });

  test('does not apply to a blank query, nor to a past instant', async () => {
    const account = await filled('We saw Acme Rockets launch');
    const not = ['not_applicable', 'applicability'];
    for (const profile of ['balanced', 'thorough']) {
      const blank = await ask(account, ' ', { profile });
      expect(outcomeOf(blank, 'entity_match')).toEqual(not);
      const past = await ask(account, 'Acme Rockets', { profile, as_of: new Date().toISOString() });
      expect(outcomeOf(past, 'entity_match')).toEqual(not);
    }
    const past = await ask(account, 'Acme', { profile: 'thorough', as_of: '2026-01-01T00:00:00Z' });
    expect(outcomeOf(past, 'relation_expand')).toEqual(not);
  });

  test('lists no statement of a name that more statements mention than it may list', async () => {
    const mentions = (n: number) => Array.from({ length: n }, (_, at) => `Day ${at} with Anna`);
    const padding = Array.from({ length: 40 }, (_, n) => `the tide number ${n} is high`);
    const few = await filled(...mentions(MOST_ROWS_OF_ENTITY), ...padding);
    expect(foundBy(await ask(few, 'see Anna', { limit: 60 }), 'entity_match')).toHaveLength(25);
    const many = await filled(...mentions(MOST_ROWS_OF_ENTITY + 1), ...padding);
    expect(foundBy(await ask(many, 'see Anna', { limit: 60 }), 'entity_match')).toEqual([]);
  });

  test('counts with how sure a statement is', async () => {
    const account = await filled(
      { text: 'It is Acme Rockets maybe', subject: null, confidence: 0.5 },
      { text: 'It is Acme Rockets', subject: null, confidence: 0.9 },
    );
    const answer = await ask(account, 'Acme Rockets', { min_score: 0.6 });
    expect(foundBy(answer, 'entity_match')).toEqual(['It is Acme Rockets']);
  });

  test('leaves out what the operators exclude', async () => {
    const account = await filled('We saw Acme Rockets', 'Acme Rockets fired Bob', ...PADDING);
    expect(texts(await ask(account, 'Acme Rockets -Bob'))).not.toContain('Acme Rockets fired Bob');
  });

  test('answers while both indexes are away', async () => {
    const account = await filled('We saw Acme Rockets launch');
    const { meilisearch, qdrant } = testServers();
    const url = 'http://127.0.0.1:9';
    scene.rebuilt({
      qdrant: { ...qdrant, url },
      meilisearch: { ...meilisearch, url },
      patienceMs: 200,
    });
    try {
      const answer = await ask(account, 'Acme Rockets');
      expect(answer.dropped_strategies).toEqual(['semantic', 'lexical']);
      expect(foundBy(answer, 'entity_match')).toEqual(['We saw Acme Rockets launch']);
    } finally {
      scene.rebuilt({});
    }
  });
});

describe('relation_expand', () => {
  const thorough = { profile: 'thorough' };

  test('finds statements that share a name with what was found', async () => {
    const account = await filled('The harbour belongs to Acme', 'Dana left Acme', ...PADDING);
    const answer = await ask(account, 'whose is this harbour', thorough);
    expect(foundBy(answer, 'relation_expand')).toContain('Dana left Acme');
    expect(outcomeOf(answer, 'relation_expand')).toEqual(['completed', null]);
  });

  test('finds what updated a statement, and what was updated', async () => {
    const account = await scene.account();
    const older = await account.statement({ text: 'the boat is green', subject: null });
    const newer = await account.statement({ text: 'a hull has become yellow', subject: null });
    await scene.sql(`update knowledge set updated_by_id = $3 where account_id = $1 and id = $2`, [
      account.id,
      older,
      newer,
    ]);
    await account.refresh();
    expect(foundBy(await ask(account, 'green boat', thorough), 'relation_expand')).toContain(
      'a hull has become yellow',
    );
    expect(foundBy(await ask(account, 'yellow hull', thorough), 'relation_expand')).toContain(
      'the boat is green',
    );
  });

  test('crosses to a linked scope only where the request asks for links', async () => {
    const account = await filled('The harbour belongs to Acme');
    const far = await account.scope('/far');
    await account.statement({ text: 'Dana left Acme', subject: null, path: '/far' });
    await account.refresh();
    const [low, high] = [await account.scope('/poc'), far].toSorted();
    await scene.sql(
      'insert into scope_links (account_id, low_scope_id, high_scope_id) values ($1, $2, $3)',
      [account.id, low, high],
    );
    const near = { ...thorough, scope_path: '/poc' };
    expect(texts(await ask(account, 'whose harbour', near))).not.toContain('Dana left Acme');
    const linked = await ask(account, 'whose harbour', { ...near, include_cross_links: true });
    expect(foundBy(linked, 'relation_expand')).toContain('Dana left Acme');
  });
});

/** An answer without ids and times. */
function comparable(answer: SearchData): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) => (/_ms$|_at$/.test(key) ? 0 : value));
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id'));
}

describe('what a reader may not read', () => {
  const shown: StatementInput[] = [
    { text: 'We met Anna Smith', subject: null },
    { text: 'They like Anna', subject: null },
    { text: 'The harbour belongs to Acme', subject: null },
    ...PADDING.map((text) => ({ text, subject: null })),
  ];
  const QUERIES = [
    'Who is Anna Smith?',
    'Where is Anna?',
    'Acme',
    'Where is Dana Jones?',
    'whose harbour',
  ];

  async function twoAccounts(hidden: readonly StatementInput[]) {
    const bare = await filled(...shown);
    const full = await filled(...shown, ...hidden);
    return { bare, full };
  }

  test('changes nothing of the answers of a stranger: names, uniqueness, scores, outcomes', async () => {
    const about = { subject: 'anna', submitters: ['bruno'] };
    const { bare, full } = await twoAccounts([
      { ...about, text: 'We met Anna Jones', sensitivity: 'personal' },
      { ...about, text: 'We saw Dana Jones', sensitivity: 'restricted' },
      { ...about, text: 'At Acme with Dana Jones', sensitivity: 'internal', state: 'provisional' },
      { ...about, text: 'At Acme again', sensitivity: 'internal', state: 'held' },
      { text: 'Anna Brown stood up', subject: null, state: 'redacted' },
    ]);
    for (const query of QUERIES) {
      for (const peer of ['carol', null]) {
        // Their words would be candidates of an absent filter; here only the names count.
        const body = { peer, profile: 'thorough', source_filters: { minimum_corroboration: 1 } };
        const [one, other] = [await ask(bare, query, body), await ask(full, query, body)];
        const outcomes = (answer: SearchData) =>
          answer.retrieval_outcomes
            .filter(({ component }) => component !== 'candidate_filter')
            .map(({ component, status }) => [component, status]);
        expect(outcomes(other)).toEqual(outcomes(one));
        expect(
          comparable({
            ...other,
            retrieval_outcomes: [],
            degraded: false,
            degraded_components: [],
          }),
        ).toEqual(
          comparable({ ...one, retrieval_outcomes: [], degraded: false, degraded_components: [] }),
        );
      }
    }
  });

  test('as an internal statement changes nothing for a reader without a peer', async () => {
    const inside = { subject: null, sensitivity: 'internal' };
    const { bare, full } = await twoAccounts([
      { ...inside, text: 'We met Anna Jones' },
      { ...inside, text: 'We saw Dana Jones' },
      ...Array.from({ length: 30 }, (_, n) => ({ ...inside, text: `Day ${n} at Acme` })),
    ]);
    for (const query of QUERIES) {
      const body = { peer: null, profile: 'thorough' };
      const named = (answer: SearchData) => [
        foundBy(answer, 'entity_match'),
        foundBy(answer, 'relation_expand'),
        outcomeOf(answer, 'entity_match'),
        outcomeOf(answer, 'relation_expand'),
        answer.candidates.map(({ fusion_score: score, statement }) => [statement, score]),
      ];
      expect(named(await ask(full, query, body))).toEqual(named(await ask(bare, query, body)));
    }
    expect(foundBy(await ask(full, 'Who is Anna Smith?', { peer: null }), 'entity_match')).toEqual([
      'They like Anna',
      'We met Anna Smith',
    ]);
    expect(foundBy(await ask(full, 'Who is Anna Smith?'), 'entity_match')).toEqual([
      'We met Anna Smith',
    ]);
  });
});

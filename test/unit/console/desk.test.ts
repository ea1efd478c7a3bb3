/** The desk of a curator: what stands in its list, what its buttons say, where a decision leads, what nobody decides unseen. */
import { FORGETTING_PATH } from '../../../console/pages/forgetting/words.ts';
import { describe, expect, test } from '@jest/globals';
import { ITEM_KINDS, type ItemKind } from '../../../domain/governance/items.ts';
import { audienceOf } from '../../../domain/governance/audience.ts';
import { deskAt, idOf, itemOf, sourceOf, type Item } from './desk-scene.ts';

const items = (kind: ItemKind, count: number, more: Partial<Item> = {}): readonly Item[] =>
  Array.from({ length: count }, (_, n) => itemOf(n + 1, kind, more));
const at = (n: number, query = ''): string => `/governance/${idOf(n)}${query}`;

/** The largest page that a person with a slow line should be sent. */
const MOST_BYTES = 60_000;
const LONGEST_STATEMENT = 2_000;

describe('the tabs', () => {
  const all = ITEM_KINDS.map((kind, n) => itemOf(n + 1, kind));

  test('say how many wait, and since when', async () => {
    const { text } = await deskAt('/governance', {
      items: [...items('contest', 3), itemOf(9, 'gate_b')],
    });
    expect(text).toContain('Contests 3 · oldest 3 hours');
    expect(text).toContain('Conflicts 0');
    expect(text).toContain('Sharing 1 · oldest 9 hours');
  });

  test('open at the first in which something waits, with its first item beside the list', async () => {
    const { text } = await deskAt('/governance', { items: items('revalidation', 2) });
    expect(text).toContain('Is it still true?');
    expect(text).toMatch(/What was said .*I collect stamps\./);
  });

  test('keep the questions apart: a list has those of one kind', async () => {
    for (const kind of ITEM_KINDS) {
      const { links } = await deskAt(`/governance?kind=${kind}`, { items: all });
      const listed = links.filter((to) => to.startsWith('/governance/') && to !== FORGETTING_PATH);
      const own = all.findIndex((item) => item.kind === kind) + 1;
      expect(listed.filter((to) => !to.startsWith(at(own)))).toEqual([]);
    }
  });
});

describe('many decisions at once', () => {
  test('are offered for new statements alone', async () => {
    for (const kind of ITEM_KINDS) {
      const { source } = await deskAt(`/governance?kind=${kind}`, { items: items(kind, 3) });
      expect([kind, source.includes('type="checkbox"'), source.includes('form="bulk"')]).toEqual([
        kind,
        kind === 'gate_a_b',
        kind === 'gate_a_b',
      ]);
    }
  });

  test('are made only on a page that says how many become readable by how many', async () => {
    const page = await deskAt('/governance', { items: items('gate_a_b', 3) });
    expect(page.forms.filter(({ action }) => action === '/governance/bulk')).toMatchObject([
      { method: 'get' },
    ]);
    const chosen = `item.${idOf(1)}=1&item.${idOf(2)}=1&item.${idOf(3)}=1`;
    const preview = {
      groups: [
        {
          scope_path: '/team',
          readers: audienceOf({
            state: 'active',
            sensitivity: 'internal',
            level: 'peer',
            isAboutPeer: true,
            hasAudience: false,
          }),
          statements: 2,
          people: { count: 34, is_capped: false },
        },
      ],
      unchanged: 0,
      refused: [{ id: idOf(3), code: 'conflict' }],
    };
    const asked = await deskAt(`/governance/bulk?action=approve&${chosen}`, {
      items: items('gate_a_b', 3),
      preview,
    });
    expect(asked.text).toContain(
      '2 statements then read by everyone who may read /team (34 readers)',
    );
    expect(asked.text).toContain('1 statement left out');
    const form = asked.forms.find(({ method }) => method === 'post');
    expect(form?.button).toMatch(/^Approve 2 statements: /);
    expect(Object.keys(form?.fields ?? {}).filter((name) => name.startsWith('item.'))).toEqual([
      `item.${idOf(1)}`,
      `item.${idOf(2)}`,
    ]);
  });

  test('of nothing are refused, with the way back', async () => {
    const page = await deskAt('/governance/bulk?action=approve', { items: [] });
    expect(page.text).toContain('choose at least one');
    expect(page.links).toContain('/governance?kind=gate_a_b');
  });
});

describe('the list', () => {
  test('has two lines for each item, and repeats no sentence', async () => {
    const page = await deskAt('/governance', { items: items('gate_a_b', 25) });
    const entries = page.source.match(/<li class="entry/g) ?? [];
    expect(entries).toHaveLength(25);
    for (const sentence of ['May it be believed?', 'the rule asks a person', 'then read by']) {
      expect(page.text.split(sentence).length - 1).toBeLessThanOrEqual(1);
    }
  });

  test('has those of one person and conversation together, and decides them in this order', async () => {
    const talk = { session_id: 'club' };
    const [one, two, three] = [
      itemOf(1, 'gate_a_b', talk),
      itemOf(2, 'gate_a_b', { subject: { key: 'ben', name: 'Ben' } }),
      itemOf(3, 'gate_a_b', talk),
    ];
    const page = await deskAt(at(1), { items: [one, two, three] });
    expect(page.text).toContain('Ada 2 in one conversation');
    expect(page.text.match(/stamps of lot \d/g)?.slice(0, 3)).toEqual(
      [1, 3, 2].map((lot) => `stamps of lot ${lot}`),
    );
    expect(page.links.filter((to) => to.startsWith(at(3, '?walk=2-3')))).toHaveLength(2);
  });

  test('says what was decided and is not yet carried out, with the way to take it back', async () => {
    const scheduled = {
      action: 'reject',
      decided_by: { key: 'ben', name: 'Ben' },
      due_at: '2026-12-01T12:00:20.000Z',
    } as const;
    const [first] = items('gate_a_b', 1);
    const page = await deskAt('/governance', {
      items: [itemOf(7, 'gate_a_b', { scheduled }), ...(first === undefined ? [] : [first])],
    });
    expect(page.text).toContain('rejected by Ben');
    expect(page.forms.map(({ action }) => action)).toContain(`${at(7)}/undo`);
    // What is decided is not the item that a curator begins with, and cannot be chosen again.
    expect(page.text).toContain('It waits, because');
    expect(page.source).not.toContain(`name="item.${idOf(7)}"`);
  });

  test('is small, however long its statements and their sources are', async () => {
    const long = (item: Item): Item => ({
      ...item,
      knowledge: { ...item.knowledge, statement: 'w&'.repeat(LONGEST_STATEMENT / 2) },
    });
    const page = await deskAt('/governance', {
      items: items('gate_a_b', 26).map(long),
      review: { sources: [1, 2, 3, 4, 5, 6, 7].map((n) => sourceOf(n, 'word '.repeat(96))) },
    });
    expect(page.text).toContain('2 more sources say the same.');
    expect(Buffer.byteLength(page.source)).toBeLessThan(MOST_BYTES);
  });
});

describe('the item', () => {
  test.each(ITEM_KINDS)('of %s says on each button who reads the statement then', async (kind) => {
    const page = await deskAt(at(1), { items: items(kind, 2) });
    const decisions = page.forms.filter(({ action }) => /\/(?:approve|reject)/.test(action));
    expect(decisions).toHaveLength(2);
    for (const { button } of decisions)
      expect(button).toMatch(/: (?:then|still) read by .*Ada|everyone/);
  });

  test('shows who said it when, passed on by whom, with two turns before and after', async () => {
    const { text } = await deskAt(at(1), { items: items('gate_a_b', 1) });
    expect(text).toMatch(
      /Cora, .* What do you collect\? Cora, .* Or did you, once\? Ada .* passed on by Helper I collect stamps\. Cora, .* How many\? .* Show me\./,
    );
  });

  test('of a document names it and its version', async () => {
    const source = {
      ...sourceOf(1, 'Stamps: 41'),
      relay: null,
      session_id: null,
      document: { id: idOf(40), title: 'Inventory', version: 3 },
    };
    const { text } = await deskAt(at(1), {
      items: items('gate_a_b', 1),
      review: { sources: [source] },
    });
    expect(text).toContain('in the document Inventory, version 3');
  });

  test('shows two that contradict each other side by side, each with what was said', async () => {
    const other = {
      ...itemOf(1, 'conflict').knowledge,
      statement: 'Ada sold her stamps.',
      sources: [sourceOf(2, 'I sold them.')],
    };
    const { text } = await deskAt(at(1), {
      items: items('conflict', 1),
      review: { conflicts: [other] },
    });
    expect(text).toMatch(
      /This one Ada owns 1 .*I collect stamps\..*The other one Ada sold .*I sold them\./,
    );
  });

  test('says that the other statement of a contradiction is not for the curator, where it is not', async () => {
    const { text } = await deskAt(at(1), { items: items('conflict', 1) });
    expect(text).toContain('You may not read the statement that it contradicts');
  });

  test('about how private a statement is asks that, and not which of two is true', async () => {
    const stricter = { proposed_sensitivity: 'personal', conflict_knowledge_id: null } as const;
    const { forms, text } = await deskAt(at(1), { items: items('conflict', 1, stricter) });
    expect(text).toContain('Is it more private than it was thought to be?');
    const labels = forms.map(({ button }) => button.split(': ')[0]);
    expect(labels).toEqual(expect.arrayContaining(['It is more private', 'Leave it as it is']));
    expect(text).not.toContain('This one is wrong');
  });

  test('of a contest shows what the person wrote, and begins its rewording with that', async () => {
    const words = {
      reason: 'That was my sister.',
      correction: 'Eva owns a stamp.',
      by: { key: 'ada', name: 'Ada' },
      said_at: '2026-12-01T11:00:00.000Z',
    };
    const page = await deskAt(at(1), { items: items('contest', 1), review: { words } });
    expect(page.text).toMatch(/Ada .* That was my sister\. It should say: Eva owns a stamp\./);
    const edit = page.forms.find(({ action }) => action.startsWith(`${at(1)}/edit`));
    expect(edit?.fields['statement']).toContain('Eva owns a stamp.');
  });

  test('names who decided before', async () => {
    const decision = {
      record_version: 'f4-1',
      gate: 'gate_a_b',
      decision: 'approve',
      reason: 'curator_approved',
      channel: 'api',
      from_state: 'held',
      to_state: 'active',
      from_level: 'peer',
      to_level: 'peer',
      decided_at: '2026-11-01T10:00:00.000Z',
      by: { key: 'ben', name: 'Ben' },
    } as const;
    const { text } = await deskAt(at(1), {
      items: items('revalidation', 1),
      review: { decisions: [decision] },
    });
    expect(text).toMatch(/Decided before Approved, .* by Ben/);
  });

  test('says why a decision about it was not carried out', async () => {
    const voided = {
      action: 'approve',
      decided_by: { key: 'ben', name: 'Ben' },
      reason: 'role_lost',
      at: '2026-12-01T11:00:00.000Z',
    } as const;
    const { text } = await deskAt(at(1), { items: items('gate_a_b', 1, { voided }) });
    expect(text).toContain('Ben decided to approve it. This was not carried out, because');
  });

  test('has codes of levels and sensitivities under its technical identity alone', async () => {
    const { source } = await deskAt(at(1), { items: items('gate_a_b', 1) });
    const [before = '', within = ''] = source.split('Technical identity');
    expect(within).toContain('The one person it is about');
    // The choice of a rewording is no answer to who reads it.
    expect(before.replaceAll(/<select[^]*?<\/select>/g, '')).not.toMatch(/Internal|The one person/);
  });
});

describe('the walk', () => {
  test('goes on from item to item, over the end of a page, and says where it is', async () => {
    const door = { items: items('gate_a_b', 30), count: 278 };
    const first = await deskAt('/governance', door);
    expect(first.text).toContain('1 of 278');
    const approve = first.forms.find(({ action }) => action.startsWith(`${at(1)}/approve`));
    expect(approve?.action).toBe(`${at(1)}/approve?walk=2-278&onto=${idOf(2)}`);
    const last = await deskAt(at(25, '?walk=25-278'), door);
    expect(last.text).toContain('25 of 278');
    const next = new URLSearchParams({ cursor: idOf(25), before: '25', walk: '26-278' });
    const to = last.links.find((link) => link.startsWith(`${at(26)}?`)) ?? '';
    expect(new Set(new URLSearchParams(to.split('?')[1]))).toEqual(new Set(next));
    const further = await deskAt(to, door);
    expect(further.text).toContain('26 of 278');
    expect(further.text).toContain('stamps of lot 30.');
  });

  test('leads from the last item back to its own list, from the beginning', async () => {
    const door = { items: [itemOf(9, 'contest'), ...items('gate_a_b', 2)] };
    const page = await deskAt(at(2, `?cursor=${idOf(1)}&before=1`), door);
    const reject = page.forms.find(({ action }) => action.startsWith(`${at(2)}/reject`));
    expect(reject?.action).toBe(`${at(2)}/reject?walk=2-2&kind=gate_a_b`);
  });

  test('names above the next item what was decided, with a link, and takes it back with one button', async () => {
    const due_at = '2026-12-01T12:00:25.000Z';
    const scheduled = {
      action: 'approve',
      decided_by: { key: 'cora', name: 'Cora' },
      due_at,
    } as const;
    const page = await deskAt(at(2, `?did=approve&item=${idOf(1)}&walk=2-2`), {
      items: [itemOf(1, 'gate_a_b', { scheduled }), itemOf(2, 'gate_a_b')],
    });
    expect(page.text).toMatch(
      /You approved: Ada owns 1 stamps of lot 1\. It is carried out in 25 seconds, unless you take it back\. Undo 2 of 2/,
    );
    expect(page.links.filter((to) => to.startsWith(at(1, '?walk=1-2')))).not.toEqual([]);
    expect(page.source).toMatch(/data-key="z"/);
  });

  test('says of an undo that came too late that it is over', async () => {
    const problem = { code: 'conflict', fields: [], retryAfterSeconds: null } as const;
    const page = await deskAt(`${at(1)}/undo`, { items: items('gate_a_b', 1) }, { problem });
    expect(page.text).toContain('The time in which the decision could be taken back is over.');
  });

  test('shows no more than the words of its own lists for a made-up address', async () => {
    const page = await deskAt(`/governance?did=<b>&item=x&walk=nonsense&before=-1&done=toString`, {
      items: items('gate_a_b', 1),
    });
    expect(page.text).not.toContain('You ');
    expect(page.text).toContain('1 of 1');
  });
});

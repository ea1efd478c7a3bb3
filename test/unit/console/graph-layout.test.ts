/** The picture of a scope: where things stand, and that the same rows give the same picture. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { html } from '../../../console/design/markup.ts';
import { MOST_PICTURE_BYTES, Pictures } from '../../../console/pages/graph/cache.ts';
import { draw, type Graph } from '../../../console/pages/graph/draw.ts';
import {
  CENTRE,
  halfWidth,
  HEIGHT,
  HUB_RADIUS,
  layoutOf,
  spread,
  STATEMENT_RADIUS,
  WIDTH,
  type LayoutInput,
  type Placed,
} from '../../../console/pages/graph/layout.ts';
import { tieWords } from '../../../console/pages/graph/table.ts';
import { sized } from '../../support/run.ts';

const MOST_STATEMENTS = 150;
const MOST_HUBS = 12;

const anyInput: fc.Arbitrary<LayoutInput> = fc
  .integer({ min: 0, max: MOST_STATEMENTS })
  .chain((count) => {
    const statements = Array.from({ length: count }, (_, n) => `s${n}`);
    const hub = fc.uniqueArray(fc.nat(Math.max(0, count - 1)), { minLength: 1, maxLength: 60 });
    return fc.record({
      statements: fc.constant(statements),
      hubs: fc
        .array(hub, { maxLength: count === 0 ? 0 : MOST_HUBS })
        .map((all) => all.map((ids) => ids.map((n) => `s${n}`))),
    });
  });

const distance = (a: Placed, b: Placed): number => Math.hypot(a.x - b.x, a.y - b.y);

/** How far out a place is, as the half height of the ring that it stands on. */
const ringOf = ({ x, y }: Placed): number =>
  Math.hypot((x - CENTRE.x) / (halfWidth(100) / 100), y - CENTRE.y);

function nearest(places: readonly Placed[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [at, one] of places.entries()) {
    for (const other of places.slice(at + 1)) least = Math.min(least, distance(one, other));
  }
  return least;
}

describe('the places of a picture', () => {
  test('are the same for the same input', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        expect(layoutOf(structuredClone(input))).toEqual(layoutOf(input));
      }),
      { numRuns: sized({ short: 20, long: 50 }) },
    );
  });

  test('are one for each statement and each name, inside of the view box', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { hubs, statements } = layoutOf(input);
        expect([...statements.keys()].toSorted()).toEqual([...input.statements].toSorted());
        expect(hubs).toHaveLength(input.hubs.length);
        const inside = ({ x, y }: Placed, radius: number) =>
          x >= radius && x <= WIDTH - radius && y >= radius && y <= HEIGHT - radius;
        expect([...statements.values()].every((place) => inside(place, STATEMENT_RADIUS))).toBe(
          true,
        );
        expect(hubs.every((place) => inside(place, HUB_RADIUS))).toBe(true);
      }),
      { numRuns: sized({ short: 25, long: 100 }) },
    );
  });

  test('lie on the rings that are drawn, and nothing touches anything', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { hubs, rings, statements } = layoutOf(input);
        const all = [...statements.values()];
        for (const place of [...all, ...hubs]) {
          expect(rings.some((ring) => Math.abs(ring - ringOf(place)) < 0.2)).toBe(true);
        }
        expect(nearest(all)).toBeGreaterThan(2 * STATEMENT_RADIUS);
        expect(nearest(hubs)).toBeGreaterThan(2 * HUB_RADIUS);
        expect(nearest([...hubs, CENTRE])).toBeGreaterThan(2 * HUB_RADIUS);
        const between = hubs.flatMap((hub) => all.map((place) => distance(hub, place)));
        expect(Math.min(...between, 1_000)).toBeGreaterThan(STATEMENT_RADIUS + HUB_RADIUS);
      }),
      { numRuns: sized({ short: 25, long: 100 }) },
    );
  });

  test('put the best statements nearest to the middle, and those of a name beside each other', () => {
    const statements = Array.from({ length: 100 }, (_, n) => `s${n}`);
    const { statements: places } = layoutOf({
      statements,
      hubs: [
        ['s0', 's2', 's4', 's6'],
        ['s1', 's3'],
      ],
    });
    const rings = statements.map((id) => ringOf(places.get(id) ?? CENTRE));
    expect(rings.every((ring, at) => at === 0 || ring >= (rings[at - 1] ?? 0) - 0.2)).toBe(true);
    const place = (id: string): Placed => places.get(id) ?? CENTRE;
    expect(distance(place('s0'), place('s2'))).toBeLessThan(distance(place('s0'), place('s7')));
  });

  test('of names keep their distance all around', () => {
    const angles = fc.array(fc.double({ min: 0, max: 6.28, noNaN: true }), {
      minLength: 1,
      maxLength: MOST_HUBS,
    });
    fc.assert(
      fc.property(angles, (ideal) => {
        const least = (2 * Math.PI) / MOST_HUBS;
        const placed = spread(ideal, least).toSorted((a, b) => a - b);
        placed.push((placed[0] ?? 0) + 2 * Math.PI);
        const gaps = placed.slice(1).map((angle, at) => angle - (placed[at] ?? 0));
        expect(Math.min(...gaps)).toBeGreaterThan(least - 1e-9);
      }),
    );
  });
});

const GRAPH: Graph = {
  scope_path: '/team/<b>',
  statements: ['one', 'two'].map((name, n) => ({
    id: `00000000-0000-7000-8000-00000000000${n}`,
    statement: `${name} <script>alert(1)</script>`,
    state: n === 0 ? 'active' : 'superseded',
    sensitivity: 'internal',
    confidence: 0.9,
    recorded_at: '2026-03-02T08:05:00.000Z',
    scope_path: '/team',
  })),
  more_statements: false,
  more_scopes: false,
  hubs: [{ name: '<i>Ana', statement_ids: ['00000000-0000-7000-8000-000000000000'] }],
  ties: [
    {
      kind: 'superseded_by',
      from: '00000000-0000-7000-8000-000000000001',
      to: '00000000-0000-7000-8000-000000000000',
    },
  ],
};

describe('a picture', () => {
  test('leads from each statement to its page, and holds texts as text', () => {
    const svg = draw(GRAPH).toString();
    for (const { id } of GRAPH.statements) expect(svg).toContain(`href="/console/knowledge/${id}"`);
    expect(svg).not.toMatch(/<script|<b>|<i>/);
    expect(svg.match(/<title>/g)).toHaveLength(4);
    expect(svg).toContain('class="superseded_by"');
  });

  test('is told in the table by the same numbers', () => {
    expect([...tieWords(GRAPH).values()]).toEqual(['replaced by 1', 'replaces 2']);
  });

  test('is kept for equal rows alone, and for a bounded number of them', () => {
    let drawn = 0;
    const pictures = new Pictures((graph: { readonly rows: readonly number[] }) => {
      drawn += 1;
      return html`<p>${graph.rows.join(' ')}</p>`;
    });
    expect(pictures.of({ rows: [1, 2] })).toBe(pictures.of({ rows: [1, 2] }));
    expect(drawn).toBe(1);
    expect(pictures.of({ rows: [1] }).toString()).toBe('<p>1</p>');
    for (let n = 10; n < 60; n += 1) pictures.of({ rows: [n] });
    pictures.of({ rows: [1, 2] });
    expect(drawn).toBe(53);
    pictures.of({ rows: [59] });
    expect(drawn).toBe(53);
  });

  test('is kept while all of them fit in bytes, whatever letters they are of', () => {
    const drawn: string[] = [];
    const pictures = new Pictures(({ name, letter }: { name: string; letter: string }) => {
      drawn.push(name);
      return html`<p>${letter.repeat(MOST_PICTURE_BYTES / 4)}</p>`;
    });
    const look = (name: string, letter: string) => pictures.of({ name, letter });
    for (const name of ['first', 'second', 'third']) look(name, 'a');
    look('first', 'a');
    // Three bytes a letter: it fills three quarters by itself.
    look('wide', '\u{20AC}');
    expect(drawn).toEqual(['first', 'second', 'third', 'wide']);
    look('wide', '\u{20AC}');
    look('first', 'a');
    look('second', 'a');
    expect(drawn).toEqual(['first', 'second', 'third', 'wide', 'first', 'second']);
  });

  test('is not kept when it is larger than all may be, and those that are kept make room', () => {
    let drawn = 0;
    const pictures = new Pictures(({ size }: { readonly size: number }) => {
      drawn += 1;
      return html`<p>${'a'.repeat(size)}</p>`;
    });
    pictures.of({ size: MOST_PICTURE_BYTES });
    expect(pictures.of({ size: MOST_PICTURE_BYTES }).toString()).toContain('aaa');
    expect(drawn).toBe(2);
    pictures.of({ size: 10 });
    pictures.of({ size: 10 });
    expect(drawn).toBe(3);
  });
});

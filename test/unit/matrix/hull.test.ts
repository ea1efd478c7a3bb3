/**
 * The filters of both indexes over every statement that can be: an index lets through all that the judge shows, and for today
 * nothing else. What it lets through beyond that, for the past, the SQL form takes out.
 */
import { expect, test } from '@jest/globals';
import { instantOrNever } from '../../../domain/retrieval/statement-search.ts';
import { renderCondition as expressionOf } from '../../../stores/meilisearch/filter.ts';
import { renderCondition as filterOf } from '../../../stores/qdrant/filter.ts';
import { pairsOf } from '../../contract/matrix/cover.ts';
import {
  conditionsOf,
  statementsFor,
  type JudgedView,
} from '../../contract/matrix/statements/check.ts';
import { READERS, type ReaderKind } from '../../contract/matrix/statements/judge.ts';
import type { Cell } from '../../contract/matrix/table.ts';
import { sized } from '../../support/run.ts';
import { listedAudience } from '../../../domain/retrieval/listed.ts';
import type { Row, Values } from '../governance/governed-rows.ts';
import { passes } from '../retrieval/point-conditions.ts';
import { parsed } from './expression.ts';

const CELLS = 56_376;
/** Every statement in the long run; every fifth in the short one, which meets every two values of two lists. */
const STRIDE = sized({ short: 5, long: 1 });
/** Readers, and what is believed or listed. */
const COMPARED = 3 * 13 * Math.ceil(CELLS / STRIDE);

function fieldsOf(row: Row) {
  const now = row.periods.at(-1);
  if (now === undefined) throw new Error('a statement without a period');
  const ever = (field: keyof Values) => row.periods.map((period) => period[field]);
  return {
    account: 'home',
    now_scope: now.scope_id,
    now_state: now.state,
    now_sensitivity: now.sensitivity,
    now_level: now.target_level,
    ever_scope: ever('scope_id'),
    ever_state: ever('state'),
    ever_sensitivity: ever('sensitivity'),
    ever_level: ever('target_level'),
    submitters: row.submitting_peer_ids,
    audience: row.audience === null ? undefined : listedAudience(row.audience),
    expires_at: instantOrNever(row.expires_at),
  };
}

/** What holds left something of: the rest is in no index. */
const inIndexes = (kind: ReaderKind) =>
  statementsFor(kind).filter(({ cell }) => cell.served === 'yes');

function compared(kind: ReaderKind) {
  return inIndexes(kind).filter((_, nth) => nth % STRIDE === 0);
}

/** A statement as both indexes hold it. */
const HELD = compared('peer').map(({ cell, row }) => {
  const fields = fieldsOf(row);
  const subject = row.subject_peer_id;
  return {
    cell,
    point: { ...fields, subject_peer: subject ?? undefined },
    record: { ...fields, subject_peer: subject },
  };
});

/** What of the view an index would answer otherwise than the judge. */
function faultsOf(
  { condition, isShown, name }: JudgedView,
  aspects: readonly Cell[],
  isPast: boolean,
): string[] {
  const filter = filterOf(condition, isPast);
  const inMeilisearch = parsed(expressionOf(condition, isPast));
  const faults: string[] = [];
  for (const [nth, { cell, point, record }] of HELD.entries()) {
    const expected = isShown(aspects[nth] ?? {});
    const inQdrant = passes(filter, point);
    const isSame = inQdrant === expected && inMeilisearch(record) === expected;
    const isHull = inQdrant && inMeilisearch(record);
    if (isSame || (isPast && (isHull || !expected))) continue;
    faults.push(`${name}: ${Object.values(cell).join(', ')}`);
  }
  return faults;
}

test('what is compared meets every two values that can meet', () => {
  const pairs = (some: readonly Pick<(typeof HELD)[number], 'cell'>[]) =>
    new Set(some.flatMap(({ cell }) => pairsOf({ ...cell })));
  expect(pairs(HELD)).toEqual(pairs(inIndexes('peer')));
});

test.each([
  ['exactly what the judge shows of today', false],
  ['at least what the judge shows, of any time', true],
])('both indexes let through %s', (_, isPast) => {
  let seen = 0;
  for (const kind of READERS) {
    const aspects = compared(kind).map((each) => each.aspects);
    for (const view of conditionsOf(kind)) {
      expect(faultsOf(view, aspects, isPast).slice(0, 3)).toEqual([]);
      seen += HELD.length;
    }
  }
  expect(seen).toBe(COMPARED);
});

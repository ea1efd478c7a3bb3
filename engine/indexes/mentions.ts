/** Keeps the names that statements mention at what their texts say, for the statements whose words are counted. */
import { countsForRanking } from '../../domain/governance/counted.ts';
import {
  mentionsOf,
  readNames,
  type Mention,
  type NamedPeer,
  type NamedText,
} from '../../domain/entities/mentions.ts';
import type { MentionChanges } from '../../stores/postgres/entities/mentions.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { createPauses } from '../slices.ts';
import type { Batch } from './batch.ts';

interface ReadStatement {
  readonly id: string;
  readonly scopeId: string;
  readonly isPublic: boolean;
  readonly text: NamedText;
}

/** The counted statements of a batch, read for names. */
export type BatchNames = ReadonlyMap<string, ReadStatement>;

/** Reads the texts, before any transaction. */
export async function readBatchNames({ statements }: Batch): Promise<BatchNames> {
  const read = new Map<string, ReadStatement>();
  const pause = createPauses();
  for (const { unit } of statements) {
    if (!countsForRanking(unit)) continue;
    const { id, scope_id: scopeId, sensitivity, statement } = unit;
    read.set(id, { id, scopeId, isPublic: sensitivity === 'public', text: readNames(statement) });
    await pause();
  }
  return read;
}

const isOfSubject = (mention: Mention): boolean => mention.isOfSubject;

/** Where a name is known: by all counted statements of a scope, or by its public ones alone. */
const placeOf = ({ isPublic, scopeId }: Pick<ReadStatement, 'isPublic' | 'scopeId'>): string =>
  `${scopeId} ${isPublic ? 'public' : 'shared'}`;

/** The names of people that other statements of each place are about: those in Postgres, and those of this batch. */
async function knownNames(
  stores: Stores,
  counted: readonly ReadStatement[],
  subjects: ReadonlyMap<string, NamedPeer>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const names = new Map<string, Set<string>>();
  const add = (place: string, alias: string): void => {
    names.set(place, (names.get(place) ?? new Set()).add(alias));
  };
  const asked = counted.flatMap(({ isPublic, scopeId, text }) =>
    text.compared.map((alias) => ({ scopeId, alias, isPublic })),
  );
  for (const name of await stores.mentions.namesOfSubjects(asked)) add(placeOf(name), name.alias);
  for (const { id, isPublic, scopeId, text } of counted) {
    for (const { alias } of mentionsOf(text, subjects.get(id) ?? null).filter(isOfSubject)) {
      add(placeOf({ scopeId, isPublic: false }), alias);
      if (isPublic) add(placeOf({ scopeId, isPublic }), alias);
    }
  }
  return names;
}

/**
 * What the units of a part mention; units that are not counted lose their mentions. To be asked before their words are
 * counted, which locks much, and to be written (`MentionsStore.rewrite`) afterwards. Two queries.
 */
export async function mentionsOfPart(
  stores: Stores,
  batch: Batch,
  unitIds: ReadonlySet<string>,
  names: BatchNames,
): Promise<MentionChanges> {
  const read = [...names.values()].filter(({ id }) => unitIds.has(id));
  const gone = [...batch.gone.statement, ...batch.statements.map(({ unit }) => unit.id)].filter(
    (id) => unitIds.has(id) && !names.has(id),
  );
  if (read.length === 0) return { gone, counted: [] };
  const subjects = await stores.mentions.subjects(read.map(({ id }) => id));
  const known = await knownNames(stores, read, subjects);
  const counted = read.map(({ id, isPublic, scopeId, text }) => {
    const mentions = mentionsOf(
      text,
      subjects.get(id) ?? null,
      known.get(placeOf({ isPublic, scopeId })),
    );
    return { statementId: id, scopeId, isPublic, mentions };
  });
  return { gone, counted };
}

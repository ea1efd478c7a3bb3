/** Faults of audiences: each takes one rule out. */
import type { Fault } from '../fault.ts';

const CONTRACT = 'test/contract/audiences.test.ts';
const LAWS = 'test/unit/knowledge/audiences.test.ts';
const PREDICATE = 'test/unit/matrix/predicate.test.ts';

export const OF_AUDIENCES: readonly Fault[] = [
  {
    part: 'audience of statements',
    what: 'Whoever reads the scope reads a shared statement that is for some.',
    file: 'domain/governance/visibility.ts',
    find: `              },
              admits(reader),
            ],`,
    replace: `              },
            ],`,
    caughtBy: [PREDICATE, CONTRACT],
  },
  {
    part: 'audience for nobody in particular',
    what: 'Whoever reads for nobody reads a public statement that is for some.',
    file: 'domain/governance/visibility.ts',
    find: "return { all: [{ field: 'sensitivity', in: ['public'] }, WITHOUT_AUDIENCE] };",
    replace: "return { field: 'sensitivity', in: ['public'] };",
    caughtBy: [PREDICATE],
  },
  {
    part: 'audience and curators',
    what: 'A curator lists what waits, whomever it is for.',
    file: 'domain/governance/visibility.ts',
    find: `in: ['public', 'internal', 'personal'] },
      admits(reader),`,
    replace: `in: ['public', 'internal', 'personal'] },
      { any: [admits(reader), EVERYTHING] },`,
    caughtBy: [PREDICATE],
  },
  {
    part: 'audience and the probe',
    what: 'An empty search tells that there is something for others.',
    file: 'domain/governance/visibility.ts',
    find: `      { field: 'sensitivity', in: ['public', 'internal'] },
      WITHOUT_AUDIENCE,`,
    replace: `      { field: 'sensitivity', in: ['public', 'internal'] },
      EVERYTHING,`,
    caughtBy: [PREDICATE],
  },
  {
    part: 'audience in SQL',
    what: 'The SQL form of the predicate lets everybody of an audience in, whoever belongs to it.',
    file: 'stores/postgres/visibility/statements.ts',
    find: ': sql.fragment`(${id} is null or is_addressed(${accountId}, ${id}, ${reader.peerId}::uuid))`,',
    replace:
      ': sql.fragment`(${id} is null or ${accountId} is not null or ${reader.peerId}::uuid is null)`,',
    caughtBy: [CONTRACT, 'test/integration/matrix/statements.test.ts'],
  },
  {
    part: 'audience of messages',
    what: 'Whoever takes part in a session reads what was said in it to some.',
    file: 'stores/postgres/visibility/messages.ts',
    find: "and (${of('audience_id')} is null or is_addressed(${of('account_id')}, ${of('audience_id')}, ${peerId}))))`;",
    replace: '))`;',
    caughtBy: [CONTRACT],
  },
  {
    part: 'audience in the indexes',
    what: 'The filter of Qdrant lets statements through whatever their audience: they take places of others.',
    file: 'stores/qdrant/filter.ts',
    find: ": anyOf([isWithout, matchesAny('audience', principalsOf(condition.admits))]);",
    replace:
      ': anyOf([isWithout, { must: [] }, ...principalsOf(condition.admits).map(() => isWithout)]);',
    caughtBy: ['test/unit/matrix/hull.test.ts'],
  },
  {
    part: 'rows of two audiences',
    what: 'The same words to all and to some are one statement.',
    file: 'domain/knowledge/draft-statements.ts',
    find: '`${textKey(hash, said)}|${windowKey(said.wording)}|${audienceKey(said)}`;',
    replace:
      '`${textKey(hash, said)}|${windowKey(said.wording)}|${audienceKey({ ...said, audience: null })}`;',
    caughtBy: [LAWS, CONTRACT],
  },
  {
    part: 'updates across audiences',
    what: 'What is said to some ends what was said to all.',
    file: 'domain/knowledge/updating.ts',
    find: 'const known = group.filter((each) => containsAudience(each.audience, audience));',
    replace:
      'const known = group.filter((each) => containsAudience(each.audience, each.audience));',
    caughtBy: [LAWS, CONTRACT],
  },
  {
    part: 'conflicts across audiences',
    what: 'A curator is asked about a statement that contradicts one that is for fewer.',
    file: 'domain/knowledge/updates.ts',
    find: "return isSameAudience(a.audience, b.audience) ? 'conflict' : 'none';",
    replace: "return 'conflict';",
    caughtBy: [LAWS],
  },
  {
    part: 'refusals across audiences',
    what: 'What was refused to some is refused to all, who learn of it.',
    file: 'domain/knowledge/draft-statements.ts',
    find: 'containsAudience(refused.audience, audience);',
    replace: 'containsAudience(refused.audience, refused.audience) || audience === null;',
    caughtBy: [LAWS],
  },
  {
    part: 'promotion of an audience',
    what: 'A statement that was shared more widely keeps its audience.',
    file: 'domain/knowledge/ruling.ts',
    find: "const audience = targetLevel === 'peer' ? statement.audience : null;",
    replace: 'const { audience } = statement;',
    caughtBy: [CONTRACT],
  },
  {
    part: 'level of what is for some',
    what: 'The gates place what is for some in the scope, as an extractor proposes.',
    file: 'engine/extraction/proposals.ts',
    find: "sensitivity === 'restricted' || audience !== null ? 'peer' : candidate.targetLevel,",
    replace: "sensitivity === 'restricted' ? 'peer' : candidate.targetLevel,",
    caughtBy: ['test/integration/governance/random-histories.test.ts'],
  },
  {
    part: 'calls across audiences',
    what: 'Messages for different people are shown to a model together.',
    file: 'engine/extraction/calls.ts',
    find: "place: `${place(anchor.message)}/${anchor.message.audience?.id ?? ''}`,",
    replace: 'place: place(anchor.message),',
    caughtBy: ['test/unit/extraction-batching/chunks.test.ts'],
  },
  {
    part: 'words across audiences',
    what: 'What was said to some lends its words to what stands beside it.',
    file: 'stores/postgres/indexes/neighbours.store.ts',
    find: 'where n.audience_id is not distinct from m.audience_id',
    replace: 'where n.audience_id is null or n.audience_id is not null',
    caughtBy: ['test/integration/index/neighbours.test.ts'],
  },
  {
    part: 'frequencies of what is for some',
    what: 'Words of what is for some count in the frequencies of all.',
    file: 'domain/governance/counted.ts',
    find: 'statement.audience === null &&',
    replace: '(statement.audience === null || statement.audience.length > 0) &&',
    caughtBy: ['test/unit/ranking/counted.test.ts'],
  },
  {
    part: 'circles of hidden scopes',
    what: 'A circle of a scope that the sender may not read is found by its name.',
    file: 'operations/audiences/find.ts',
    find: 'naming.flatMap(({ scope_path: path }) => readableChain(caller, path))',
    replace:
      'naming.flatMap(({ scope_path: path }) => readableChain(caller, path).length > 0 ? scopeChain(path) : [])',
    caughtBy: [CONTRACT],
  },
  {
    part: 'queue of others',
    what: 'The queue shows curators what is for others.',
    file: 'domain/governance/visibility.ts',
    find: `  if (peerId === null) return WITHOUT_AUDIENCE;
  return {`,
    replace: `  if (peerId !== null) return EVERYTHING;
  return {`,
    caughtBy: [CONTRACT],
  },
  {
    part: 'audience of the erased',
    what: 'An erased person stays in the audiences that named her.',
    file: 'stores/postgres/erasure/simple-steps.ts',
    find: 'if (await leaveAudiences(tx, page)) return { ...NOTHING_LEFT, more: true };',
    replace: 'if (page.limit < 0) await leaveAudiences(tx, page);',
    caughtBy: ['test/integration/erasure/identity.test.ts'],
  },
];

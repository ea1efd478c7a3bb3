/** Reads an answer and says what in it the reader must not have been shown. */
import type { HttpAnswer } from '../../support/http.ts';
import { dataOf, rowsOf, type Body, type Service } from '../../support/service.ts';
import { foreignIds, wrongMessages, wrongStatements, type Question, type Shown } from './oracle.ts';
import { chainOf, mayNameAt, PEOPLE } from './people.ts';
import type { Asked } from './requests.ts';
import { markOf, type SeededAccount } from './seed.ts';

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const MARKS = /zonk\d+q/g;

const listOf = (value: unknown): readonly Body[] =>
  Array.isArray(value) ? value.map((one): Body => Object(one)) : [];
const idsOf = (rows: readonly Body[], type?: string): string[] =>
  rows.filter((row) => type === undefined || row['type'] === type).map(({ id }) => String(id));

interface Named {
  readonly statements: readonly string[];
  readonly shown: Shown;
  readonly messages: readonly string[];
  /** Of these the scope has to be in the chain as well. */
  readonly chainMessages: readonly string[];
  readonly paths: readonly string[];
}

const sourcesOf = (rows: readonly Body[]): string[] =>
  rows.flatMap(({ source_message_ids: ids }) => (Array.isArray(ids) ? ids.map(String) : []));
const pathsOf = (rows: readonly Body[]): string[] => rows.map((row) => String(row['scope_path']));

function namedIn({ asOf, state, what }: Asked, answer: HttpAnswer): Named[] {
  const nothing = { statements: [], messages: [], chainMessages: [], paths: [] };
  const profileOf = (profile: Body): Named => {
    const items = listOf(profile['items']);
    const references = items.flatMap(({ lineage }) => listOf(Object(lineage).source_references));
    return {
      ...nothing,
      statements: items.map((item) => String(item['knowledge_id'])),
      shown: { as: 'believed', asOf: null },
      messages: idsOf(references),
    };
  };
  if (what === 'knowledge') {
    const rows = rowsOf(answer);
    const shown: Shown = { as: 'listed', state };
    const named = {
      statements: idsOf(rows),
      shown,
      messages: sourcesOf(rows),
      paths: pathsOf(rows),
    };
    return [{ ...nothing, ...named }];
  }
  const data = dataOf(answer);
  if (what === 'stable-profile') return [profileOf(data)];
  if (what === 'lineage') {
    const nodes = listOf(data['nodes']);
    const references = nodes.flatMap((node) => listOf(node['source_references']));
    const all = [...nodes, ...references].filter(({ id }) => id !== undefined);
    const statements = idsOf(all, 'knowledge');
    return [
      { ...nothing, statements, shown: { as: 'source' }, chainMessages: idsOf(all, 'message') },
    ];
  }
  if (what === 'source-search') {
    const rows = listOf(data['results']);
    const messages = rows.map((row) => String(row['message_id']));
    const found = { chainMessages: messages, paths: pathsOf(rows) };
    return [{ ...nothing, ...found, shown: { as: 'source' } }];
  }
  const rows = listOf(data['candidates']);
  const shown: Shown = { as: 'believed', asOf };
  const found = { statements: idsOf(rows), shown, messages: sourcesOf(rows), paths: pathsOf(rows) };
  const recalled = listOf(data['recall_evidence']);
  const evidence = recalled.filter(({ type }) => type === 'knowledge');
  const recall = {
    statements: idsOf(evidence),
    messages: sourcesOf(evidence),
    chainMessages: idsOf(recalled, 'source_message'),
    paths: pathsOf(recalled),
  };
  return [
    { ...nothing, ...found },
    { ...nothing, ...recall, shown },
    profileOf(Object(data['identity_profile'])),
  ];
}

/** Statuses that the request may be answered with. */
function isRightStatus(
  { named, path, person, what }: Asked,
  account: SeededAccount,
  status: number,
) {
  const who = PEOPLE[person];
  const names = named !== null && named !== who.peer;
  if (names && !mayNameAt(who, path)) return status === 403;
  if (names && !account.peerIds.has(named)) return status === 422;
  return status === 200 || (status === 404 && what === 'lineage');
}

export interface Judged {
  readonly faults: readonly string[];
  /** How many statements and messages the answer named. */
  readonly named: number;
}

export async function judge(
  service: Service,
  account: SeededAccount,
  asked: Asked,
  answer: HttpAnswer,
  time: Pick<Question, 'from' | 'until'>,
): Promise<Judged> {
  const { named, path, person } = asked;
  if (!isRightStatus(asked, account, answer.status)) {
    return { faults: [`answered ${answer.status} ${answer.text.slice(0, 200)}`], named: 0 };
  }
  if (answer.status !== 200) return { faults: [], named: 0 };
  const who = PEOPLE[person];
  const otherwise = who.kind === 'machine' ? (named ?? who.peer) : who.peer;
  const question = { account, chain: chainOf(who, path, named), otherwise, ...time };
  // The echo of the query is the caller's own text.
  const text = answer.text.replace(/"query":"(?:[^"\\]|\\.)*"/, '');
  const faults = [...(await foreignIds(service, question, text.match(UUIDS) ?? []))];
  const marks = new Set(text.match(MARKS) ?? []);
  marks.delete(markOf(account.number));
  faults.push(...[...marks].map((mark) => `words of ${mark}`));
  const inChain = new Set(question.chain.map((scope) => scope.path));
  let count = 0;
  for (const part of namedIn(asked, answer)) {
    count += part.statements.length + part.messages.length + part.chainMessages.length;
    faults.push(
      ...(await wrongStatements(service, question, part.statements, part.shown)),
      ...(await wrongMessages(service, question, part.messages, { within: 'account' })),
      ...(await wrongMessages(service, question, part.chainMessages, { within: 'chain' })),
      ...part.paths.filter((one) => !inChain.has(one)).map((one) => `scope ${one}`),
    );
  }
  return { faults, named: count };
}

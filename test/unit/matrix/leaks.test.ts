/** What reads every answer of the matrix finds what must not be there, and nothing that the request said itself. */
import { expect, test } from '@jest/globals';
import { Leaks } from '../../contract/matrix/leaks.ts';
import { STATEMENTS } from '../../contract/matrix/plan.ts';
import type { HttpAnswer } from '../../support/http.ts';

const SENT = { path: '/api/v1/search', json: { scope_path: '/m/own', query: 'anything' } };
const held = STATEMENTS.find(
  ({ before, message, now }) =>
    before === null && now.state === 'held' && message.relay === 'relay',
);

const answered = (text: string, status = 200): HttpAnswer => ({
  status,
  text,
  headers: {},
  bytes: Buffer.from(text),
  json: () => JSON.parse(text),
});
const faultsOf = (text: string, identity = 'a machine without a peer', sent = SENT, status = 200) =>
  new Leaks([]).faultsOf('here', { identity }, sent, answered(text, status));

test('a statement, its words and its message are found in what a stranger is told, and not in what its relay is', () => {
  const { id = '', message, text = '' } = held ?? {};
  const told = JSON.stringify({ id, text, source: message?.id });
  expect(faultsOf(told)).toEqual([
    `names statement ${id}`,
    `names message ${message?.id}`,
    `says "${text}"`,
  ]);
  expect(faultsOf(told, 'an agent')).toEqual([]);
  expect(faultsOf(told, "another account's administrator")).toHaveLength(3);
});

test('a scope that is denied and a word of another account are found wherever they stand', () => {
  expect(faultsOf('{"scope_path":"/m/denied"}', 'a denied member')).toEqual([
    'names scope /m/denied',
  ]);
  expect(faultsOf('{"scope_path":"/m/denied"}', 'a member')).toEqual([]);
  expect(faultsOf('{"name":"Zonkville"}')).toEqual(['says words of another account']);
});

test('what the request said itself is not held against the answer, and an id told to nobody is', () => {
  const sent = { path: '/api/v1/search', json: { scope_path: '/m/denied', query: 'zonk' } };
  const echo = '{"scope_path":"/m/denied","query":"zonk"}';
  expect(faultsOf(echo, 'a denied member', sent)).toEqual([]);
  const id = '01a21fc3-eec5-7323-9d68-5946cfbea003';
  expect(faultsOf(`{"id":"${id}"}`, 'no credential', SENT, 401)).toEqual([
    'names something to nobody',
  ]);
});

/** Log lines are written with literal events and known fields; anything else would be withheld as it is written. */
import { expect, test } from '@jest/globals';
import { LOG_FIELDS } from '../../engine/logging/log-fields.ts';
import { readFiles, SOURCE_FOLDERS, type SourceFile } from './source-tree.ts';

const CALL = /\b(?:log|report)(?:\?\.|\.)?(?:info|warn|error)?\(\s*(?<first>[^,)]*)(?<rest>[^;]*)/g;
const EVENT = /^'[a-z]+(?:_[a-z]+)*(?:\.[a-z]+(?:_[a-z]+)*){1,2}'$/;
const KEY = /[{,]\s*(?<name>[A-Za-z_]\w*)\s*(?=[:,}])/g;
/** Those that hand on what others wrote; the log itself checks it. */
const FORWARDS = [
  'engine/logging/logger.ts',
  'runtime/temporal/sdk-logger.ts',
  'runtime/container/retrieval.ts',
  'runtime/container/extraction.ts',
];

interface LogCall {
  readonly at: string;
  readonly event: string;
  readonly fields: readonly string[];
}

function fieldsIn(rest: string): string[] {
  const object = /^,\s*(\{[\s\S]*?\})\s*,?\s*\)/.exec(rest)?.[1] ?? '';
  return [...object.matchAll(KEY)].map((match) => match.groups?.['name'] ?? '');
}

function logCalls({ path, text }: SourceFile): LogCall[] {
  return [...text.matchAll(CALL)]
    .map(({ groups, index }) => ({
      at: `${path}:${text.slice(0, index).split('\n').length}`,
      event: (groups?.['first'] ?? '').trim(),
      fields: fieldsIn(groups?.['rest'] ?? ''),
    }))
    .filter(({ event }) => event.includes('.') && event.startsWith("'"));
}

function eventsThatAreNone({ path, text }: SourceFile): string[] {
  const calls = [...text.matchAll(/\blog(?:\?\.|\.)(?:info|warn|error)\(\s*([^,)]*)/g)];
  return calls
    .map(([, first = '']) => first.trim())
    .filter((first) => !EVENT.test(first))
    .map((first) => `${path}: ${first}`);
}

const sources = readFiles(SOURCE_FOLDERS, '.ts');

test('every event is a literal of the form noun.verb', () => {
  const calling = sources.filter(({ path }) => !FORWARDS.includes(path));
  expect(calling.flatMap(eventsThatAreNone)).toEqual([]);
});

test('every field is listed, or it would be withheld', () => {
  const calls = sources.flatMap(logCalls);
  expect(calls.length).toBeGreaterThan(10);
  const unknown = calls.flatMap(({ at, fields }) =>
    fields.filter((field) => !LOG_FIELDS.has(field)).map((field) => `${at} ${field}`),
  );
  expect(unknown).toEqual([]);
});

test('the readers see what they look for', () => {
  const planted: SourceFile = {
    path: 'domain/x.ts',
    text: "log.warn('a.b', {\n  lane,\n  session: x,\n});\nlog.info(`a.${b}`);",
  };
  expect(logCalls(planted)).toEqual([
    { at: 'domain/x.ts:1', event: "'a.b'", fields: ['lane', 'session'] },
  ]);
  expect(eventsThatAreNone(planted)).toEqual(['domain/x.ts: `a.${b}`']);
});

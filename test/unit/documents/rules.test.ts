/** What holds for documents and not for what is said: status, subjects, evidence, sources, the end of a version. */
import { describe, expect, test } from '@jest/globals';
import { documentStatus, type VersionProgress } from '../../../domain/documents/status.ts';
import { formatOf, mediaTypeOfName } from '../../../domain/documents/media-type.ts';
import type { Candidate, ExtractionRequest } from '../../../domain/statements/candidate.ts';
import { evidenceLevelOf } from '../../../domain/statements/confidence.ts';
import { peopleNamedIn } from '../../../domain/extraction/named-people.ts';
import { validateCandidate } from '../../../domain/extraction/validate.ts';
import {
  newAttesters,
  NO_ATTESTATION,
  withSources,
} from '../../../domain/statements/attestation.ts';
import type { Source } from '../../../domain/statements/source.ts';
import { extractWithoutModel } from '../../../engine/english-extractor/document.ts';
import {
  DOCUMENT_INSTRUCTIONS,
  INSTRUCTIONS,
  instructionsFor,
  renderMaterial,
} from '../../../engine/extraction/model/prompt.ts';

const CHUNKS = { pending: 0, failed: 0, completed: 0, repairable: 0, terminal: 0 };

describe('the status of a version', () => {
  const at = (progress: Partial<VersionProgress>) =>
    documentStatus({
      parseErrorClass: null,
      isParsed: true,
      isSettled: false,
      chunks: CHUNKS,
      ...progress,
    });

  test.each<[string, Partial<VersionProgress>]>([
    ['pending', { isParsed: false }],
    ['repairable', { isParsed: false, parseErrorClass: 'source_too_large' }],
    ['terminal', { isParsed: false, parseErrorClass: 'structured_validation_failed' }],
    ['failed', { isParsed: false, parseErrorClass: 'internal_error' }],
    ['pending', { chunks: { ...CHUNKS, pending: 1, completed: 5 } }],
    ['failed', { chunks: { ...CHUNKS, pending: 1, failed: 1, terminal: 1 } }],
    ['pending', { chunks: { ...CHUNKS, pending: 1, terminal: 1 } }],
    ['repairable', { chunks: { ...CHUNKS, repairable: 1, terminal: 1, completed: 9 } }],
    ['terminal', { chunks: { ...CHUNKS, terminal: 1, completed: 9 } }],
    ['pending', { chunks: { ...CHUNKS, completed: 9 } }],
    ['completed', { chunks: { ...CHUNKS, completed: 9 }, isSettled: true }],
    ['completed', { isSettled: true }],
  ])('is %s of %j', (status, progress) => {
    expect(at(progress)).toBe(status);
  });
});

test('a media type is known whatever its case and parameters, a name by its ending', () => {
  expect(formatOf('Text/Markdown; charset=utf-8')).toBe('markdown');
  expect([formatOf('image/png'), formatOf('')]).toEqual([null, null]);
  expect(mediaTypeOfName('A.b.MD')).toBe('text/markdown');
  expect([mediaTypeOfName('md'), mediaTypeOfName('a.exe')]).toEqual([null, null]);
});

describe('people', () => {
  const people = [
    { key: 'ana@example.org', name: 'Ana Silva' },
    { key: 'an', name: 'An' },
    { key: 'li', name: '李娜' },
  ];
  test.each([
    ['Ana Silva moved.', ['Ana Silva']],
    ['ANA  SILVA’s desk', ['Ana Silva']],
    ['Ask ana@example.org first.', ['Ana Silva']],
    ['Anatomy of a plan, and an apple', ['An']],
    ['Silva moved.', []],
    ['李娜', ['李娜']],
  ])('are named in %j by key or whole name', (text, names) => {
    expect(peopleNamedIn(text, people).map(({ name }) => name)).toEqual(names);
  });
});

const request = (content: string): ExtractionRequest => ({
  scopePath: '/team',
  anchor: {
    id: 'm1',
    content,
    role: 'document',
    peerKey: 'uploader',
    peerName: 'Uploader Key',
    occurredAt: '2024-05-01T10:00:00.000Z',
    occurredOffsetMinutes: 0,
  },
  window: [],
  participants: [{ peerKey: 'ana', name: 'Ana Silva', kind: 'human' }],
  document: { title: 'Handbook', headings: ['People'] },
});

const NO_DATES = () => [];

describe('without a model', () => {
  test('a chunk yields statements about people it names and about its scope, in its own words', () => {
    const chunk = request(
      '- Ana Silva moved to Porto in May 2021.\nThe office in Porto has four rooms.\nI like tea with milk.\nYou must lock the door of the office every night.\nIs the office open on public holidays?\nOur password is swordfish and opens every door.',
    );
    const found = extractWithoutModel(chunk);
    expect(
      found.map(({ statement, subjectRef, subjectType }) => [statement, subjectType, subjectRef]),
    ).toEqual([
      ['Ana Silva moved to Porto in May 2021.', 'peer', 'ana'],
      ['The office in Porto has four rooms.', 'scope', '/team'],
    ]);
    for (const candidate of found) {
      expect([candidate.relevantFrom, candidate.relevantUntil]).toEqual([null, null]);
      expect(validateCandidate(candidate, chunk, NO_DATES)).toEqual([]);
    }
  });

  test('a restricted sentence without a known person yields no statement about the scope', () => {
    const [about, ...rest] = extractWithoutModel(
      request(
        'The door password is swordfish for everybody. Ana Silva uses the password swordfish daily.',
      ),
    );
    expect(about).toMatchObject({ subjectRef: 'ana', sensitivity: 'restricted' });
    expect(rest).toEqual([]);
  });
});

describe('a candidate of a chunk', () => {
  const candidate: Candidate = {
    supportingSpan: 'I moved to Porto',
    statement: 'Uploader Key moved to Porto.',
    confidence_level: 'stated_explicitly',
    kind: 'fact',
    subjectType: 'peer',
    subjectRef: 'uploader',
    sensitivity: 'internal',
    targetLevel: 'peer',
    sourceMessageIds: ['m1'],
    relevantFrom: null,
    relevantUntil: null,
  };
  const chunk = request('I moved to Porto. Ana Silva stayed.');
  const codes = (changed: Partial<Candidate>) =>
    validateCandidate({ ...candidate, ...changed }, chunk, NO_DATES).map(({ code }) => code);

  test('is never about the uploader, nor in the first person about another peer or the scope', () => {
    expect(codes({})).toEqual(['unknown_subject']);
    expect(codes({ subjectRef: 'ana', statement: 'Ana Silva moved to Porto.' })).toEqual([
      'subject_not_speaker',
    ]);
    expect(codes({ subjectType: 'scope', subjectRef: '/team' })).toEqual([
      'scope_from_first_person',
    ]);
  });

  test('is never direct evidence, not even about the uploader when the chunk names the uploader', () => {
    const named: ExtractionRequest = {
      ...chunk,
      participants: [{ peerKey: 'uploader', name: 'Uploader Key', kind: 'human' }],
    };
    expect(evidenceLevelOf(candidate, named)).toBe('indirect');
    expect(evidenceLevelOf(candidate, { ...named, document: null })).toBe('direct');
  });

  test('is requested from a model without naming the uploader, with title and headings', () => {
    const rendered = renderMaterial([chunk]);
    expect(rendered).not.toContain('ploader');
    expect(JSON.parse(rendered)).toMatchObject({
      document: { title: 'Handbook', headings: ['People'] },
      people: [{ peer_key: 'ana', name: 'Ana Silva' }],
    });
    expect(DOCUMENT_INSTRUCTIONS.startsWith(INSTRUCTIONS)).toBe(true);
    expect(instructionsFor([chunk])).toBe(DOCUMENT_INSTRUCTIONS);
    expect(instructionsFor([{ ...chunk, document: null }])).toBe(INSTRUCTIONS);
  });
});

test('a document attests a statement once, whatever its uploaders and the number of its passages', () => {
  const source = (messageId: string, documentId: string | null, speakerId: string): Source => ({
    messageId,
    sessionId: 's',
    scopeId: 'c',
    speakerId,
    relayId: null,
    occurredAt: '2024-05-01T10:00:00.000Z',
    contentHash: messageId,
    documentId,
  });
  const corroborationOf = (sources: readonly Source[]): number =>
    newAttesters(NO_ATTESTATION, withSources(NO_ATTESTATION, sources));
  expect(corroborationOf([source('1', 'd1', 'p'), source('2', 'd1', 'q')])).toBe(1);
  expect(corroborationOf([source('1', 'd1', 'p'), source('2', 'd2', 'p')])).toBe(2);
  expect(corroborationOf([source('1', 'd1', 'p'), source('2', null, 'p')])).toBe(2);
});

/** What becomes of bytes that are uploaded, by the latest version of their document. */
import { expect, test } from '@jest/globals';
import { uploadStep, type LatestVersion } from '../../../domain/documents/upload.ts';

const READ: LatestVersion = {
  hasSameBytes: true,
  hasSameMediaType: true,
  isParsed: true,
  parseErrorClass: null,
  isUnderWay: false,
};
const step = (latest: Partial<LatestVersion>) => uploadStep({ ...READ, ...latest });

test('the first bytes, and other ones than the latest, are a new version', () => {
  expect(uploadStep(null)).toBe('add');
  for (const isParsed of [true, false]) expect(step({ hasSameBytes: false, isParsed })).toBe('add');
});

test('bytes that were read, or are about to be, are unchanged under any media type', () => {
  for (const hasSameMediaType of [true, false]) {
    expect(step({ hasSameMediaType })).toBe('unchanged');
    expect(step({ hasSameMediaType, isParsed: false, isUnderWay: true })).toBe('unchanged');
  }
});

test('bytes that failed are unchanged while another attempt follows, and read again when none does', () => {
  const passing = { isParsed: false, parseErrorClass: 'internal_error' } as const;
  expect(step({ ...passing, isUnderWay: true })).toBe('unchanged');
  expect(step({ ...passing, isUnderWay: false })).toBe('read_again');
});

test('bytes that were given up are read again, also before their run has ended', () => {
  for (const parseErrorClass of ['source_too_large', 'structured_validation_failed'] as const) {
    for (const isUnderWay of [true, false]) {
      expect(step({ isParsed: false, parseErrorClass, isUnderWay })).toBe('read_again');
    }
  }
});

test('a version whose run was cancelled before its first attempt is read again', () => {
  expect(step({ isParsed: false })).toBe('read_again');
});

test('bytes that could not be read under their media type are a new version under another one', () => {
  const failed = { isParsed: false, parseErrorClass: 'structured_validation_failed' } as const;
  expect(step({ ...failed, hasSameMediaType: false })).toBe('add');
});

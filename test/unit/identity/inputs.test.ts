import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseEmail } from '../../../domain/identity/email.ts';
import { parseLabel } from '../../../domain/identity/label.ts';
import { isAcceptablePassword, normalisePassword } from '../../../domain/identity/password.ts';

describe('an e-mail address', () => {
  test('is trimmed, composed and lower-cased', () => {
    expect(parseEmail('  Ana.Müller@Example.ORG ')).toBe('ana.müller@example.org');
  });

  test.each([
    '',
    'ana',
    '@example.org',
    'ana@',
    'a b@c',
    'a@b@c',
    'a\u0000@b',
    `${'a'.repeat(250)}@b.cd`,
  ])('is not %j', (text) => {
    expect(parseEmail(text)).toBeNull();
  });

  test('parsed again is the same', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        const email = parseEmail(address);
        expect(email).not.toBeNull();
        expect(parseEmail(email ?? '')).toBe(email);
      }),
    );
  });
});

describe('a key or name', () => {
  test('is trimmed and composed, and keeps its case', () => {
    expect(parseLabel(' Ame\u0301lie ')).toBe('Am\u00e9lie');
  });

  test.each([
    '',
    '   ',
    'a\u0007b',
    'x'.repeat(257),
    '\ud800',
    'Ali\u200Bce',
    '\u202Eecila',
    'Al\u00ADice',
    'Ali\u200Dce',
    'alice\u2066',
    '\uFEFFalice\u200E',
  ])('is not %j', (text) => {
    expect(parseLabel(text)).toBeNull();
  });

  test.each([
    '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
    '\u0915\u094D\u200D\u0937',
    '\u{1F469}\u{1F3FD}\u200D\u{1F4BB}',
  ])('may be spelt with joiners: %s', (text) => {
    expect(parseLabel(text)).toBe(text);
  });

  test('is counted in characters', () => {
    expect(parseLabel('\u{1f600}'.repeat(256))).not.toBeNull();
  });
});

describe('a new password', () => {
  test('has 12 characters or more', () => {
    expect(isAcceptablePassword('a'.repeat(11))).toBe(false);
    expect(isAcceptablePassword('a'.repeat(12))).toBe(true);
    expect(isAcceptablePassword('a'.repeat(1024))).toBe(true);
    expect(isAcceptablePassword('a'.repeat(1025))).toBe(false);
  });

  test('is the same whether its accents were typed composed or not', () => {
    expect(normalisePassword('e\u0301')).toBe(normalisePassword('\u00e9'));
  });
});

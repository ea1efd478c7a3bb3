import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { BodyIntake } from '../../../api/body-intake.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const MIB = 1_048_576;

describe('the bodies of one sender', () => {
  test('have sixteen mebibytes a second after the first four, and four while another sends too', () => {
    const intake = new BodyIntake();
    expect(intake.pauseAfter('a', 4 * MIB)).toBe(0);
    expect(intake.pauseAfter('a', 4 * MIB)).toBe(250);
    const beside = new BodyIntake();
    expect(beside.pauseAfter('b', 100)).toBe(0);
    expect(beside.pauseAfter('a', 4 * MIB)).toBe(0);
    expect(beside.pauseAfter('a', 4 * MIB)).toBe(1_000);
  });

  test('have their full pace again when no other sender has sent for two seconds', () => {
    const intake = new BodyIntake();
    intake.pauseAfter('b', 100);
    intake.pauseAfter('a', 100);
    jest.advanceTimersByTime(2_000);
    expect(intake.pauseAfter('a', 8 * MIB)).toBe(250);
  });

  test('that are dropped share one pace among all senders', () => {
    const intake = new BodyIntake('dropped');
    intake.pauseAfter('b', 65_536);
    expect(intake.pauseAfter('a', 16 * MIB + 65_536)).toBe(1_000);
  });
});

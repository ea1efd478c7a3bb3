/** `vouch governance rules`, on rules that are kept in memory. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { runCli } from '../../../cli/program.ts';
import { presetRules } from '../../../domain/governance/presets.ts';
import { ruleRowOf } from '../../../domain/governance/rule-columns.ts';
import { RulesAccount } from './rules-account.ts';
import { readPromiseFiles } from '../../../stores/promises/read-file.ts';

let world: RulesAccount;
beforeEach(() => {
  world = new RulesAccount();
});

describe('vouch governance rules', () => {
  async function vouch(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ['', ''];
    const code = await runCli(['governance', 'rules', ...args], {
      stdin: (async function* nothing() {})(),
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      now: () => new Date(),
      signal: new AbortController().signal,
      promiseLines: readPromiseFiles,
      receiptKeyPem: () => Promise.resolve(''),
      open: async () => ({ environment: world.environment, close: async () => undefined }),
    });
    return { code, out, err };
  }
  const shown = async (...args: string[]) => JSON.parse((await vouch(...args, '--json')).out);

  test('lists what is written, or what is in force at a scope and where it comes from', async () => {
    expect((await shown()).rules).toHaveLength(12);
    await vouch('set', 'peer', 'public', '--scope', '/team', '--gate-b', 'human');
    const { rules } = await shown('--scope', '/team');
    expect(rules.slice(0, 2)).toMatchObject([
      { gate_b: 'human', source: 'scope', scope_path: '/team' },
      { gate_b: 'auto_place', source: 'account', scope_path: null },
    ]);
    expect((await vouch('--scope', '/team')).out).toMatch(/^preset assisted\nscope +level/);
    const early = await shown('--scope', '/nowhere');
    expect(early.rules.slice(0, 1)).toMatchObject([{ gate_b: 'auto_place', source: 'account' }]);
  });

  test('set changes what is given and keeps the rest of what is in force', async () => {
    const flags = '--confidence 0.9 --consent yes --revalidate-after never --expires-after 7'.split(
      ' ',
    );
    const answer = await shown('set', 'peer', 'public', '--scope', '/team', ...flags);
    expect(answer).toMatchObject({ changed: true, run_id: world.runs[0], scope_path: '/team' });
    const [first] = presetRules('assisted');
    if (first === undefined) throw new Error('no rules');
    expect(answer.rules).toEqual([
      {
        ...ruleRowOf(first),
        minimum_confidence: 0.9,
        requires_consent: true,
        revalidate_after_days: null,
        expires_after_days: 7,
      },
    ]);
    expect(world.audited).toMatchObject([{ actor: { kind: 'cli' }, resourceType: 'scope' }]);
    const again = await vouch('set', 'peer', 'public', '--scope', '/team');
    expect(again.out).toBe('Nothing to do: the rules of /team are so.\n');
  });

  test('remove takes the rule away, once', async () => {
    await vouch('set', 'peer', 'public', '--scope', '/team');
    const removed = await vouch('remove', 'peer', 'public', '--scope', '/team');
    expect(removed.out).toMatch(/^The rules of \/team have changed\. .* run [0-9a-f-]{36}\.\n$/);
    const again = await vouch('remove', 'peer', 'public', '--scope', '/team');
    expect(again.out).toBe('Nothing to do: the rules of /team are so.\n');
    expect((await vouch('remove', 'peer', 'public')).out).toContain('the whole account');
  });

  test.each([
    [2, ['set', 'peer']],
    [2, ['set', 'peer', 'secret']],
    [2, ['set', 'peer', 'public', '--gate-b', 'perhaps']],
    [2, ['set', 'peer', 'public', '--confidence', 'high']],
    [2, ['change']],
    [1, ['set', 'peer', 'public', '--confidence', '2']],
    [1, ['set', 'peer', 'public', '--expires-after', '0']],
    [1, ['set', 'peer', 'restricted', '--gate-b', 'auto_place']],
  ] as const)('exits with %i for %j and changes nothing', async (code, args) => {
    const before = world.rules;
    const outcome = await vouch(...args);
    expect(outcome).toMatchObject({ code, out: '' });
    expect(outcome.err).not.toBe('');
    expect(world.rules).toEqual(before);
  });
});

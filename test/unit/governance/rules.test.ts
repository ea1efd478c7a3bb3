/** Reading and changing gate rules, through `execute`, on rules that are kept in memory. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { execute } from '../../../operations/execute.ts';
import { changeGateRules, readGateRules } from '../../../operations/governance/rules.ts';
import { ADMIN, path, person, RulesAccount, uuid } from './rules-account.ts';
import { NOTHING_GIVEN } from '../../support/rules.ts';

let world: RulesAccount;
beforeEach(() => {
  world = new RulesAccount();
});

const context = (caller: Caller) => ({
  ...world.environment,
  caller,
  traceId: '0'.repeat(32),
  now: new Date(),
  signal: new AbortController().signal,
  clientAddress: null,
  idempotency: null,
});
const read = (scope: unknown = null, caller = ADMIN) =>
  execute(readGateRules, context(caller), { scope_path: scope });
const change = (input: object, caller = ADMIN) => execute(changeGateRules, context(caller), input);

const cell = { target_level: 'peer', sensitivity: 'public' };
const rule = (values: object = {}) => ({
  ...NOTHING_GIVEN,
  ...cell,
  gate_a: 'auto_keep',
  gate_b: 'human',
  minimum_evidence_level: 'direct',
  minimum_confidence: 0.5,
  minimum_corroboration: 2,
  requires_consent: false,
  automatic_consent: false,
  pending_max_age_hours: 24,
  revalidate_after_days: 30,
  expires_after_days: 365,
  ...values,
});
const refused = (code: string, ...paths: string[]) => ({
  code,
  ...(paths.length > 0 && {
    fields: paths.map((each) => ({ path: each, message: expect.any(String) })),
  }),
});

describe('the rules of a place', () => {
  test('are those written for it, and the one in force in each cell with its origin', async () => {
    const account = await read();
    expect(account).toMatchObject({ scope_path: null, version: expect.any(Number) });
    expect(account.rules).toHaveLength(12);
    expect(account.in_force).toMatchObject(
      account.rules.map((each) => ({ ...each, source: 'account', source_scope_path: null })),
    );
    const team = await read('team/');
    expect(team).toMatchObject({ scope_path: '/team', version: 0, rules: [] });
    expect(team.in_force).toEqual(account.in_force);
  });

  test('come from the nearest scope, then the account, then the built-in matrix', async () => {
    world.rules = [];
    const { version } = await change({ version: 0, rules: [rule({ minimum_confidence: 0.1 })] });
    await change({ scope_path: '/', version: 0, rules: [rule()] });
    const { in_force: inForce, rules } = await read('/team');
    expect(rules).toEqual([]);
    expect(inForce[0]).toEqual({ ...rule(), source: 'scope', source_scope_path: '/' });
    expect(inForce[1]).toMatchObject({
      gate_a: 'human',
      source: 'built_in',
      source_scope_path: null,
    });
    expect((await read()).version).toBe(version);
  });

  test('of a scope that nothing was written to are those above it, and of a blank one those of the account', async () => {
    const { in_force: inForce, rules, version } = await read('/nowhere');
    expect([rules, version]).toEqual([[], 0]);
    expect(inForce).toEqual((await read('/'))['in_force']);
    await expect(read('/a/../b')).rejects.toMatchObject(refused('invalid_request', 'scope_path'));
    expect(await read(' ')).toEqual(await read());
  });
});

describe('a change', () => {
  test('sets and removes cells, is audited in counts and has the gates look again', async () => {
    const before = await read();
    const answer = await change({
      version: before.version,
      rules: [rule()],
      remove: [{ target_level: 'account', sensitivity: 'internal' }],
    });
    expect(answer.rules).toHaveLength(11);
    expect(answer.rules[0]).toEqual(rule());
    expect(answer.in_force.filter(({ source }) => source === 'built_in')).toHaveLength(1);
    expect(answer.version).not.toBe(before.version);
    expect(answer.run_id).toBe(world.runs[0]);
    expect(world.woken).toBe(1);
    expect(world.audited).toEqual([
      {
        category: 'governance',
        action: 'gate_rules.changed',
        actor: { kind: 'credential', credentialId: ADMIN.credentialId, peerId: ADMIN.peerId },
        resourceType: 'account',
        resourceId: ADMIN.accountId,
        metadata: { entered: 1, retired: 2 },
      },
    ]);
  });

  test('that was sent before changes nothing, also after the version has moved on', async () => {
    const request = { scope_path: '/team', version: 0, rules: [rule()] };
    const first = await change(request);
    expect(await change(request)).toEqual({ ...first, run_id: null });
    expect([world.audited.length, world.runs.length, world.woken]).toEqual([1, 1, 1]);
    const removal = { scope_path: '/team', version: first.version, remove: [cell] };
    const { run_id: runId, version } = await change(removal);
    expect([runId, version]).toEqual([world.runs[1], 0]);
    expect((await change(removal)).run_id).toBeNull();
    expect(await change({ version: 0 })).toMatchObject({ run_id: null });
  });

  test('for a version that has moved on is a conflict', async () => {
    const { version } = await change({ scope_path: '/team', version: 0, rules: [rule()] });
    const other = { scope_path: '/team', rules: [rule({ gate_b: 'auto_place' })] };
    for (const stale of [0, version + 1, version - 1]) {
      const answer = change({ ...other, version: stale });
      await expect(answer).rejects.toMatchObject(refused('conflict'));
    }
    await change({ ...other, version });
    expect(world.runs).toHaveLength(2);
  });

  test('of one place leaves the version of every other', async () => {
    const versions = async () => [(await read()).version, (await read('/')).version];
    const before = await versions();
    await change({ scope_path: '/team', version: 0, rules: [rule()] });
    expect(await versions()).toEqual(before);
  });

  test('joins a run that waits to begin', async () => {
    world.waiting = uuid(800);
    const { run_id: runId } = await change({ scope_path: '/team', version: 0, rules: [rule()] });
    expect([runId, world.runs]).toEqual([uuid(800), []]);
    expect(world.woken).toBe(1);
  });
});

describe('a request is refused that', () => {
  const attempt = (input: object) => change({ scope_path: '/team', version: 0, ...input });

  test.each([
    [
      'places what is restricted',
      [rule({ sensitivity: 'restricted', gate_b: 'auto_place' })],
      'rules.0.gate_b',
    ],
    ['names a cell twice', [rule(), rule({ gate_a: 'human' })], 'rules.1'],
    ['has an unknown word', [rule({ gate_a: 'perhaps' })], 'rules.0.gate_a'],
    [
      'has no whole numbers',
      [rule({ minimum_corroboration: 1.5 })],
      'rules.0.minimum_corroboration',
    ],
    ['asks for no source', [rule({ minimum_corroboration: 0 })], 'rules.0.minimum_corroboration'],
    [
      'asks for more than certainty',
      [rule({ minimum_confidence: 1.01 })],
      'rules.0.minimum_confidence',
    ],
    ['has a text as a flag', [rule({ requires_consent: 'true' })], 'rules.0.requires_consent'],
    ['gives no time', [rule({ pending_max_age_hours: 0 })], 'rules.0.pending_max_age_hours'],
    ['gives no day', [rule({ expires_after_days: 0 })], 'rules.0.expires_after_days'],
    [
      'gives a thousand years',
      [rule({ revalidate_after_days: 365_000 })],
      'rules.0.revalidate_after_days',
    ],
    ['leaves a member out', [{ ...rule(), gate_b: undefined }], 'rules.0.gate_b'],
    ['has more rules than cells', Array.from({ length: 13 }, () => rule()), 'rules'],
  ] as const)('%s', async (_, rules, field) => {
    await expect(attempt({ rules })).rejects.toMatchObject(refused('invalid_request', field));
    expect(world.audited).toEqual([]);
  });

  test('names a cell to set and to remove, or no version, or a blank scope', async () => {
    const both = attempt({ rules: [rule()], remove: [cell] });
    await expect(both).rejects.toMatchObject(refused('invalid_request', 'remove.0'));
    const without = change({ scope_path: '/team', rules: [rule()] });
    await expect(without).rejects.toMatchObject(refused('invalid_request', 'version'));
    const blank = attempt({ scope_path: ' ' });
    await expect(blank).rejects.toMatchObject(refused('invalid_request', 'scope_path'));
  });

  test('comes from someone who does not administer the place, whether it exists or not', async () => {
    const curator = person('/', 'curator');
    const ofTeam = person('/team');
    const pinned = { ...ADMIN, pinPath: path('/team') };
    for (const [caller, scope] of [
      [curator, null],
      [curator, '/team'],
      [curator, '/nowhere'],
      [ofTeam, null],
      [ofTeam, '/'],
      [ofTeam, '/nowhere'],
      [pinned, null],
    ] as const) {
      await expect(read(scope, caller)).rejects.toMatchObject(refused('forbidden'));
      const answer = change({ scope_path: scope, version: 0, rules: [rule()] }, caller);
      await expect(answer).rejects.toMatchObject(refused('forbidden'));
    }
    expect(await read('/team', ofTeam)).toMatchObject({ version: 0 });
    expect(await read('/team/nowhere', ofTeam)).toMatchObject({ version: 0 });
  });

  test('comes from a machine', async () => {
    const machine: Caller = { ...ADMIN, kind: 'machine' };
    await expect(read(null, machine)).rejects.toMatchObject(refused('human_identity_required'));
    const answer = change({ version: 0 }, machine);
    await expect(answer).rejects.toMatchObject(refused('human_identity_required'));
  });
});

/** What every account begins with: the row, the scope `/`, the preset's rules, and an administrator. */
import { presetRules, type GatePreset } from '../../domain/governance/presets.ts';
import { ROOT_PATH } from '../../domain/scopes/path.ts';
import type { Stores } from '../../stores/postgres/stores.ts';

export interface NewAccount {
  readonly key: string;
  readonly name: string;
  readonly preset: GatePreset;
  readonly administrator: {
    readonly email: string;
    readonly name: string;
    readonly passwordHash: string;
  };
  readonly now: Date;
}

/** Writes it all in the transaction of `stores` and answers the administrator's ids. */
export async function writeNewAccount(
  stores: Stores,
  accountId: string,
  account: NewAccount,
): Promise<{ readonly peerId: string; readonly loginId: string }> {
  const { email, name, passwordHash } = account.administrator;
  await stores.accounts.insert(account);
  await stores.gateRules.replaceAccountWide(presetRules(account.preset), account.now);
  const { peer } = await stores.peers.ensure({ key: email, name, kind: 'human' });
  const loginId = await stores.logins.insert({ peerId: peer.id, email, passwordHash });
  const grant = await stores.grants.ensure(
    { peerId: peer.id },
    { scopePath: ROOT_PATH, role: 'account_admin', effect: 'allow', propagate: true },
    null,
  );
  const events = [
    { action: 'account.created', resourceType: 'account', resourceId: accountId },
    { action: 'login.created', resourceType: 'login', resourceId: loginId },
    { action: 'grant.added', resourceType: 'grant', resourceId: grant.id },
  ];
  for (const event of events) {
    await stores.audit.record({
      ...event,
      category: 'configuration',
      actor: { kind: 'cli' },
      metadata: { preset: account.preset, peer_id: peer.id },
    });
  }
  return { peerId: peer.id, loginId };
}

/** An account of the running service that a random schedule goes on in: every step is a request, or a preset. */
import { z } from 'zod';
import { CIRCLE, type Step } from '../integration/governance/steps.ts';
import { dataOf, rowsOf, type Body, type Service } from '../support/service.ts';
import { eventually } from '../support/patience.ts';

const GOVERNANCE = '/api/v1/governance';
const OWN = '/api/v1/self';
const EDITS = ['Alice likes green tea.', 'Alice likes tea.', 'Alice lives in Bergen.'] as const;

const consentRow = z.object({ id: z.uuid().optional() });

type Decision = Extract<Step, { does: 'approve' | 'reject' | 'defer' | 'merge' | 'edit' }>;
type AboutStatement = Extract<
  Step,
  { does: 'confirm' | 'contest' | 'redact' | 'promote' | 'withdraw' }
>;

const pick = <T>(list: readonly T[], nth: number): T | undefined =>
  list.length === 0 ? undefined : list[nth % list.length];

export interface ScheduleAccount {
  readonly id: string;
  /** Does the step, and answers the status of its last request; 0 where there was nothing to do it to. */
  do(step: Step): Promise<number>;
}

/** `dayMs`: how long the day of a contest lasts in this service. */
export async function openScheduleAccount(
  service: Service,
  key: string,
  dayMs: number,
): Promise<ScheduleAccount> {
  const account = await service.account(key);
  const relay = (await account.agent('relay')).token;
  let said = 0;
  async function say({
    at,
    audience = null,
    by,
    content,
  }: Extract<Step, { does: 'say' }>): Promise<number> {
    said += 1;
    // What follows the marks for the tests without a model, as its speaker says it.
    const text = content.replace(/^.*as=\S+ Alice (like|own|live)s/, 'I $1');
    const turn = {
      peer_key: by,
      scope_path: at,
      session_id: `said-${said}`,
      content: text,
      audience,
    };
    const told = await service.ingestAndWait(relay, turn);
    return told.status['status'] === 'completed' ? 200 : 500;
  }
  const admin = await account.person('circle-keeper', { role: 'curator' });
  const gather = async (members: readonly string[]): Promise<number> => {
    const json = { scope_path: '/', name: CIRCLE, members };
    const path = `${GOVERNANCE}/circles`;
    return (await service.call({ path, token: admin, method: 'PUT', json })).status;
  };
  await gather([]);
  await say({ does: 'say', by: 'alice', at: '/team', content: 'Hello.' });
  const alice = await account.person('alice', { peer: 'alice', role: 'reader' });
  const curator = await account.person('curator', { role: 'curator' });

  const get = (path: string, token: string) => service.call({ path, token });
  const post = async (path: string, token: string, json: Body): Promise<number> =>
    (await service.call({ path, token, method: 'POST', json })).status;
  const statements = async (): Promise<readonly Body[]> =>
    rowsOf(await get(`${OWN}/knowledge?limit=100`, alice));

  async function about({ does, nth }: AboutStatement): Promise<number> {
    const id = String(pick(await statements(), nth)?.['id']);
    if (id === 'undefined') return 0;
    if (does !== 'promote') return post(`${OWN}/knowledge/${id}/${does}`, alice, {});
    const json = { target_scope_path: '/' };
    return post(`${GOVERNANCE}/knowledge/${id}/promote`, curator, json);
  }

  async function decide(step: Decision): Promise<number> {
    const { items } = dataOf(await get(`${GOVERNANCE}/reviews?limit=100`, curator));
    const item = Array.isArray(items) ? Object(pick(items, step.nth)) : {};
    if (item.id === undefined) return 0;
    const into = pick(await statements(), step.nth + 1)?.['id'];
    const additions: Body = {
      ...(step.does === 'merge' ? { into } : {}),
      ...(step.does === 'edit' ? { statement: pick(EDITS, step.nth), approve: step.approve } : {}),
    };
    const json = { version: item.version, undo_seconds: step.waits ? 1 : 0, ...additions };
    return post(`${GOVERNANCE}/reviews/${item.id}/${step.does}`, curator, json);
  }

  async function consent({ decision, nth }: Extract<Step, { does: 'consent' }>): Promise<number> {
    const { id } = consentRow.parse(pick(rowsOf(await get(`${OWN}/consents`, alice)), nth) ?? {});
    return id === undefined ? 0 : post(`${OWN}/consents/${id}`, alice, { decision });
  }

  async function reopen({ nth, withhold }: Extract<Step, { does: 'reopen' }>): Promise<number> {
    const id = pick(await statements(), nth)?.['id'];
    const json = { knowledge_id: id, reason: 'Is it true?', withhold };
    return id === undefined ? 0 : post(`${GOVERNANCE}/reviews`, curator, json);
  }

  async function undo(nth: number): Promise<number> {
    const { items } = dataOf(await get(`${GOVERNANCE}/reviews?limit=100`, curator));
    const item = Array.isArray(items) ? Object(pick(items, nth)) : {};
    return item.id === undefined ? 0 : post(`${GOVERNANCE}/reviews/${item.id}/undo`, curator, {});
  }

  return {
    id: account.id,
    async do(step) {
      switch (step.does) {
        case 'say':
          return say(step);
        case 'preset':
          await account.preset(step.preset);
          return 200;
        case 'deadline': {
          const until = performance.now() + dayMs;
          await eventually(() => performance.now() > until);
          return 0;
        }
        case 'circle':
          return gather(step.members.length > 0 ? ['alice'] : []);
        case 'consent':
          return consent(step);
        case 'reopen':
          return reopen(step);
        case 'undo':
          return undo(step.nth);
        // Their workflows do it.
        case 'carry out':
          return 0;
        case 'confirm':
        case 'contest':
        case 'redact':
        case 'promote':
        case 'withdraw':
          return about(step);
        case 'approve':
        case 'reject':
        case 'defer':
        case 'merge':
        case 'edit':
          return decide(step);
      }
    },
  };
}

/** The desk over REST, in the running service. */
import type { TestAccount } from '../../support/account.ts';
import type { HttpAnswer } from '../../support/http.ts';
import type { Service } from '../../support/service.ts';
import { decisionBody } from './bodies.ts';
import type { Action } from './actions.ts';
import type { Door, Target } from './desk.ts';

const GOVERNANCE = '/api/v1/governance';

const REFUSALS = { '409 conflict': true, '404 not_found': true } as const;

interface Call {
  readonly by: 'alice' | 'curator';
  readonly path: string;
  readonly json: object;
}

function callOf({ does }: Action, target: Target): Call {
  const { consentId, itemId, statementId } = target;
  if (does === 'promote') {
    const json = { target_scope_path: '/' };
    return { by: 'curator', path: `${GOVERNANCE}/knowledge/${statementId}/promote`, json };
  }
  if (does === 'grant' || does === 'deny') {
    return { by: 'alice', path: `/api/v1/self/consents/${consentId}`, json: { decision: does } };
  }
  if (does === 'confirm' || does === 'contest' || does === 'redact') {
    return { by: 'alice', path: `/api/v1/self/knowledge/${statementId}/${does}`, json: {} };
  }
  const path = `${GOVERNANCE}/reviews/${itemId}/${does === 'edit and approve' ? 'edit' : does}`;
  return { by: 'curator', path, json: decisionBody(does, target) };
}

/** `ok`, or the code of the refusal with the status that belongs to it. */
function outcomeOf({ status, ...answer }: HttpAnswer): string {
  if (status === 200) return 'ok';
  const body: unknown = answer.json();
  const { code } = Object(body);
  if (`${status} ${String(code)}` in REFUSALS) return String(code);
  throw new Error(`${status} ${answer.text}`);
}

/** An account with an agent, the person alice, of whom it spoke, and a curator. */
export async function openOverRest(service: Service, account: TestAccount): Promise<Door> {
  const { token } = await account.agent('relay');
  const told = await service.ingestAndWait(token, { peer_key: 'alice', content: 'I keep a boat.' });
  const tokens = {
    alice: await account.person('alice', { peer: 'alice', role: 'reader' }),
    curator: await account.person('curator', { role: 'curator' }),
  };
  return {
    rows: (query, values) => service.rows(query, values),
    templateId: String(told.knowledge[0]?.['id']),
    // The worker takes them off at once.
    keepsMarks: false,
    async act(action, target) {
      const { by, json, path } = callOf(action, target);
      return outcomeOf(await service.call({ path, token: tokens[by], method: 'POST', json }));
    },
  };
}

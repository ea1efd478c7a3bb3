/** Drives the tools for models: calls that are carried out, and every kind of refusal, with canaries in all of them. */
import { headersWith } from './requests.ts';
import type { Scene } from './scene.ts';

/** Calls every tool as it should be called and as it should not. */
export async function driveTools({ call, callAsStranger, canaries }: Scene): Promise<void> {
  const { content, member_name: member, peer_key: peer, session_id: session } = canaries;
  const scope = `/canary/${canaries.scope_segment}`;
  const headers = {
    ...headersWith(canaries),
    accept: 'application/json, text/event-stream',
  };
  const ask = (json: unknown, status = 200) =>
    call({ method: 'POST', path: '/mcp', json, headers }, status);
  const use = (name: string, args: unknown) =>
    ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  const said = { session_id: `${session}-tools`, scope_path: scope, content, peer_key: peer };
  await use('ingest', { ...said, idempotency_key: `${canaries.idempotency_key}-tools` });
  await use('ingest', { ...said, content: 7 });
  await use('ingest', { ...said, [member]: content });
  await use('search', { scope_path: scope, query: content, session_id: session });
  await use('search', { scope_path: scope, query: content, peer_key: content });
  await use('ask', { scope_path: scope, question: content });
  await use('get_context', { scope_path: scope, query: content, session_id: session });
  await use('get_context', { scope_path: scope, budget_chars: content });
  await use('check_readiness', { scope_path: scope, skill: member, session_id: session });
  await use('check_readiness', { scope_path: scope, skill: member, peer_id: content });
  await use('ask', { scope_path: scope, question: `Who keeps ${content}?`, effort: 'low' });
  await use('query_knowledge', { scope_path: scope, state: content });
  await use('query_knowledge', { scope_path: scope, limit: 3 });
  await use('resolve_validation', { id: content, verdict: content, shown_text: content });
  await use('set_ask_preference', { max_per_day: content });
  await use(content, { [member]: content });
  await ask({ jsonrpc: '2.0', id: 2, method: content, params: { [member]: content } });
  await ask({ jsonrpc: '2.0', method: `notifications/${member}` }, 202);
  await ask({ [member]: content }, 422);
  const foreign = { ...headers, origin: `https://${canaries.scope_segment}.example` };
  await call({ method: 'POST', path: '/mcp', json: {}, headers: foreign }, 403);
  const other = { ...headers, 'mcp-protocol-version': member };
  await call({ method: 'POST', path: '/mcp', json: {}, headers: other }, 400);
  await callAsStranger({ method: 'POST', path: '/mcp', json: { [member]: content }, headers }, 401);
}

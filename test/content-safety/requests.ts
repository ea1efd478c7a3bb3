/** Requests that carry a canary in every field a caller fills: such that are accepted, and such that are refused. */
import type { HttpCall } from '../support/http.ts';
const OWN_WORDS = ['confirm', 'contest', 'redact', 'withdraw'];

/** Where callers' text comes from. */
export const CALLER_CANARIES = [
  'content',
  'session_id',
  'scope_segment',
  'peer_key',
  'peer_name',
  'role',
  'idempotency_key',
  'traceparent',
  'tracestate',
  'baggage',
  'query',
  'email',
  'password',
  'bearer_token',
  'malformed_json',
  'member_name',
  'query_string',
  'url_path',
  'header_value',
  'media_type',
  'too_large',
] as const;

export type Texts = Readonly<Record<(typeof CALLER_CANARIES)[number], string>>;

/** Headers that any caller may send; the trace context is malformed. */
export function headersWith(canaries: Texts): Record<string, string> {
  return {
    traceparent: `00-${canaries.traceparent}-00f067aa0ba902b7-01`,
    tracestate: `vendor=${canaries.tracestate}`,
    baggage: `user=${canaries.baggage}`,
    'x-request-id': canaries.header_value,
    'user-agent': canaries.header_value,
    referer: `http://example.org/${canaries.header_value}`,
  };
}

/** An observation with a canary in each of its fields; `sentence` is put around the content. */
export function observation(canaries: Texts, sentence = 'moved to Lisbon'): HttpCall {
  return {
    path: '/api/v1/ingest',
    headers: headersWith(canaries),
    json: {
      session_id: canaries.session_id,
      scope_path: `/canary/${canaries.scope_segment}`,
      peer_key: canaries.peer_key,
      peer_name: canaries.peer_name,
      role: canaries.role,
      content: `My friend ${canaries.content} ${sentence}.`,
    },
  };
}

/** Two observations in one request, of which one is refused. */
export function batch(canaries: Texts): HttpCall {
  const { json, headers = {} } = observation(canaries, 'sold a boat in Turin');
  const observations = [json, { ...Object(json), scope_path: `/${canaries.scope_segment}/..` }];
  return { path: '/api/v1/ingest/batch', headers, json: { observations } };
}

/** Searches with a canary as the query: plain, as a phrase, excluded, and with filters. */
export function searches(canaries: Texts): HttpCall[] {
  const { query, content, scope_segment: segment, peer_key: peer } = canaries;
  const scope_path = `/canary/${segment}`;
  return [
    { query },
    { query: `"${query}" ${content}` },
    { query: `${content} -${query}`, scope_path, peer_key: peer },
    { query: content, scope_path, profile: 'thorough' },
    { query, source_filters: { provider: query, model: query, pipeline_version: query } },
  ].map((json) => ({ path: '/api/v1/search', headers: headersWith(canaries), json }));
}

/** Documents with a canary in each field and in what is read of them; the second is no PDF at all. */
export function documents(canaries: Texts): HttpCall[] {
  const { content, peer_name: name, scope_segment: segment, session_id: title } = canaries;
  const text = `# ${name}\n\nThe harbour of ${content} has four cranes and a long quay.\n`;
  return ['text/markdown', 'application/pdf'].map((media_type, at) => ({
    path: '/api/v1/documents',
    headers: { ...headersWith(canaries), 'idempotency-key': `${canaries.idempotency_key}-${at}` },
    json: {
      scope_path: `/canary/${segment}`,
      content_base64: Buffer.from(text).toString('base64'),
      media_type,
      title,
      external_id: `${canaries.peer_key}-${at}`,
    },
  }));
}

/** A reconcile with a canary wherever a caller may put one; the operation ignores its body. */
export function reconcileRequest(canaries: Texts): HttpCall {
  const { content, idempotency_key, member_name, scope_segment, session_id } = canaries;
  return {
    path: '/api/v1/operations/reconcile',
    headers: { ...headersWith(canaries), 'idempotency-key': idempotency_key },
    json: { [member_name]: content, session_id, scope_path: `/canary/${scope_segment}` },
  };
}

/** Requests about extraction with a canary wherever a caller may put one, each with the status it must get. */
export function extractionRequests(canaries: Texts): Refused[] {
  const headers = headersWith(canaries);
  const root = `/canary/${canaries.scope_segment}`;
  const limits = {
    scope_root: root,
    request_cap: 1_000,
    token_cap: 1_000_000_000,
    usd_micros_cap: 1_000_000_000,
    deadline_at: '2090-01-01T00:00:00Z',
    input_usd_micros_per_million: 1,
    output_usd_micros_per_million: 1,
  };
  const operations = '/api/v1/operations';
  const path = `${operations}/extraction-budget`;
  const put = (json: unknown): HttpCall => ({ method: 'PUT', path, headers, json });
  const costs = (query: string): HttpCall => ({ path: `${operations}/costs?${query}`, headers });
  const of = `${operations}/extraction-evidence?scope_root=`;
  const evidence = (scope: string): HttpCall => ({ path: `${of}${scope}`, headers });
  return [
    { status: 200, call: put(limits) },
    { status: 422, call: put({ ...limits, [canaries.member_name]: canaries.content }) },
    { status: 422, call: put({ ...limits, scope_root: `/a/../${canaries.scope_segment}` }) },
    { status: 422, call: put({ ...limits, deadline_at: canaries.malformed_json }) },
    { status: 200, call: costs(`${canaries.query_string}=${canaries.query_string}`) },
    { status: 422, call: costs(`by=${canaries.query_string}&from=${canaries.query_string}`) },
    { status: 200, call: evidence(root) },
    { status: 404, call: evidence(canaries.query_string) },
    { status: 404, call: evidence(`%00${canaries.query_string}`) },
    {
      status: 404,
      call: {
        method: 'POST',
        path: `/api/v1/operations/ingest/${canaries.url_path}/requeue`,
        headers: { ...headers, 'idempotency-key': canaries.idempotency_key },
        json: { [canaries.member_name]: canaries.content },
      },
    },
  ];
}

/** Requests of a person about gate rules with a canary wherever a caller may put one, with the status each must get. */
export function ruleRequests(canaries: Texts): Refused[] {
  const headers = headersWith(canaries);
  const path = '/api/v1/governance/rules';
  const scope = `/canary/${canaries.scope_segment}`;
  const rule = {
    target_level: 'account',
    sensitivity: 'restricted',
    gate_a: 'human',
    gate_b: 'human',
    minimum_evidence_level: 'direct',
    minimum_confidence: 1,
    minimum_corroboration: 1,
    requires_consent: true,
    automatic_consent: false,
    pending_max_age_hours: 1,
    [canaries.member_name]: canaries.content,
  };
  const put = (change: object): HttpCall => ({
    method: 'PUT',
    path,
    headers,
    json: { scope_path: scope, version: 0, rules: [rule], ...change },
  });
  const get = (asked: string): HttpCall => ({ path: `${path}?scope_path=${asked}`, headers });
  return [
    { status: 200, call: put({ [canaries.member_name]: canaries.content }) },
    { status: 409, call: put({ rules: [{ ...rule, minimum_confidence: 0 }] }) },
    { status: 200, call: put({ scope_path: `${scope}/early` }) },
    { status: 422, call: put({ scope_path: `/a/../${canaries.scope_segment}` }) },
    { status: 422, call: put({ rules: [{ ...rule, gate_a: canaries.malformed_json }] }) },
    { status: 422, call: put({ version: canaries.malformed_json }) },
    { status: 200, call: get(scope) },
    { status: 200, call: get(canaries.query_string) },
    { status: 422, call: get(`/a/../${canaries.query_string}`) },
  ];
}

/** An item of the review queue, and the version that a curator has seen. */
export interface SeenItem {
  readonly id: string;
  readonly version: number;
}

/**
 * Requests of a person about statements and their items with a canary wherever a caller may put one, in an order in which
 * each gets its status. The item asks about a proposal.
 */
export function deskRequests(canaries: Texts, { id, version }: SeenItem): Refused[] {
  const headers = headersWith(canaries);
  const reviews = '/api/v1/governance/reviews';
  const unknown = '01990000-0000-7000-8000-000000000000';
  const get = (status: number, path: string): Refused => ({ status, call: { path, headers } });
  const post = (status: number, path: string, json: object): Refused => ({
    status,
    call: {
      method: 'POST',
      path,
      headers,
      json: { ...json, [canaries.member_name]: canaries.content },
    },
  });
  const about = `${reviews}/${id}`;
  const own = '/api/v1/self/knowledge';
  const text = `The boat of ${canaries.content} lies in the harbour`;
  return [
    get(422, `${reviews}?state=${canaries.query_string}`),
    get(404, `${reviews}/${canaries.url_path}`),
    get(200, about),
    post(409, `${about}/approve`, { version: version + 7 }),
    post(422, `${about}/approve`, { version, expires_at: canaries.malformed_json }),
    post(422, `${about}/defer`, { version, until: canaries.malformed_json }),
    post(200, `${about}/defer`, { version }),
    post(422, `${about}/edit`, { version: version + 1, statement: `Is it ${text}?` }),
    post(404, `${about}/merge`, { version: version + 1, into: unknown }),
    post(422, `${about}/merge`, { version: version + 1, into: canaries.url_path }),
    post(422, `${reviews}/bulk`, {
      decisions: [{ id: canaries.url_path, version, action: 'reject' }],
    }),
    post(422, reviews, { knowledge_id: canaries.url_path, reason: text }),
    post(404, reviews, { knowledge_id: unknown, reason: text }),
    post(404, `${reviews}/${canaries.url_path}/undo`, {}),
    post(409, `${about}/undo`, {}),
    post(200, `${reviews}/bulk`, { decisions: [{ id: unknown, version, action: 'reject' }] }),
    post(200, `${about}/edit`, { version: version + 1, statement: `${text}.`, approve: true }),
    post(409, `${about}/reject`, { version: version + 2 }),
    post(404, `/api/v1/governance/knowledge/${canaries.url_path}/promote`, {
      target_scope_path: '/',
    }),
    post(422, `/api/v1/governance/knowledge/${unknown}/promote`, {
      target_scope_path: `/a/../${canaries.scope_segment}`,
    }),
    get(200, `${own}?limit=5&x=${canaries.query_string}`),
    get(422, `${own}?cursor=${canaries.query_string}`),
    get(422, `/api/v1/self/consents?cursor=${canaries.query_string}`),
    get(422, `${reviews}?cursor=${canaries.query_string}`),
    get(200, `${reviews}/summary?x=${canaries.query_string}`),
    get(422, `${reviews}/summary?scope_path=/a/../${canaries.scope_segment}`),
    post(422, `${reviews}/preview`, {
      decisions: [{ id: canaries.url_path, version, action: 'reject' }],
    }),
    post(200, `${reviews}/preview`, { decisions: [{ id: unknown, version, action: 'reject' }] }),
    get(422, `${reviews}?scope_path=/a/../${canaries.scope_segment}`),
    get(200, `${reviews}?subject_key=${canaries.peer_key}-nobody`),
    ...OWN_WORDS.map((word) => post(404, `${own}/${unknown}/${word}`, {})),
    get(200, '/api/v1/self/consents'),
    post(404, `/api/v1/self/consents/${canaries.url_path}`, { decision: 'deny' }),
    post(422, `/api/v1/self/consents/${unknown}`, { decision: canaries.malformed_json }),
    post(404, `/api/v1/validations/${unknown}`, {
      verdict: 'confirm',
      shown_text: `${text}, shown`,
      correction_text: `${text}, corrected`,
    }),
    post(404, `/api/v1/validations/${canaries.url_path}`, { verdict: 'skip' }),
    post(422, `/api/v1/validations/${unknown}`, { verdict: canaries.malformed_json }),
  ];
}

/** Requests for the description of the interface; the trace context is valid but for what rides on it. */
export function descriptionRequests(canaries: Texts): HttpCall[] {
  const headers = {
    ...headersWith(canaries),
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  };
  return ['/api/openapi.json', '/api/docs'].map((path) => ({
    path: `${path}?x=${canaries.query_string}`,
    headers,
  }));
}

interface Refused {
  readonly status: number;
  readonly call: HttpCall;
}

interface Tokens {
  /** A key that may write below `/canary`. */
  readonly agent: string;
  /** A key that may not. */
  readonly elsewhere: string;
}

function badBodies(canaries: Texts, token: string): Refused[] {
  const { malformed_json: malformed, member_name: member } = canaries;
  const at = { path: '/api/v1/ingest', token, headers: headersWith(canaries) };
  const usual = Object(observation(canaries).json);
  const invalid = [
    { ...usual, content: `${malformed}\u0000` },
    { [member]: '\u0000' },
    { ...usual, source: { [member]: { [member]: '\ud800' } } },
    { ...usual, [`${member}\u0000`]: 1 },
    { ...usual, session_id: { [member]: malformed } },
    { ...usual, scope_path: `/a/../${canaries.scope_segment}` },
    { ...usual, role: [canaries.role] },
    { ...usual, peer_name: `${canaries.peer_name}\u0007` },
    [canaries.content],
  ];
  return [
    { status: 400, call: { ...at, raw: malformed } },
    { status: 400, call: { ...at, raw: `{"content": "${malformed}", ` } },
    { status: 400, call: { ...at, raw: `{"${member}": ${malformed}}` } },
    ...invalid.map((json) => ({ status: 422, call: { ...at, json } })),
  ];
}

function badDocuments(canaries: Texts, token: string): Refused[] {
  const [usual] = documents(canaries);
  const at = `/api/v1/documents/${canaries.url_path}`;
  const headers = headersWith(canaries);
  const wrong = { ...Object(usual?.json), scope_path: `/a/../${canaries.scope_segment}` };
  return [
    { status: 422, call: { path: '/api/v1/documents', token, headers, json: wrong } },
    { status: 404, call: { path: at, token, headers } },
    { status: 404, call: { method: 'DELETE', path: at, token, headers } },
  ];
}

function badSearches(canaries: Texts, token: string): Refused[] {
  const wrong = [
    { query: { text: canaries.query } },
    { query: canaries.query, profile: canaries.query },
    { query: canaries.query, as_of: canaries.query },
    { query: canaries.query, source_filters: { source_message_id: canaries.query } },
    { query: canaries.query, strategies: [canaries.query] },
    { query: canaries.query, peer_key: `${canaries.peer_key}\u0007` },
  ];
  return wrong.map((json) => ({ status: 422, call: { path: '/api/v1/search', token, json } }));
}

/** Requests that are refused, each with the status it must get. */
export function refusedRequests(canaries: Texts, { agent, elsewhere }: Tokens): Refused[] {
  const usual = { ...observation(canaries), token: agent };
  const headers = headersWith(canaries);
  const unknown = '01990000-0000-7000-8000-000000000000';
  const json = (status: number, call: HttpCall): Refused => ({ status, call });
  return [
    json(401, { ...observation(canaries), token: canaries.bearer_token }),
    json(401, {
      ...observation(canaries),
      headers: { ...headers, authorization: canaries.password },
    }),
    json(401, {
      path: '/api/auth/password',
      headers,
      json: { email: `${canaries.email}@example.org`, password: canaries.password },
    }),
    json(422, {
      path: '/api/auth/password',
      headers,
      json: { email: { [canaries.email]: canaries.email }, password: canaries.password },
    }),
    json(403, { ...usual, token: elsewhere }),
    json(404, { path: `/api/v1/${canaries.url_path}`, token: agent, headers }),
    json(404, { path: `/${canaries.url_path}?q=${canaries.query_string}`, headers }),
    json(404, { path: `/api/v1/ingest/${canaries.url_path}`, token: agent }),
    json(404, {
      path: `/api/v1/ingest/${unknown}?wait_ms=1&x=${canaries.query_string}`,
      token: agent,
    }),
    json(422, { path: `/api/v1/ingest/${unknown}?wait_ms=${canaries.query_string}`, token: agent }),
    json(422, { path: `/api/v1/knowledge?state=${canaries.query_string}`, token: agent }),
    json(422, { path: `/api/v1/knowledge?scope_path=%00${canaries.query_string}`, token: agent }),
    json(422, { path: `/api/v1/knowledge?cursor=${canaries.query_string}`, token: agent }),
    json(405, {
      ...usual,
      method: 'DELETE',
      path: `/api/v1/ingest?x=${canaries.query_string}`,
    }),
    json(413, { ...usual, json: { ...Object(usual.json), content: filled(canaries, 1_100_000) } }),
    json(413, { ...usual, raw: filled(canaries, 4_300_000) }),
    json(415, { ...usual, headers: { ...headers, 'content-type': `text/${canaries.media_type}` } }),
    json(415, {
      ...usual,
      headers: { ...headers, 'content-type': `application/json; charset=${canaries.media_type}` },
    }),
    json(422, {
      ...usual,
      headers: { ...headers, 'idempotency-key': ['', canaries.idempotency_key] },
    }),
    json(422, {
      ...usual,
      headers: { ...headers, 'idempotency-key': canaries.idempotency_key.repeat(12) },
    }),
    ...badDocuments(canaries, agent),
    ...badBodies(canaries, agent),
    ...badSearches(canaries, agent),
  ];
}

function filled(canaries: Texts, bytes: number): string {
  const { too_large: text } = canaries;
  return text.repeat(Math.ceil(bytes / text.length));
}

/** Requests that read with a canary wherever a caller may put one. */
import type { HttpCall } from '../support/http.ts';
import { refusedQuestions } from './answers.ts';
import { headersWith, type Texts } from './requests.ts';

/** What is read of a person and of where something came from, with the status of each answer. */
export function furtherReads(
  canaries: Texts,
  statementId: string,
): { readonly status: number; readonly call: HttpCall }[] {
  const scope_path = `/canary/${canaries.scope_segment}`;
  const headers = headersWith(canaries);
  const named = { scope_path, peer_key: canaries.peer_key };
  const nowhere = '01890000-0000-7000-8000-000000000000';
  const lineage = '/api/v1/lineage';
  const sources = '/api/v1/source-search';
  const { content, query } = canaries;
  return [
    ...refusedQuestions(canaries),
    { status: 200, call: { path: sources, headers, json: { ...named, query } } },
    {
      status: 200,
      call: {
        path: sources,
        headers,
        json: { scope_path, query: `"${content}" -${query}`, mode: 'exact' },
      },
    },
    { status: 422, call: { path: sources, headers, json: { query, mode: query } } },
    {
      status: 200,
      call: {
        path: sources,
        headers,
        json: { query, scope_paths: [scope_path, '/poc'], include_neighbours: true },
      },
    },
    {
      status: 422,
      call: { path: sources, headers, json: { scope_path, scope_paths: [scope_path] } },
    },
    {
      status: 422,
      call: { path: '/api/v1/context', headers, json: { scope_paths: [`${scope_path}/..`] } },
    },
    { status: 200, call: { path: '/api/v1/stable-profile', headers, json: named } },
    {
      status: 422,
      call: {
        path: '/api/v1/stable-profile',
        headers,
        json: { peer_key: `${canaries.peer_key} of nobody` },
      },
    },
    { status: 200, call: { path: '/api/v1/context', headers, json: { ...named, query } } },
    {
      status: 422,
      call: {
        path: '/api/v1/context',
        headers,
        json: { peer_key: `${canaries.peer_key} of nobody` },
      },
    },
    { status: 200, call: { path: lineage, headers, json: { scope_path, target_id: statementId } } },
    { status: 404, call: { path: lineage, headers, json: { ...named, target_id: nowhere } } },
    { status: 404, call: { path: lineage, headers, json: { target_id: canaries.query } } },
  ];
}

/** Documents as a caller hands them in and asks for them. */
import { setPreset } from '../../operations/governance/preset.ts';
import type { HttpAnswer } from './http.ts';
import { eventually } from './patience.ts';
import { dataOf, startOwnService, type Body, type Service } from './service.ts';

export const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** A service whose first account places by itself, and the token of an agent that hands documents in. */
export async function startDocumentService(): Promise<{
  readonly service: Service;
  readonly writer: string;
}> {
  const service = await startOwnService();
  await service.operate(setPreset, { account: service.home.key, preset: 'unattended' });
  return { service, writer: (await service.home.agent('writer')).token };
}

/** Markdown at `/team`, unless `body` says otherwise. */
export function submitDocument(
  service: Service,
  token: string,
  body: Body,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  const json = { scope_path: '/team', media_type: 'text/markdown', ...body };
  return service.call({ path: '/api/v1/documents', token, json, headers });
}

/** The status of a version once it has come to an end. */
export function settledDocument(service: Service, token: string, id: unknown): Promise<Body> {
  const path = `/api/v1/documents/${String(id)}?wait_ms=10000`;
  return eventually(async () => {
    const answer = dataOf(await service.call({ path, token }));
    return answer['status'] !== 'pending' && answer;
  });
}

export async function submitAndWait(service: Service, token: string, body: Body): Promise<Body> {
  const { document_version_id: id } = dataOf(await submitDocument(service, token, body));
  return settledDocument(service, token, id);
}

/** The texts of the statements that a status lists, sorted. */
export function statementsOf(answer: Body): string[] {
  const { knowledge } = answer;
  if (!Array.isArray(knowledge)) throw new Error('no list of statements');
  return knowledge.map((row: Body) => String(row['statement'])).toSorted();
}

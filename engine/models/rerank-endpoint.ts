/**
 * The call that endpoints with rerankers have in common: `POST <base>/rerank {model, query, documents, top_n}`, which
 * answers `{results: [...]}` or the list alone. The AI SDK has no client for it. One call is one request, as elsewhere.
 */
import { APICallError } from 'ai';
import type { RemoteRoleConfig } from '../../domain/models/role-config.ts';
import { NOTHING_USED, NO_USAGE, type TokenUsage } from '../../domain/models/usage.ts';
import { fetchOnce, providerFailure, reported } from './ai-sdk.ts';
import type { RerankAnswer, RerankRequest } from './provider.ts';

/** Bytes of an answer: some endpoints send the documents back with it. */
const MOST_RERANK_BYTES = 1_048_576;

const fetchRankings = fetchOnce(MOST_RERANK_BYTES);

/** Asks once. Throws as `RemoteProvider` says. */
export async function askToRerank(
  config: RemoteRoleConfig,
  { query, documents, signal }: RerankRequest,
): Promise<RerankAnswer> {
  const url = `${config.baseUrl}/rerank`;
  const asked = { model: config.model, query, documents, top_n: documents.length };
  try {
    const response = await fetchRankings(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(config.apiKey === null ? {} : { authorization: `Bearer ${config.apiKey.reveal()}` }),
      },
      body: JSON.stringify(asked),
      signal,
    });
    const body = await response.text();
    const refused = (): APICallError => refusal(url, response, body);
    if (!response.ok) throw refused();
    return readAnswer(parsed(body, refused), refused);
  } catch (error) {
    throw providerFailure(error);
  }
}

/** An answer that is no JSON is not the reranker's: something in between wrote it. */
function parsed(body: string, refused: () => APICallError): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw refused();
  }
}

function readAnswer(answer: unknown, refused: () => APICallError): RerankAnswer {
  if (Array.isArray(answer)) return { rankings: answer, usage: NO_USAGE };
  const { results, usage, error } = Object(answer);
  // Some routers answer 200 with the upstream's error inside.
  if (results === undefined && error !== undefined) throw refused();
  return { rankings: results, usage: usageOf(usage) };
}

/** What is read are tokens of the query with each document; a reranker writes none. */
function usageOf(usage: unknown): TokenUsage {
  const { prompt_tokens: prompt, total_tokens: total } = Object(usage);
  const rerankerTokens = reported(prompt ?? total);
  return rerankerTokens === null ? NO_USAGE : { ...NOTHING_USED, rerankerTokens };
}

/** The answer in the form that the failures of all providers are read from. It never leaves this module. */
function refusal(url: string, { status, headers }: Response, responseBody: string): APICallError {
  return new APICallError({
    message: 'refused',
    url,
    requestBodyValues: {},
    statusCode: status,
    responseHeaders: Object.fromEntries(headers),
    responseBody,
  });
}

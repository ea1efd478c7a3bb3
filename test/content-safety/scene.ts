/** The real start with every server of its own, and the ways in which a caller and an operator reach it. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { z } from 'zod';
import { ROOT } from '../architecture/source-tree.ts';
import { makeCanaries } from '../support/canaries/canary.ts';
import { createScanner, type Scanner } from '../support/canaries/scanner.ts';
import { startCollector, type Collector } from '../support/collector.ts';
import { send, type HttpAnswer, type HttpCall } from '../support/http.ts';
import { stackDirectory, startStack, type RunningStack } from '../../measure/stack.ts';
import { startStubOpenAi, type StubOpenAi } from '../support/stub-openai.ts';
import { CALLER_CANARIES, observation } from './requests.ts';
import { SERVER_CANARIES } from './server-errors.ts';
import { stackFiles, type StackFiles } from './stack-files.ts';

const PROVIDER_CANARIES = [
  'provider_500',
  'provider_400',
  'provider_429',
  'provider_text',
  'provider_embedding_error',
  'provider_rerank_error',
  'provider_rerank_text',
  'provider_answer_error',
  'provider_answer_text',
  'provider_outage',
] as const;

type Name = (typeof CALLER_CANARIES | typeof SERVER_CANARIES | typeof PROVIDER_CANARIES)[number];

/** Failures in a row after which calls to a provider are kept back. */
export const CIRCUIT_FAILURES = 3;

const accepted = z.object({ data: z.object({ message_id: z.string() }) });

interface Answered {
  readonly expected: number | null;
  readonly answer: HttpAnswer;
  readonly request: HttpCall;
}

export interface Scene {
  readonly canaries: Readonly<Record<Name, string>>;
  readonly scanner: Scanner;
  readonly models: StubOpenAi;
  readonly embeddings: StubOpenAi;
  readonly rerankings: StubOpenAi;
  readonly answering: StubOpenAi;
  readonly collector: Collector;
  readonly stack: RunningStack;
  readonly files: StackFiles;
  /** Every answer, with the status it had to have and what was asked. */
  readonly answers: readonly Answered[];
  /** With the agent's key, unless the request has a credential. */
  readonly call: (request: HttpCall, expected: number | null) => Promise<HttpAnswer>;
  /** Without a credential, unless the request has one. */
  readonly callAsStranger: (request: HttpCall, expected: number | null) => Promise<HttpAnswer>;
  /** An observation that is accepted; the id of its message. */
  readonly ingest: (sentence: string) => Promise<string>;
  /** Runs the command line as an operator of this start does. */
  readonly vouch: (...args: string[]) => Promise<unknown>;
  /** As superuser, behind row security. */
  readonly rowsOf: (query: string) => Promise<readonly unknown[]>;
  close(): Promise<void>;
}

interface Outside {
  readonly models: StubOpenAi;
  readonly embeddings: StubOpenAi;
  readonly rerankings: StubOpenAi;
  readonly answering: StubOpenAi;
  readonly collector: Collector;
}

function settingsFor({
  models,
  embeddings,
  rerankings,
  answering,
  collector,
}: Outside): Record<string, string> {
  return {
    NODE_ENV: 'production',
    SERVICE_LOG_LEVEL: 'info',
    SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:stub-model',
    SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: models.baseUrl,
    SERVICE_MODEL_INGEST_EXTRACTOR_API_KEY: 'stub-key',
    SERVICE_MODEL_EMBEDDER: 'openai-compatible:stub-embedder',
    SERVICE_MODEL_EMBEDDER_BASE_URL: embeddings.baseUrl,
    SERVICE_MODEL_EMBEDDER_API_KEY: 'stub-key',
    SERVICE_MODEL_EMBEDDER_DIMENSIONS: '8',
    SERVICE_MODEL_RERANKER: 'openai-compatible:stub-reranker',
    SERVICE_MODEL_RERANKER_BASE_URL: rerankings.baseUrl,
    SERVICE_MODEL_RERANKER_API_KEY: 'stub-key',
    SERVICE_MODEL_DIALECTIC_AGENT: 'openai-compatible:stub-answerer',
    SERVICE_MODEL_DIALECTIC_AGENT_BASE_URL: answering.baseUrl,
    SERVICE_MODEL_DIALECTIC_AGENT_API_KEY: 'stub-key',
    SERVICE_CIRCUIT_FAILURES: String(CIRCUIT_FAILURES),
    SERVICE_CIRCUIT_OPEN_SECONDS: '1',
    SERVICE_ERASURE_SETTLE_SECONDS: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  };
}

async function commandLine(directory: string, args: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'bin/vouch.ts'), ...args, '--json'],
    { cwd: directory, env: { PATH: process.env['PATH'] ?? '', HOME: directory } },
  );
  return JSON.parse(stdout);
}

async function rowsOf(databaseUrl: string, query: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}

function doors(
  stack: RunningStack,
  canaries: Scene['canaries'],
): Pick<Scene, 'answers' | 'call' | 'callAsStranger' | 'ingest'> {
  const answers: Answered[] = [];
  const callAsStranger: Scene['callAsStranger'] = async (request, expected) => {
    const answer = await send(stack.baseUrl, request);
    answers.push({ expected, answer, request });
    return answer;
  };
  const call: Scene['call'] = (request, expected) =>
    callAsStranger({ token: stack.apiKey, ...request }, expected);
  return {
    answers,
    call,
    callAsStranger,
    async ingest(sentence) {
      const request = observation(canaries, sentence);
      const key = `${canaries.idempotency_key}-${sentence}`;
      const headers = { ...request.headers, 'idempotency-key': key };
      const answer = await call({ ...request, headers }, 202);
      return accepted.parse(answer.json()).data.message_id;
    },
  };
}

/** Starts everything. What was started is closed again when the start fails. */
export async function startScene(): Promise<Scene> {
  const canaries = makeCanaries(randomBytes(8).toString('hex'), [
    ...CALLER_CANARIES,
    ...SERVER_CANARIES,
    ...PROVIDER_CANARIES,
  ]);
  const directory = stackDirectory();
  const [models, embeddings, rerankings, answering, collector] = await Promise.all([
    startStubOpenAi(),
    startStubOpenAi(),
    startStubOpenAi(),
    startStubOpenAi(),
    startCollector(),
  ]);
  const outside: Outside = { models, embeddings, rerankings, answering, collector };
  const closeOutside = async (): Promise<void> => {
    await Promise.all(
      [models, embeddings, rerankings, answering, collector].map((one) => one.close()),
    );
    directory.remove();
  };
  try {
    const stack = await startStack(directory, settingsFor(outside));
    return {
      ...outside,
      canaries,
      scanner: createScanner(canaries),
      stack,
      files: stackFiles(directory),
      ...doors(stack, canaries),
      vouch: (...args) => commandLine(directory.path, args),
      rowsOf: (query) => rowsOf(stack.databaseUrl, query),
      async close() {
        await stack.stop();
        await closeOutside();
      },
    };
  } catch (error) {
    await closeOutside();
    throw error;
  }
}

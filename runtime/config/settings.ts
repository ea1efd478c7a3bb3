/**
 * Every setting but those of model roles, by what it is about. The page docs/reference/settings.md is made of this table:
 * a description is a sentence for operators, and defaults and ranges are read from the shapes.
 */
import { z } from 'zod';
import { LOG_LEVELS } from '../../engine/logging/logger.ts';
import { duration, flag, origins, port, portOrNone, trustedProxies, url } from './shapes.ts';
import { tokenLimits } from './token-limits.ts';
import { tracingShape } from './tracing.ts';

export const RECEIPT_KEY_FILE = '.vouch/receipt-key.pem';
const PROMISES_FILE = '.vouch/promises.jsonl';

const api = {
  SERVICE_HOST: z.string().default('127.0.0.1').describe('The address on which the API listens.'),
  SERVICE_PORT: port
    .optional()
    .describe('The port of the API. Unset takes 4000 or the next free port.'),
  SERVICE_PUBLIC_URL: url('http:', 'https:')
    .optional()
    .describe('The address that people and agents use, when a proxy stands in front of the API.'),
  SERVICE_ALLOWED_ORIGINS: origins
    .default([])
    .describe(
      'Origins of web pages that may ask `/mcp`, beside the public address, separated by commas.',
    ),
  SERVICE_TRUSTED_PROXIES: trustedProxies
    .optional()
    .describe(
      'Addresses and networks of proxies whose `X-Forwarded-For` the API believes. Unset trusts none.',
    ),
  SERVICE_RATE_LIMIT_PER_SECOND: z.coerce
    .number()
    .positive()
    .max(1_000_000)
    .optional()
    .describe(
      'Requests of one credential in a second. The API answers 429 past it. Unset sets no limit.',
    ),
  SERVICE_PASSWORD_TOKEN_TTL: duration
    .default(3600)
    .describe('How long a sign-in with a password lasts: seconds, or a duration such as `12h`.'),
};

const processes = {
  NODE_ENV: z
    .string()
    .optional()
    .describe(
      '`production` refuses the built-in models unless `SERVICE_ALLOW_DETERMINISTIC_MODELS=true`.',
    ),
  SERVICE_SECRET_KEY: z
    .string()
    .min(32, 'must have 32 characters or more')
    .optional()
    .describe(
      'The key of the hashes and signatures of this deployment, the same in each process. `npm start` draws one.',
    ),
  SERVICE_LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe('The least level of a line in the log.'),
  SERVICE_METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('The address on which a process serves its metrics. They ask for no credential.'),
  SERVICE_METRICS_PORT: portOrNone
    .optional()
    .describe(
      'The port of the metrics. 0 switches them off. Unset takes 9464 or the next free port.',
    ),
  SERVICE_READY_FILE: z
    .string()
    .optional()
    .describe('A file to which the process writes its id when it works, for its supervisor.'),
  SERVICE_BUILD_SHA: z
    .string()
    .regex(/^[0-9a-f]{7,40}$/, 'must be a git commit id')
    .optional()
    .describe(
      'The commit that the process was built from. `GET /api/health` and the Temporal UI show it.',
    ),
};

const servers = {
  DATABASE_URL: url('postgres:', 'postgresql:')
    .optional()
    .describe('Postgres, when it runs elsewhere.'),
  SERVICE_DATABASE_OWNER_URL: url('postgres:', 'postgresql:')
    .optional()
    .describe('Postgres as a role that may create roles, for migrations alone.'),
  SERVICE_DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(20)
    .describe('Connections of one process to Postgres. The next query waits.'),
  TEMPORAL_ADDRESS: z
    .string()
    .optional()
    .describe('`host:port` of Temporal, when it runs elsewhere.'),
  TEMPORAL_NAMESPACE: z.string().default('vouch').describe('The namespace of the workflows.'),
  SERVICE_TEMPORAL_UI_URL: url('http:', 'https:')
    .optional()
    .describe('Where administrators find the Temporal UI. The console links to it.'),
  TEMPORAL_CLI_PATH: z
    .string()
    .optional()
    .describe(
      'The Temporal program that `npm start` runs, in place of the one that it fetches or builds.',
    ),
  MEILI_HOST: url('http:', 'https:').optional().describe('Meilisearch, when it runs elsewhere.'),
  MEILI_MASTER_KEY: z.string().optional().describe('The key of that Meilisearch.'),
  QDRANT_URL: url('http:', 'https:').optional().describe('Qdrant, when it runs elsewhere.'),
  QDRANT_API_KEY: z.string().optional().describe('The key of that Qdrant.'),
  SERVICE_POSTGRES_PORT: port
    .optional()
    .describe('The port of the Postgres that `npm start` runs.'),
  SERVICE_TEMPORAL_PORT: port
    .optional()
    .describe('The port of the Temporal that `npm start` runs.'),
  SERVICE_TEMPORAL_UI_PORT: port.optional().describe('The port of its UI.'),
  SERVICE_MEILI_PORT: port
    .optional()
    .describe('The port of the Meilisearch that `npm start` runs.'),
  SERVICE_QDRANT_PORT: port.optional().describe('The port of the Qdrant that `npm start` runs.'),
};

const models = {
  SERVICE_CIRCUIT_FAILURES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(5)
    .describe(
      'Transient failures in a row after which the service keeps calls back from a provider.',
    ),
  SERVICE_CIRCUIT_OPEN_SECONDS: z.coerce
    .number()
    .min(1)
    .max(3_600)
    .default(30)
    .describe('Seconds for which it keeps them back.'),
  SERVICE_CONCURRENT_MODEL_CALLS: z.coerce
    .number()
    .int()
    .min(2)
    .max(256)
    .optional()
    .describe('Calls to remote models that a process has open at a time. Unset takes 16.'),
  SERVICE_BUDGET_LIMITS_JSON: tokenLimits
    .default({})
    .describe(
      'Daily limits of model tokens, the same for every account, as JSON: `{"*": {"input_tokens": 1000000}, "dream_reasoner": {"output_tokens": 50000}}`. `*` is all roles together. What is absent has no limit; 0 leaves room for nothing. Days are UTC.',
    ),
  SERVICE_EXTRACTION_BATCH_ANCHORS: z.coerce
    .number()
    .int()
    .min(1)
    .max(32)
    .default(8)
    .describe(
      'The most observations of a session in one call to the extractor. 1 sends each alone.',
    ),
  SERVICE_PARAPHRASE_COSINE: z
    .union([z.literal('off').transform(() => null), z.coerce.number().min(0.5).max(1)])
    .default(0.97)
    .describe(
      'The least cosine, 0.5 to 1, of two statements that say the same in other words. `off` keeps every wording apart.',
    ),
  SERVICE_ANSWER_CONTEXT_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .default(12)
    .describe('The most statements and messages from which a model writes an answer.'),
};

const keeping = {
  SERVICE_BLOB_STORE: z
    .string()
    .default('.vouch/blobs')
    .describe(
      'Where original bytes of documents are kept, the same for every process: a folder, or `s3://bucket/prefix`.',
    ),
  AWS_ENDPOINT_URL_S3: url('http:', 'https:')
    .optional()
    .describe("The address of a store other than Amazon's that speaks S3."),
  AWS_REGION: z.string().default('us-east-1').describe('The region of the bucket.'),
  AWS_ACCESS_KEY_ID: z.string().optional().describe('The key of the bucket.'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('The secret of that key.'),
  AWS_SESSION_TOKEN: z.string().optional().describe('The token of temporary keys.'),
  SERVICE_RECEIPT_KEY_FILE: z
    .string()
    .min(1)
    .default(RECEIPT_KEY_FILE)
    .describe(
      'The Ed25519 key in PEM that signs receipts of erasures, the same for every worker. The first worker makes it.',
    ),
  SERVICE_PROMISES_FILE: z
    .string()
    .min(1)
    .default(PROMISES_FILE)
    .describe(
      'The list of promises that a restored database must keep: erasures, withdrawals and rights that ended. Every process appends to it; it belongs on another disk than the database, and is never restored with it. Without it nothing can be erased or taken back.',
    ),
  SERVICE_ERASURE_SETTLE_SECONDS: z.coerce
    .number()
    .min(0)
    .max(86_400)
    .default(180)
    .describe(
      'Seconds between the two readings back of an erasure. No write that was under way may take longer.',
    ),
  SERVICE_UNATTENDED: flag
    .default(false)
    .describe('Gives new accounts the governance preset `unattended`.'),
  SERVICE_EXPERIMENTAL_MINIMAL_RECALL: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((word) => word === 'true')
    .describe('Lets searches ask for the profile `minimal`.'),
};

/** The settings by the heading of their part of the page. */
export const SETTING_GROUPS = {
  'The API': api,
  Processes: processes,
  Servers: servers,
  Models: models,
  'What is kept': keeping,
  Traces: tracingShape,
} as const;

export const settings = z.object({
  ...api,
  ...processes,
  ...servers,
  ...models,
  ...keeping,
  ...tracingShape,
});

export type Settings = z.infer<typeof settings>;

/** Every variable that is a setting, but for those of model roles. */
export const SETTING_NAMES: readonly string[] = settings.keyof().options;

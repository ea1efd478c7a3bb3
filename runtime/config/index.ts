/**
 * Every setting of every process: one schema, parsed once at start, all problems reported together. No other module
 * reads the variables. Their names follow the contract and the ecosystem; the service's own begin with SERVICE_.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseDurationSeconds } from './duration.ts';
import { parseModelRoles } from './models.ts';
import type { Variables } from './model-settings.ts';
import { settingsNotBuilt } from './not-built.ts';
import { LOG_LEVELS } from '../logger.ts';
import { tracingShape } from './tracing.ts';
import { parseTrustedProxies } from './trusted-proxies.ts';

const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => text === 'true' || text === '1');

const port = z.coerce.number('must be a port').int().min(1).max(65_535);

const url = (...protocols: string[]) =>
  z.string().refine(
    (text) => {
      const parsed = URL.parse(text);
      return parsed !== null && protocols.includes(parsed.protocol);
    },
    `must be an address of the form ${protocols.join(' or ')}//host:port`,
  );

const duration = z.string().transform((text, context) => {
  const seconds = parseDurationSeconds(text);
  if (seconds !== null) return seconds;
  context.addIssue({ code: 'custom', message: 'must be a duration such as 90d, 12h, 30m or 45s' });
  return z.NEVER;
});

const trustedProxies = z.string().transform((text, context) => {
  const trusted = parseTrustedProxies(text);
  if (trusted !== null) return trusted;
  context.addIssue({
    code: 'custom',
    message: 'must be addresses or networks such as 10.0.0.0/8, separated by commas',
  });
  return z.NEVER;
});

const origins = z.string().transform((text, context): readonly string[] => {
  const found = text.split(',').map((one) => URL.parse(one.trim()));
  if (found.every((one) => one !== null && /^https?:$/.test(one.protocol))) {
    return found.flatMap((one) => (one === null ? [] : [one.origin]));
  }
  context.addIssue({
    code: 'custom',
    message: 'must be origins such as https://app.example, separated by commas',
  });
  return z.NEVER;
});

export const RECEIPT_KEY_FILE = '.vouch/receipt-key.pem';

const settings = z.object({
  ...tracingShape,
  NODE_ENV: z.string().optional(),
  /** Address the API listens on. */
  SERVICE_HOST: z.string().default('127.0.0.1'),
  SERVICE_PORT: port.optional(),
  /** Base address people and agents use, when a proxy stands in front. */
  SERVICE_PUBLIC_URL: url('http:', 'https:').optional(),
  /** Origins of web pages that may ask `/mcp`, beside the public address, separated by commas. */
  SERVICE_ALLOWED_ORIGINS: origins.default([]),
  /** Proxies that are trusted to set `X-Forwarded-For`; unset trusts none. */
  SERVICE_TRUSTED_PROXIES: trustedProxies.optional(),
  SERVICE_LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  /** The key of this deployment's hashes and signatures; the same in each of its processes. */
  SERVICE_SECRET_KEY: z.string().min(32, 'must have 32 characters or more').optional(),
  /** Where the metrics of a process can be read; see `runtime/telemetry/listener.ts`. */
  SERVICE_METRICS_HOST: z.string().default('127.0.0.1'),
  /** 0 switches them off; unset takes 9464 or the next free port. */
  SERVICE_METRICS_PORT: z.coerce.number('must be a port').int().min(0).max(65_535).optional(),
  /** A file that the process writes its id to once it works, for its supervisor. */
  SERVICE_READY_FILE: z.string().optional(),
  SERVICE_BUILD_SHA: z
    .string()
    .regex(/^[0-9a-f]{7,40}$/, 'must be a git commit id')
    .optional(),

  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  SERVICE_DATABASE_OWNER_URL: url('postgres:', 'postgresql:').optional(),
  SERVICE_DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(20),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('vouch'),
  /** Where administrators find the Temporal UI; the console leads there. */
  SERVICE_TEMPORAL_UI_URL: url('http:', 'https:').optional(),
  TEMPORAL_CLI_PATH: z.string().optional(),
  MEILI_HOST: url('http:', 'https:').optional(),
  MEILI_MASTER_KEY: z.string().optional(),
  QDRANT_URL: url('http:', 'https:').optional(),
  QDRANT_API_KEY: z.string().optional(),
  /** Parts in which Qdrant keeps the points of a collection; `stores/qdrant/collection.ts` has the usual number. */
  SERVICE_QDRANT_SEGMENTS: z.coerce.number().int().min(1).max(64).optional(),

  SERVICE_POSTGRES_PORT: port.optional(),
  SERVICE_TEMPORAL_PORT: port.optional(),
  SERVICE_TEMPORAL_UI_PORT: port.optional(),
  SERVICE_MEILI_PORT: port.optional(),
  SERVICE_QDRANT_PORT: port.optional(),

  /** Lifetime of a password token. */
  SERVICE_PASSWORD_TOKEN_TTL: duration.default(3600),
  /** Requests per second and credential; unlimited when unset. */
  SERVICE_RATE_LIMIT_PER_SECOND: z.coerce.number().positive().max(1_000_000).optional(),
  /** Transient failures in a row after which calls to a provider are kept back, and for how many seconds. */
  SERVICE_CIRCUIT_FAILURES: z.coerce.number().int().min(1).max(1_000).default(5),
  SERVICE_CIRCUIT_OPEN_SECONDS: z.coerce.number().min(1).max(3_600).default(30),
  /** Calls to remote models that a process has open at a time; `engine/models/calls.ts` has the usual number. */
  SERVICE_CONCURRENT_MODEL_CALLS: z.coerce.number().int().min(2).max(256).optional(),
  /** The most observations of a session that one call to the extractor asks about; 1 asks about each alone. */
  SERVICE_EXTRACTION_BATCH_ANCHORS: z.coerce.number().int().min(1).max(32).default(8),
  /** The most tokens of the messages in such a call, by the service's own estimate. */
  SERVICE_EXTRACTION_BATCH_TOKENS: z.coerce.number().int().min(500).max(500_000).default(12_000),
  /** The least cosine of two statements that say the same in other words; `off` leaves such statements apart. */
  SERVICE_PARAPHRASE_COSINE: z
    .union([z.literal('off').transform(() => null), z.coerce.number().min(0.5).max(1)])
    .default(0.97),
  /** Where original bytes of documents are kept, the same for every process: a folder, or `s3://bucket/prefix`. */
  SERVICE_BLOB_STORE: z.string().default('.vouch/blobs'),
  /** The Ed25519 key in PEM that signs receipts of erasures; made where it is missing. The same for every worker. */
  SERVICE_RECEIPT_KEY_FILE: z.string().min(1).default(RECEIPT_KEY_FILE),
  /** Between the two readings back of an erasure: longer than any write that was under way may take. */
  SERVICE_ERASURE_SETTLE_SECONDS: z.coerce.number().min(0).max(86_400).default(180),
  /** The address of a store other than Amazon's that speaks S3. */
  AWS_ENDPOINT_URL_S3: url('http:', 'https:').optional(),
  AWS_REGION: z.string().default('us-east-1'),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  /** Makes `unattended` the governance preset of new accounts. */
  SERVICE_UNATTENDED: flag.default(false),
  /** The most items of evidence that an answer is written from. */
  SERVICE_ANSWER_CONTEXT_LIMIT: z.coerce.number().int().min(1).max(50).default(12),
  /** The contract admits one word for it (interface, POST /api/v1/search). */
  SERVICE_EXPERIMENTAL_MINIMAL_RECALL: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((word) => word === 'true'),
});

export type Settings = z.infer<typeof settings>;

/** Every variable that is a setting, but for those of model roles. */
export const SETTING_NAMES: readonly string[] = settings.keyof().options;

export interface Config {
  readonly production: boolean;
  readonly settings: Settings;
  readonly models: ReturnType<typeof parseModelRoles>['roles'];
}

/** Thrown by `loadConfig`; `problems` are complete sentences without secrets. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Parses the environment. An empty value counts as unset.
 * Throws `ConfigError` with every problem at once.
 */
export function loadConfig(environment: Variables): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const production = present['NODE_ENV'] === 'production';
  const parsed = settings.safeParse(present);
  const models = parseModelRoles(present, {
    production,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  const problems = [
    ...(parsed.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) ?? []),
    ...models.problems,
    ...settingsNotBuilt(Object.keys(present)),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return { production, settings: parsed.data, models: models.roles };
}

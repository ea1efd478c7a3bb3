/** What a finished start prints: addresses, models, preset, credentials, and three lines to paste. */
import type { ModelDescription } from '../../domain/models/identity.ts';
import { firstSteps } from './first-steps.ts';

export interface ServerLine {
  readonly name: string;
  readonly address: string;
  /** `embedded`, or the variable that named it. */
  readonly origin: string;
}

export interface BannerFacts {
  readonly baseUrl: string;
  readonly temporalUiUrl: string;
  /** On 127.0.0.1, or the host of SERVICE_METRICS_HOST; 0 for none. */
  readonly metricsPorts: { readonly api: number; readonly worker: number };
  readonly servers: readonly ServerLine[];
  readonly models: Readonly<Record<string, ModelDescription>>;
  readonly preset: string;
  readonly credentialsFile: string | null;
  readonly answerFile: string;
  readonly seconds: number;
}

function modelLine(role: string, model: ModelDescription): string {
  const version = model.provider === 'none' ? '' : ` ${model.model} (${model.version})`;
  return `  ${role.padEnd(18)}${model.provider}${version}`;
}

function presetNote(preset: string): string {
  return preset === 'strict'
    ? 'a person decides on every wider placement; until then a statement is visible to its peer only'
    : 'see `npx vouch governance rules`';
}

function credentialLines(facts: BannerFacts): string[] {
  if (facts.credentialsFile === null) {
    return [
      'Credentials      an account already exists, and this directory does not have its credentials.',
      '                 Create a key with: npx vouch key create --peer my-agent --scope / --role member',
    ];
  }
  return [
    `Credentials      ${facts.credentialsFile} (administrator, agent key)`,
    '',
    'Send an observation, wait for its extraction, search for it:',
    '',
    ...firstSteps(facts.credentialsFile, facts.answerFile),
  ];
}

function metricsText({ api, worker }: BannerFacts['metricsPorts']): string {
  if (api === 0) return 'off (SERVICE_METRICS_PORT=0)';
  return `/metrics on port ${api} (API) and port ${worker} (workers)`;
}

/** The closing lines of a start. */
export function banner(facts: BannerFacts): readonly string[] {
  return [
    '',
    `Vouch is ready (${facts.seconds.toFixed(1)} s).`,
    '',
    `API              ${facts.baseUrl}`,
    `Console          ${facts.baseUrl}/console`,
    `Temporal UI      ${facts.temporalUiUrl}`,
    `Metrics          ${metricsText(facts.metricsPorts)}`,
    '',
    ...facts.servers.map(({ name, address, origin }) => `${name.padEnd(17)}${address}  ${origin}`),
    '',
    'Models           set SERVICE_MODEL_<ROLE>=<provider>[:<model>], for example',
    '                 SERVICE_MODEL_INGEST_EXTRACTOR=openai-compatible:<model> with OPENAI_BASE_URL and OPENAI_API_KEY',
    ...Object.entries(facts.models).map(([role, model]) => modelLine(role, model)),
    '',
    `Governance       ${facts.preset}: ${presetNote(facts.preset)}`,
    '                 change it with: npx vouch governance preset <strict|assisted|unattended>',
    '',
    ...credentialLines(facts),
    '',
    'Ctrl-C stops everything. The next start uses the same data.',
    '',
  ];
}

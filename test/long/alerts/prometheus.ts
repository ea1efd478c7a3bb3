/** A Prometheus of its own over a running service, with the shipped alerts and short times. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ROOT } from '../../architecture/source-tree.ts';
import { eventually } from '../../support/patience.ts';

export interface Prometheus {
  readonly url: string;
  /** Names of alerts that fire now. */
  firing(): Promise<readonly string[]>;
  /** What a query answers: each series with its value. */
  query(text: string): Promise<readonly { readonly labels: string; readonly value: string }[]>;
  close(): Promise<void>;
}

/**
 * The times over which an alert looks and waits are short, and a lag of 20 s is enough: the age of an observation is in its
 * id, so it cannot be made older. All other thresholds stay.
 */
function shortened(rules: string): string {
  return rules
    .replaceAll(/for: \d+m/g, 'for: 2s')
    .replaceAll('[5m]', '[20s]')
    .replaceAll(/(_lag_seconds\)) > 600/g, '$1 > 20');
}

interface Answered {
  readonly data: {
    readonly alerts?: readonly { labels: { alertname: string }; state: string }[];
    readonly result?: readonly { metric: Record<string, string>; value: [number, string] }[];
  };
}

export async function startPrometheus(
  folder: string,
  port: number,
  targets: readonly string[],
): Promise<Prometheus> {
  mkdirSync(folder, { recursive: true });
  const rules = readFileSync(join(ROOT, 'deploy/prometheus/vouch.rules.yml'), 'utf8');
  writeFileSync(join(folder, 'vouch.rules.yml'), shortened(rules));
  writeFileSync(
    join(folder, 'prometheus.yml'),
    stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['vouch.rules.yml'],
      scrape_configs: [{ job_name: 'vouch', static_configs: [{ targets }] }],
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const ask = async (path: string): Promise<Answered> =>
    (await (await fetch(`${url}${path}`)).json()) as Answered;
  await eventually(async () => (await fetch(`${url}/-/ready`).catch(() => null))?.ok);
  return {
    url,
    async firing() {
      const { alerts = [] } = (await ask('/api/v1/alerts')).data;
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    },
    async query(text) {
      const { result = [] } = (await ask(`/api/v1/query?query=${encodeURIComponent(text)}`)).data;
      return result.map(({ metric, value }) => ({
        labels: Object.entries(metric)
          .map(([name, word]) => `${name}=${word}`)
          .join(' '),
        value: value[1],
      }));
    },
    async close() {
      const over = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await over;
    },
  };
}

/**
 * Every shipped alert, seen on a running service: what it watches is broken, the alert fires, what was broken is mended, and
 * the alert goes away. Needs root (a small disk is mounted) and Debian's Prometheus:
 *
 *   node test/long/alerts/main.ts [folder for what was seen [alert ...]]
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, patiently } from './patience.ts';
import { openScene, type Scene } from './scene.ts';
import { startPrometheus, type Prometheus } from './prometheus.ts';
import { STEPS, type Step } from './steps.ts';
import { dashboardText } from './dashboard.ts';

const SOME_TOKENS = '{"dialectic_agent":{"output_tokens":100000}}';

async function seen(prometheus: Prometheus, alert: string, fires: boolean): Promise<number> {
  const startedAt = performance.now();
  await patiently(async () => (await prometheus.firing()).includes(alert) === fires);
  return Math.round((performance.now() - startedAt) / 1_000);
}

async function play(scene: Scene, prometheus: Prometheus): Promise<string[]> {
  const lines: string[] = [];
  for (const { alerts, breaks } of STEPS.filter(isChosen)) {
    const mend = await breaks(scene);
    for (const alert of alerts) {
      try {
        lines.push(`${alert}: fired after ${await seen(prometheus, alert, true)} s`);
      } catch {
        lines.push(`${alert}: NOT SEEN TO FIRE`);
      }
      process.stdout.write(`${lines.at(-1)}\n`);
    }
    const end = await mend();
    for (const alert of alerts) {
      try {
        lines.push(`${alert}: over after ${await seen(prometheus, alert, false)} s`);
      } catch {
        lines.push(`${alert}: NOT SEEN TO END`);
      }
      process.stdout.write(`${lines.at(-1)}\n`);
    }
    end?.();
  }
  return lines;
}

const [folder = '/tmp/vouch-alerts-seen', ...only] = process.argv.slice(2);
/** Later steps need what earlier ones have said: name those too. */
const isChosen = ({ alerts }: Step): boolean =>
  only.length === 0 || alerts.some((alert) => only.includes(alert));
rmSync(folder, { recursive: true, force: true });
const scene = await openScene(SOME_TOKENS);
const targets = ['metrics', 'workerMetrics'].map((name) => `127.0.0.1:${scene.port(name)}`);
const prometheus = await startPrometheus(folder, await freePort(), targets);
try {
  await sleep(5_000);
  process.stdout.write(`at first: ${JSON.stringify(await prometheus.firing())}\n`);
  const lines = await play(scene, prometheus);
  writeFileSync(join(folder, 'seen.txt'), `${lines.join('\n')}\n`);
  const dashboard = readFileSync(
    new URL('../../../deploy/grafana/vouch.json', import.meta.url),
    'utf8',
  );
  writeFileSync(join(folder, 'dashboard.html'), await dashboardText(prometheus, dashboard));
  process.exitCode = lines.some((line) => line.includes('NOT')) ? 1 : 0;
} finally {
  await prometheus.close();
  await scene.close();
}

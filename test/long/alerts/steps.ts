/** How what each alert watches is broken, and mended. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StubBehaviour } from '../../support/stub-openai.ts';
import { patiently } from './patience.ts';
import type { Scene } from './scene.ts';

export interface Step {
  readonly alerts: readonly string[];
  /** Breaks it. Answers how it is mended, which answers what ends with the step. */
  readonly breaks: (scene: Scene) => Promise<() => Promise<(() => void) | void>>;
}

const PASSWORD = 'correct horse battery';

function field(body: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), body);
}

/** Does it again and again until told to stop. A failure is what it may be for. */
function again(work: () => Promise<unknown>, everyMs: number): () => void {
  let over = false;
  const loop = async (): Promise<void> => {
    if (over) return;
    await work().catch(() => undefined);
    setTimeout(() => void loop(), everyMs);
  };
  void loop();
  return () => void (over = true);
}

async function say({ service }: Scene, peer: string, content: string): Promise<string> {
  const { body } = await service.ask('POST', '/api/v1/ingest', {
    session_id: 'club',
    scope_path: '/club',
    peer_key: peer,
    content,
  });
  return String(field(body, 'data', 'message_id'));
}

async function extracted({ service }: Scene, id: string): Promise<void> {
  await patiently(async () => {
    const { body } = await service.ask('GET', `/api/v1/ingest/${id}?wait_ms=5000`);
    return field(body, 'data', 'status') === 'completed';
  });
}

const admin = ({ service }: Scene): string => service.credentials().admin.token;

async function itemOf(scene: Scene, kind: string): Promise<{ id: string; version: number }> {
  return patiently(async () => {
    const path = `/api/v1/governance/reviews?kind=${kind}`;
    const { body } = await scene.service.ask('GET', path, undefined, admin(scene));
    const item = field(body, 'data', 'items', 0);
    const [id, version] = [field(item, 'id'), field(item, 'version')];
    return typeof id === 'string' && { id, version: Number(version) };
  });
}

async function decide(scene: Scene, kind: string, how: 'approve' | 'reject'): Promise<void> {
  const { id } = await itemOf(scene, kind);
  const [row] = await scene.sql('select version from review_items where id = $1', [id]);
  const body = { version: Number(row?.['version']) };
  const path = `/api/v1/governance/reviews/${id}/${how}`;
  const answer = await scene.service.ask('POST', path, body, admin(scene));
  if (answer.status !== 200) throw new Error(JSON.stringify(answer));
}

async function signedIn({ service }: Scene, peer: string): Promise<string> {
  await service.json(
    [
      'user',
      'create',
      `--email=${peer}@example.org`,
      `--name=${peer}`,
      '--scope=/',
      '--role=member',
      `--peer=${peer}`,
      '--password-stdin',
    ],
    PASSWORD,
  );
  const { body } = await service.ask('POST', '/api/auth/password', {
    email: `${peer}@example.org`,
    password: PASSWORD,
  });
  return String(field(body, 'data', 'token'));
}

/** An item that curators have let lie for more than a day since its time passed. */
const LONG_OVERDUE = `
  update review_items set state = 'escalated', escalated_at = now() - interval '26 hours',
    due_at = now() - interval '2 hours', past_ageing = true
  where kind = 'gate_a_b' and decided_at is null`;
/** A contest ends by itself a day after its escalation, so this one was escalated an hour ago. */
const JUST_ESCALATED = `
  update review_items set state = 'escalated', escalated_at = now() - interval '1 hour',
    due_at = now() + interval '23 hours'
  where kind = 'contest' and decided_at is null`;

let alice = '';

const desk: Step = {
  alerts: ['VouchReviewsOverdue', 'VouchContestsOverdue'],
  async breaks(scene) {
    for (const said of ['I play the cello.', 'I keep two goats.']) {
      await extracted(scene, await say(scene, 'alice', said));
    }
    await decide(scene, 'gate_a_b', 'approve');
    alice = await signedIn(scene, 'alice');
    const [placed] = await scene.sql("select id from knowledge where state = 'active'");
    const path = `/api/v1/self/knowledge/${String(placed?.['id'])}/contest`;
    const contested = await scene.service.ask('POST', path, {}, alice);
    if (contested.status !== 200) throw new Error(JSON.stringify(contested));
    await itemOf(scene, 'contest');
    for (const text of [LONG_OVERDUE, JUST_ESCALATED]) await scene.sql(text);
    return async () => {
      for (const kind of ['gate_a_b', 'contest']) await decide(scene, kind, 'reject');
    };
  },
};

const worker: Step = {
  alerts: [
    'VouchWorkerAway',
    'VouchExtractionLags',
    'VouchIndexLags',
    'VouchSweepsLate',
    'VouchErasureLate',
    'VouchAuditUnsealed',
  ],
  async breaks(scene) {
    scene.signal('worker', 'SIGSTOP');
    await say(scene, 'bert', 'I row a red canoe.');
    const path = '/api/v1/self/erasure';
    const asked = await scene.service.ask('POST', path, { mode: 'proportionate' }, alice);
    if (asked.status !== 202) throw new Error(JSON.stringify(asked));
    const ago = "now() - interval '2 hours'";

    await scene.sql(`update dirty_marks set marked_at = ${ago}`);
    await scene.sql(`update sweep_passes set completed_at = ${ago}`);
    await scene.sql(`update pipeline_runs set created_at = ${ago} where kind = 'erasure'`);
    return async () => void scene.signal('worker', 'SIGCONT');
  },
};

const api: Step = {
  alerts: ['VouchApiAway'],
  async breaks(scene) {
    scene.signal('api', 'SIGSTOP');
    return async () => void scene.signal('api', 'SIGCONT');
  },
};

/** As agents do, it gives up on a service that does not answer. */
async function impatiently({ port, service }: Scene): Promise<void> {
  const { agent } = service.credentials();
  await fetch(`http://127.0.0.1:${port('api')}/api/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      session_id: 'lake',
      scope_path: '/club',
      peer_key: 'carl',
      content: 'I sail.',
    }),
    signal: AbortSignal.timeout(2_000),
  });
}

const database: Step = {
  alerts: ['VouchNotAccepting', 'VouchFiguresMissing'],
  async breaks(scene) {
    const stops = Array.from({ length: 4 }, () => again(() => impatiently(scene), 200));
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    scene.signal('postgres', 'SIGSTOP');
    return async () => {
      scene.signal('postgres', 'SIGCONT');
      return () => {
        for (const stop of stops) stop();
      };
    };
  },
};

const question = ({ service }: Scene) =>
  service.ask('POST', '/api/v1/ask', { question: 'Who rows a red canoe?', scope_path: '/club' });

/** Asks again and again. The provider behaves so whenever it is asked; calls that are kept back leave nothing behind. */
function askOnly(scene: Scene, behaviour: StubBehaviour): () => void {
  let answered = -1;
  return again(async () => {
    const { length } = scene.provider.requests;
    if (length !== answered) scene.provider.script(behaviour);
    answered = length;
    await question(scene);
  }, 300);
}

const circuit: Step = {
  alerts: ['VouchCircuitOpen'],
  async breaks(scene) {
    await extracted(scene, await say(scene, 'dora', 'I row a red canoe.'));
    const stop = askOnly(scene, { kind: 'status', status: 503 });
    return async () => {
      stop();
      return again(() => question(scene), 1_000);
    };
  },
};

const budget: Step = {
  alerts: ['VouchTokenBudgetNearlyUsed'],
  async breaks(scene) {
    const stop = askOnly(scene, { kind: 'unmetered' });
    return async () => {
      stop();
      await scene.restart({
        SERVICE_BUDGET_LIMITS_JSON: '{"dialectic_agent":{"output_tokens":2000000000}}',
      });
    };
  },
};

const disk: Step = {
  alerts: ['VouchDiskFillingUp'],
  async breaks(scene) {
    const file = join(scene.blobs, 'full');
    writeFileSync(file, Buffer.alloc(60 * 1024 * 1024));
    return async () => rmSync(file);
  },
};

export const STEPS: readonly Step[] = [disk, desk, worker, api, database, circuit, budget];

/** Data, options and predictions of `npm run eval -- gatemem`. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGatemem } from '../../../../measure/data/gatemem.ts';
import { optionsOf } from '../../../../measure/eval/gatemem/options.ts';
import { writePredictions } from '../../../../measure/eval/gatemem/predictions.ts';
import { modelSettings, runGatemem } from '../../../../measure/eval/gatemem/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-eval-gatemem-'));
afterAll(() => rmSync(folder, { recursive: true }));

const EPISODE = {
  episode_id: 'one',
  entities: {
    principals: [{ principal_id: 'ida', role: 'patient', display_name: 'Ida Holm' }],
    relationships: [{ type: 'kin', principal_id: 'ida', close: true }],
  },
  turns: [
    { turn_id: 't1', speaker: { principal_id: 'ida' }, text: 'I keep two goats.' },
    { turn_id: 't2', speaker: { principal_id: 'ida' }, text: 'One is grey.', turn_kind: 'note' },
  ],
};
const asked = (checkpoint_id: string, as_of_turn_id: string): object => ({
  checkpoint_id,
  episode_id: 'one',
  as_of_turn_id,
  asker: { principal_id: 'ida' },
  query_type: 'utility',
  query_text: 'how many goats',
  judge_spec: { include: ['two goats'] },
});

function write(data: string, checkpoints: readonly object[]): string {
  const domain = join(folder, data, 'gatemem', 'farm');
  mkdirSync(domain, { recursive: true });
  writeFileSync(join(domain, 'episodes.jsonl'), `${JSON.stringify(EPISODE)}\n`);
  const lines = checkpoints.map((one) => `${JSON.stringify(one)}\n`);
  writeFileSync(join(domain, 'checkpoints.jsonl'), lines.join(''));
  return join(folder, data);
}

describe('the data', () => {
  test('that is missing gives null, and the run says so without failing', async () => {
    expect(readGatemem(folder)).toBeNull();
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    expect(await runGatemem({ asked: [], dataFolder: folder, env: {}, say })).toBe(0);
    expect(lines).toEqual(['gatemem: skipped, no data']);
  });

  test('gives the checkpoints of an episode in the order in which they are asked', () => {
    const domains = readGatemem(write('good', [asked('late', 't2'), asked('early', 't1')]));
    const [episode] = domains?.[0]?.episodes ?? [];
    expect(domains?.map(({ name }) => name)).toEqual(['farm']);
    expect(episode?.relations).toEqual([{ type: 'kin', principal_id: 'ida' }]);
    expect(episode?.turns).toEqual([
      { speaker: 'ida', text: 'I keep two goats.', kind: null, at: null },
      { speaker: 'ida', text: 'One is grey.', kind: 'note', at: null },
    ]);
    expect(episode?.checkpoints).toMatchObject([
      { id: 'early', after: 1, needed: ['two goats'], leaks: [], forbidden: [] },
      { id: 'late', after: 2 },
    ]);
  });

  test('with another shape, or a turn that is not there, is refused without quoting it', () => {
    const shape = write('shape', [{ secret: 'kettle' }]);
    expect(() => readGatemem(shape)).toThrow('line 1 of a gatemem file has another shape');
    const turn = write('turn', [asked('one', 't9')]);
    expect(() => readGatemem(turn)).toThrow('names a turn that its episode lacks');
  });
});

test('options narrow a run; audiences are on, questions off, and requests to forget act unless they say otherwise', () => {
  expect(optionsOf(['--forgetting=own'])).toMatchObject({ forgetting: 'own' });
  expect(optionsOf(['--forgetting=on'])).toBeNull();
  expect(optionsOf([])).toMatchObject({
    forgetting: 'all',
    audience: true,
    questions: false,
    episodes: Infinity,
    domain: null,
  });
  expect(
    optionsOf(['--audience=off', '--questions=on', '--episodes=2', '--domain=farm']),
  ).toMatchObject({
    audience: false,
    questions: true,
    episodes: 2,
    domain: 'farm',
  });
});

test.each(['--audience=maybe', '--episodes=0', '--domain', 'farm'])(
  'the argument %s is a usage error',
  async (argument) => {
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    const run = { asked: [argument], dataFolder: folder, env: {}, say };
    expect(await runGatemem(run)).toBe(2);
    expect(lines[0]).toMatch(/^usage: /u);
  },
);

test('the built-in answerer answers unless a model is named, and only settings of models are passed on', () => {
  expect(modelSettings({ PATH: '/bin' })).toEqual({
    SERVICE_MODEL_DIALECTIC_AGENT: 'deterministic',
  });
  const named = { SERVICE_MODEL_DIALECTIC_AGENT: 'openai:small', OPENAI_BASE_URL: 'http://one' };
  expect(modelSettings({ ...named, SERVICE_LOG_LEVEL: 'debug' })).toEqual(named);
});

test('predictions have one line for each checkpoint, in the form of the benchmark', () => {
  const item = { kind: 'message', text: 'Ida keeps goats.', turns: [0] } as const;
  const answer = { text: 'Goats.', abstained: false, citations: ['id'] };
  const file = writePredictions(folder, 'farm', [
    { checkpointId: 'one', evidence: { items: [item], answer, isComplete: true } },
    {
      checkpointId: 'two',
      evidence: { items: [], answer: { ...answer, abstained: true }, isComplete: true },
    },
  ]);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    {
      checkpoint_id: 'one',
      output: {
        action: 'answer',
        answer: 'Goats.',
        answer_structured: {},
        used_record_ids: ['id'],
        retrieved_memory: [{ text: 'Ida keeps goats.' }],
      },
    },
    expect.objectContaining({
      checkpoint_id: 'two',
      output: expect.objectContaining({ action: 'no_memory' }),
    }),
  ]);
});

/** Each word of the selector vocabulary matches a statement that has it, and none that has another. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SELECTOR_WORDS } from '../../../domain/skills/card.ts';
import { dataOf } from '../../support/service.ts';
import { itemOf, requirement, startSkillScene, type Said, type SkillScene } from './scene.ts';

let scene: SkillScene;
beforeAll(async () => {
  scene = await startSkillScene();
});
afterAll(() => scene.close());

type Field = keyof typeof SELECTOR_WORDS;

/** What a statement has for the word; members beside it are those without which it could not stand. */
const HAVING: Readonly<Record<Field, (word: string) => Said>> = {
  kind: (kind) => ({ kind }),
  sensitivity: (sensitivity) => ({ sensitivity }),
  target_level: (level) => ({ target_level: level }),
  source_types: (source) => ({ source: source === 'document' ? 'document' : 'message' }),
  verification: (verification) => ({
    verification,
    ...(verification === 'pending_human' ? { state: 'provisional' } : {}),
    ...(verification === 'pending' ? { state: 'expired', wasPlaced: false } : {}),
    ...(verification === 'stale' ? { state: 'needs_revalidation' } : {}),
  }),
  attribute: (attribute) => ({
    attribute: attribute === 'possession' ? `possession:${'a'.repeat(64)}` : attribute,
  }),
};
/** Words that only statements carry which are over, or wait to be confirmed. */
const STALE = new Set(['pending', 'stale']);

const CASES = (Object.keys(SELECTOR_WORDS) as Field[]).flatMap((field) =>
  SELECTOR_WORDS[field].map((word, index, words) => ({
    field,
    word,
    other: words[(index + 1) % words.length] ?? '',
  })),
);

describe.each(CASES)('$field $word', ({ field, other, word }) => {
  test('matches what has it, and not what has another', async () => {
    const skill = `${field}-${word}`.replaceAll('_', '-');
    const having = HAVING[field];
    await scene.publish({
      skill,
      requirements: [requirement({ selector: { [field]: [word], subject: 'peer' } })],
    });
    await scene.say(`with-${other}-${skill}`, having(other));
    const none = itemOf(await scene.report(skill, `with-${other}-${skill}`));
    expect(none).toMatchObject({ status: 'missing', matched_count: 0, stale_count: 0 });
    const id = await scene.say(`with-${skill}`, having(word));
    const item = itemOf(await scene.report(skill, `with-${skill}`));
    const [status, matched, stale] = STALE.has(word)
      ? ['stale', [], [id]]
      : ['satisfied', [id], []];
    expect(item).toMatchObject({
      status,
      matched_knowledge_ids: matched,
      stale_knowledge_ids: stale,
    });
  });
});

describe('what is no list', () => {
  const numbers = [
    { field: 'minimum_confidence', enough: { confidence: 0.7 }, less: { confidence: 0.69 } },
    {
      field: 'minimum_corroboration',
      enough: { corroboration: 3 },
      less: { corroboration: 2 },
    },
  ];
  test.each(numbers)('$field matches from the number on', async ({ enough, field, less }) => {
    const skill = field.replace('_', '-');
    const least = field === 'minimum_confidence' ? 0.7 : 3;
    await scene.publish({ skill, requirements: [requirement({ selector: { [field]: least } })] });
    await scene.say(`less-${field}`, less);
    expect(itemOf(await scene.report(skill, `less-${field}`))).toMatchObject({ status: 'missing' });
    await scene.say(`enough-${field}`, enough);
    expect(itemOf(await scene.report(skill, `enough-${field}`))).toMatchObject({
      status: 'satisfied',
    });
  });

  const subjects = [
    { subject: 'peer', peer: 'satisfied', scope: 'missing' },
    { subject: 'scope', peer: 'missing', scope: 'satisfied' },
    { subject: 'either', peer: 'satisfied', scope: 'satisfied' },
  ];
  test.each(subjects)('subject $subject', async ({ peer, scope, subject }) => {
    const skill = `subject-${subject}`;
    const selector = { subject, kind: 'relation' };
    const path = `/team/${subject}`;
    await scene.peer('asked');
    await scene.publish({ skill, requirements: [requirement({ selector })] });
    await scene.say('nobody', { path, about: 'a-third-person', kind: 'relation' });
    expect(itemOf(await scene.report(skill, 'asked', path))).toMatchObject({ status: 'missing' });
    await scene.say(`about-${subject}`, { kind: 'relation' });
    expect(itemOf(await scene.report(skill, `about-${subject}`, path))).toMatchObject({
      status: peer,
    });
    await scene.say('somebody', { path, about: null, kind: 'relation' });
    expect(itemOf(await scene.report(skill, 'asked', path))).toMatchObject({ status: scope });
  });

  const topics = [
    { topic: ['green tea'], text: 'Ines drank two green teas.', status: 'satisfied' },
    { topic: ['green tea'], text: 'Ines likes tea.', status: 'missing' },
    { topic: ['coffee', 'tea'], text: 'Ines likes tea.', status: 'satisfied' },
    { topic: 'allergy', text: 'Ines has allergies.', status: 'satisfied' },
    { topic: ['お茶'], text: 'イネスはお茶が好き。', status: 'satisfied' },
  ];
  test.each(topics)('topic $topic of "$text" is $status', async ({ status, text, topic }) => {
    const name = `topic-${topics.findIndex((one) => one.text === text && one.topic === topic)}`;
    await scene.publish({ skill: name, requirements: [requirement({ selector: { topic } })] });
    await scene.say(name, { text });
    expect(itemOf(await scene.report(name, name))).toMatchObject({ status });
  });

  test('a member that nobody reads, and a word that no statement carries, are refused', async () => {
    const selector = { colour: 'green', verification: 'curator_rejected' };
    const json = {
      scope_path: '/team',
      skill: 'unknown',
      requirements: [requirement({ selector })],
    };
    const path = '/api/v1/governance/skills';
    const answer = await scene.service.call({ path, token: scene.curator, json });
    expect(answer.status).toBe(422);
    expect(Object(answer.json()).fields).toEqual([
      { path: 'requirements.0.selector', message: expect.stringContaining('no members but') },
      { path: 'requirements.0.selector.verification', message: expect.stringContaining('one of') },
    ]);
    expect(() => dataOf(answer)).toThrow();
  });
});

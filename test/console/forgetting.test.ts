/** Requests to forget on pages: what a curator is told before deciding, and what each button does. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/patience.ts';
import { closeWithoutErrors, openScene, type Browser, type Page, type Scene } from './scene.ts';

const PATH = '/governance/forgetting';
const CODE = '4471';

let scene: Scene;
let curator: Browser;
let reader: Browser;
let page: Page;

beforeAll(async () => {
  scene = await openScene();
  curator = await scene.signedIn('curator');
  reader = await scene.signedIn('reader');
  await scene.said(`My door code is ${CODE}.`);
  await scene.service.ingestAndWait(scene.relay, {
    peer_key: 'alice',
    scope_path: '/team',
    session_id: 's1',
    content: `Please delete the code ${CODE} from memory.`,
  });
});
afterAll(async () => closeWithoutErrors(scene?.service));

const buttons = ({ forms }: Page): readonly string[] => forms.map(({ button }) => button);

describe('a curator', () => {
  test('finds the request from the decisions, without its words', async () => {
    expect((await curator.open('/governance')).text).toContain('To forget');
    const list = await curator.open(PATH);
    expect(list.text).toContain('alice asked to forget something');
    expect(list.text).toContain('Until a person decides, nobody but who said it reads it.');
    expect(list.text).not.toContain(CODE);
  });

  test('reads the words on its page, and is told that the look is recorded', async () => {
    const [hold] = await scene.service.rows('select id from forget_holds');
    page = await curator.open(`${PATH}/${String(hold?.['id'])}`);
    expect(page.text).toContain(`Please delete the code ${CODE} from memory.`);
    expect(page.text).toContain('The service has recorded that you read this.');
    expect(buttons(page)).toEqual(expect.arrayContaining(['Keep it forgotten', 'Show it again']));
  });

  test('keeps it forgotten, and may still show it again', async () => {
    const kept = await curator.submit(page, 'Keep it forgotten');
    expect(kept.text).toContain('You upheld the request.');
    expect(buttons(kept)).not.toContain('Keep it forgotten');
    const shown = await curator.submit(kept, 'Show it again');
    expect(shown.text).toContain('You lifted the request.');
    await eventually(async () => {
      const rows = await scene.service.rows('select from messages where unmasked is not null');
      return rows.length === 0;
    });
    expect((await curator.open(PATH)).text).toContain('Nothing waits here');
    expect((await curator.open(`${PATH}?state=all`)).text).toContain(
      'everything is shown as it was said',
    );
  });

  test('is told when somebody was faster', async () => {
    const again = await curator.submit(page, 'Keep it forgotten');
    expect(again.status).toBe(409);
  });
});

test('nobody else finds any of it', async () => {
  expect((await reader.open(PATH)).status).toBe(403);
  expect((await reader.open(page.path)).status).toBe(404);
});

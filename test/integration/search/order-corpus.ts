/**
 * A corpus for rankings: a conversation between people, a chat with an assistant, and statements drawn from both, in two
 * scopes. Some texts are said twice, so that there are scores that tie; some statements are over.
 */
import type { AccountScene } from './account.ts';

interface Turn {
  readonly speaker: string;
  readonly text: string;
  /** What is drawn from it, if anything. */
  readonly draws?: readonly Drawn[];
}

interface Drawn {
  readonly text: string;
  /** Whom it is about; `anna` unless given, null for nobody. */
  readonly subject?: string | null;
  readonly state?: string;
}

const AT_THE_LAKE: readonly Turn[] = [
  { speaker: 'ben', text: 'Did you bring the canoe to the lake last weekend?' },
  {
    speaker: 'anna',
    text: 'Yes, the green one. I keep it in the boathouse at the harbour now.',
    draws: [{ text: 'Anna keeps her green canoe in the boathouse at the harbour' }],
  },
  { speaker: 'ben', text: 'Lovely. Was the water warm?' },
  { speaker: 'anna', text: 'Cold, and it rained all afternoon.' },
  {
    speaker: 'ben',
    text: 'I start at the bakery in Oslo on Monday.',
    draws: [{ text: 'Ben starts at the bakery in Oslo on Monday', subject: 'ben' }],
  },
  { speaker: 'anna', text: 'Congratulations! When do you have to get up?' },
  { speaker: 'ben', text: 'At three in the morning, every day but Sunday.' },
  { speaker: 'anna', text: 'Lovely. Was the water warm?' },
  {
    speaker: 'anna',
    text: 'My sister Clara moved from Lima to Porto, she teaches chemistry there.',
    draws: [
      { text: 'Clara moved from Lima to Porto' },
      { text: 'Clara teaches chemistry in Porto' },
      { text: 'Clara lives in Lima', state: 'superseded' },
    ],
  },
  { speaker: 'ben', text: 'Is Porto by the sea?' },
  { speaker: 'anna', text: 'It is, and the boats there are painted in all colours.' },
  { speaker: 'ben', text: 'Yes, that sounds good.' },
  {
    speaker: 'anna',
    text: 'I am allergic to walnuts, so no cake from the bakery for me.',
    draws: [
      { text: 'Anna is allergic to walnuts' },
      { text: 'Anna eats no cake', state: 'redacted' },
    ],
  },
  { speaker: 'ben', text: 'Yes, that sounds good.' },
  { speaker: 'ben', text: 'Then I bake bread without nuts. Rye, on Tuesday?' },
  { speaker: 'anna', text: 'Yes, that sounds good.' },
];

const WITH_HELPER: readonly Turn[] = [
  {
    speaker: 'anna',
    text: 'I want to plan a trip to Porto in June. I like small hotels near the sea.',
  },
  {
    speaker: 'helper',
    text: 'In June Porto is warm and dry. Small hotels near the sea are in Foz. You can take the train along the river, visit the harbour with its boats, and taste bread and fish at the market. Book early: the festival of Sao Joao fills the town at the end of the month. Shall I look for flights from Oslo or from Bergen?',
  },
  {
    speaker: 'anna',
    text: 'From Bergen. My budget is 900 euros and I travel with my canoe paddle.',
    draws: [{ text: 'Anna plans a trip from Bergen with a budget of 900 euros' }],
  },
  {
    speaker: 'helper',
    text: 'A paddle counts as sports equipment. There is a flight on the 12th of June in the morning.',
  },
  { speaker: 'anna', text: 'Can I bring bread through customs?' },
  {
    speaker: 'helper',
    text: 'Yes, that sounds good. Bread from Norway may be brought to Portugal.',
  },
];

const AT_WORK: readonly Turn[] = [
  {
    speaker: 'ben',
    text: 'The oven of the bakery broke this morning.',
    draws: [{ text: 'The oven of the bakery broke', subject: 'ben' }],
  },
  { speaker: 'dora', text: 'Who repairs it? The green van of Halvorsen?' },
  { speaker: 'ben', text: 'Yes, that sounds good.' },
  {
    speaker: 'dora',
    text: 'I ordered forty kilos of rye flour from the mill in Voss.',
    draws: [{ text: 'Dora ordered forty kilos of rye flour', subject: 'dora' }],
  },
  { speaker: 'ben', text: 'Lovely. Was the water warm?' },
  {
    speaker: 'dora',
    text: 'The harbour festival wants two hundred loaves in June.',
    draws: [{ text: 'The harbour festival wants two hundred loaves', subject: null }],
  },
];

/** Words, names, related words, questions of time, operators, and words that stand everywhere. */
export const QUERIES: readonly string[] = [
  'harbour',
  'Where does Anna keep her canoe?',
  'When does Ben start at the bakery?',
  'boat',
  'Clara Porto',
  'Who teaches chemistry?',
  'bread OR flour',
  '"green canoe"',
  'bakery -oven',
  'What did I say about my trip to Porto in June?',
  'warm water',
  'yes good',
  'festival at the harbour in June',
  'allergic to nuts',
];

const BEGINS = Date.parse('2026-03-02T09:00:00Z');
const MINUTE_MS = 60_000;

async function hold(
  account: AccountScene,
  turns: readonly Turn[],
  at: { readonly path: string; readonly day: number; readonly withAssistant?: boolean },
): Promise<void> {
  const { day, path, withAssistant = false } = at;
  let first: string | null = null;
  for (const [n, { draws = [], speaker, text }] of turns.entries()) {
    const id = await account.message({
      speaker,
      text,
      path,
      role: withAssistant && speaker === 'helper' ? 'assistant' : 'user',
      occurredAt: new Date(BEGINS + day * 24 * 60 * MINUTE_MS + n * MINUTE_MS).toISOString(),
      ...(first === null ? {} : { after: first }),
    });
    if (first === null) for (const key of ['anna', 'ben', 'dora']) await account.attend(key, id);
    first ??= id;
    for (const { state = 'active', subject = 'anna', text: statement } of draws) {
      const held = { sensitivity: 'internal', level: 'scope', path, state } as const;
      const drawnId = await account.statement({ ...held, text: statement, subject });
      await account.drawn(drawnId, id);
    }
  }
}

/** Puts the corpus into an account; the indexes do not know of it yet. */
export async function putCorpus(account: AccountScene): Promise<void> {
  await hold(account, AT_THE_LAKE, { path: '/poc', day: 0 });
  await hold(account, WITH_HELPER, { path: '/poc', day: 9, withAssistant: true });
  await hold(account, AT_WORK, { path: '/poc/work', day: 20 });
}

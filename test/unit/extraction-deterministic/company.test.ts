/** "We" is whom the speaker names; both only where the two could do it together; nobody is made a party to what they missed. */
import { expect, test } from '@jest/globals';
import { statements, type Turn } from './conversation.ts';

test.each<[said: string, told: string, earlier?: readonly Turn[]]>([
  ['I took my kids to Tartu. We visited the old mill.', "Ada and Ada's kids visited the old mill."],
  ['We camped by the lake with my family.', "Ada camped by the lake with Ada's family."],
  [
    'I took my fam to Tartu. We visited the old mill.',
    "Ada and Ada's family visited the old mill.",
  ],
  ["That's the dog. We visited the old mill in Tartu.", 'Ada visited the old mill in Tartu.'],
  ['We bought a loom in May.', 'Ada bought a loom in May.'],
  ['We got married in Riga.', 'Ada and others got married in Riga.'],
  ['We should plan a trip to Riga in May.', 'Ada and Bo should plan a trip to Riga in May.'],
  [
    'We drove along the coast of Saaremaa.',
    "Ada and Ada's family drove along the coast of Saaremaa.",
    [{ by: 'bo', content: 'How was the trip with your family?' }],
  ],
])('%s', (said, told, earlier = []) => {
  expect(statements(said, earlier).at(-1)).toBe(told);
});

test('company that was named long before in the message is not meant', () => {
  const between = 'The weather was fine.\n'.repeat(200);
  const said = `I took my kids to Tartu.\n${between}We visited the old mill.`;
  expect(statements(said).at(-1)).toBe('Ada visited the old mill.');
});

/** Requests to forget are told from what only sounds like them. */
import { describe, expect, test } from '@jest/globals';
import { extractDeterministic } from '../../../engine/english-extractor/extract.ts';
import { asksToForget } from '../../../engine/english-extractor/forgetting.ts';
import { requestsToForget } from '../../../engine/english-extractor/meant.ts';
import { readAnswer } from '../../../engine/extraction/model/read-answer.ts';
import { resolveDates } from '../../../engine/extraction/model/resolve-dates.ts';
import { ANCHOR_ID, ITEM, REQUEST } from '../models/fixtures.ts';

const REQUESTS = [
  'Please forget my phone number 020 7946 0011.',
  'Forget my old address at 14 Quay Lane.',
  'Can you forget that I live in Tromso?',
  'Could you please delete my number 555-0142 from your memory?',
  'Delete the door code 7719 from memory.',
  'Remove the supplier name Harrow Mills from shared memory.',
  'Erase everything I told you about my divorce.',
  'Erase what I said about the clinic.',
  'Don’t remember my PIN 4410.',
  'Please do not store my birth date, 3 May 1971.',
  'Do not keep my new address.',
  'Stop keeping my location.',
  'Please stop mentioning my diagnosis.',
  'Never mention my brother’s name again.',
  'I no longer want you to remember that I smoke.',
  "I don't want you to keep my salary in your notes.",
  'I do not want anybody to know my room number.',
  "I'd rather you didn't… I don't want this service to store my account number.",
  'I would like my phone number to be deleted.',
  'I want the old wording removed from memory.',
  'We need the earlier estimate of 4,150 EUR to be deleted from the record.',
  'Security action: remove the exact gateway token gw_77-Q2K from memory after this call.',
  'Deletion request: remove the sponsor mapping “Lark Foods” from shared memory.',
  'For the record, delete the code 88-41 I gave you.',
  'Please also delete the retired figure of 1,870 USD from active memory.',
  'Wipe my bank details from your records.',
  'Purge my passport number X1234567 from the file.',
  'Scrub our supplier’s address from your notes.',
  'Unlearn my nickname.',
  'Forget what I said yesterday about the merger.',
  'Forget everything about me.',
  'Delete all you know about us.',
  'Delete the password I sent you.',
  'Remove the contact I gave you last week, 0151 496 0000.',
  'Erase the e-mail address ina@example.org you have on file.',
  'Strike the callback number 020 7946 0055 from the record.',
  'You can delete my old account number 4471 0090 now.',
  'You should remove my date of birth from the profile.',
  "I'd like you to forget my maiden name.",
  'I want you to delete the alias Robin from the chart.',
  'I need you to remove my daughter’s school from memory.',
  'The token zz_41-K8 should be treated as deleted.',
  'The value 9-QK-2 must be treated as unavailable from now on.',
  'The old label should be removed from memory.',
  'Clear the room number 218 from the file.',
  'Drop my landlord’s phone number from your notes, please.',
  'Kindly erase my medical condition from your memory.',
  'Now that I have moved, delete my old address from the record.',
  'And forget my ex-husband’s name.',
  'OK, delete the combination 12-30-8 you keep for me.',
  'Please do not retain the explicit note ‘Project Elm = Dorset Rail’.',
  'Delete the guest house line 0151 496 0021, room 31, and the note about the side door.',
  'Delete 0151 496 0021 and gate code 8802.',
  'Remove the temporary contact details from assistant memory.',
  'Delete ‘late filing’ and keep only the broad wording.',
  'I do not want that old number kept around.',
];

/** A sentence that belongs to the request before it. */
const FOLLOWING = [
  'It should not be recoverable later.',
  'The value must be deleted.',
  'It should no longer be mentioned.',
  'Neither should be retained.',
];

const NONE = [
  'I forgot my PIN.',
  'I forgot my keys at the office again.',
  'Don’t forget to call Ina at 020 7946 0011.',
  'Do not forget my birthday, it is on 3 May.',
  'Please don’t forget the milk.',
  'I will never forget the day we met.',
  'Forget it.',
  'Just forget about it.',
  'Forget about dinner, I am not hungry.',
  'Never mind.',
  'Did you delete my number?',
  'Have you removed the old address from the record?',
  'Was the code 4471 deleted?',
  'I deleted the app yesterday.',
  'The ticket was removed last week.',
  'She asked me to delete her number.',
  'He wants us to forget the meeting.',
  'They told me to erase the tape.',
  'If I asked you to forget my name, would you?',
  'Delete the branch fix-41 after the merge.',
  'Remove the onions from the recipe.',
  'Please remove the logo from slide 3.',
  'Remove auto-renewal from the contract.',
  'Delete the column price_2 from the table.',
  'Delete the file report-2.pdf.',
  'Remove Ina from the thread.',
  'Delete the second paragraph.',
  'Remove the lid after 20 minutes.',
  'Drop me a line at ina@example.org.',
  'Clear the table before six.',
  'Strike while the iron is hot.',
  'Wipe the counter with vinegar.',
  'Remove the battery and wait 30 seconds.',
  'Discard the first 10 results.',
  'My address is 14 Quay Lane.',
  'My number changed to 555-0142.',
  'I keep my PIN in a safe.',
  'I remember the code 7719.',
  'I don’t remember my password.',
  'I do not know my room number.',
  'Keep my number on file.',
  'Please remember that I live in Tromso.',
  'The meeting should be removed from the calendar.',
  'The onions should be removed after an hour.',
  'The report should not be shown to guests.',
  'How do I delete my account?',
  'What would it take to erase a debt?',
  'I want to delete my subscription.',
  'I need to remove 3 items from the cart.',
  'I would like to forget this summer.',
  'We removed the supplier’s name from the brochure.',
  'He never mentions his brother.',
  'Never use my drill without asking.',
  'Store the paint in a dry place.',
  'Do not use the customer name outside of this room.',
  'Don’t use the old 10% cap in new offers.',
  'I do not want minutes of the club mixed into my private record.',
  'I don’t want anyone hearing a voicemail that mentions the scan.',
  'Please keep the deleted details deleted.',
  'Deleted contact details are not available.',
];

describe('a request to forget', () => {
  test('there are fifty of each', () => {
    expect(Math.min(REQUESTS.length, NONE.length)).toBeGreaterThanOrEqual(50);
  });

  test.each(REQUESTS)('%s', (sentence) => {
    expect(asksToForget(sentence, false)).toBe(true);
  });

  test.each(FOLLOWING)('after one: %s', (sentence) => {
    expect(asksToForget(sentence, true)).toBe(true);
    expect(asksToForget(sentence, false)).toBe(false);
  });
});

describe('no request to forget', () => {
  test.each(NONE)('%s', (sentence) => {
    expect(asksToForget(sentence, false)).toBe(false);
  });
});

describe('of a message that asks to forget', () => {
  const drawnFrom = (content: string): readonly string[] =>
    extractDeterministic({ ...REQUEST, anchor: { ...REQUEST.anchor, content } }).map(
      ({ statement }) => statement,
    );

  test.each(REQUESTS)('no statement is drawn: %s', (sentence) => {
    expect(drawnFrom(sentence)).toEqual([]);
  });

  test('no statement is drawn from the sentences that belong to the request, and others are', () => {
    const said =
      'I live in Lisbon. Delete the door code 7719 from memory. The code must be deleted. I own a red kayak.';
    const drawn = drawnFrom(said);
    expect(drawn).toHaveLength(2);
    expect(drawn.join(' ')).not.toMatch(/7719|code/u);
  });
});

describe('where a request stands', () => {
  test('is told in a message, with the sentence that belongs to it', () => {
    const said = 'I live in Lisbon. Delete the door code 7719 from memory. It must be deleted.';
    const texts = requestsToForget(said).map(([from, until]) => said.slice(from, until).trim());
    expect(texts).toEqual(['Delete the door code 7719 from memory.', 'It must be deleted.']);
  });

  test.each([
    'She wrote: "Please delete my number 555-0142 from your memory."',
    '> Please delete my number 555-0142 from your memory.',
    'Translate this: Please delete my number 555-0142 from your memory.',
  ])('is nowhere in the words of others: %s', (content) => {
    expect(requestsToForget(content)).toEqual([]);
  });
});

describe('a model that makes a statement of a request', () => {
  /** What is kept of a statement that a model draws from the whole of a message. */
  const keptFrom = (content: string, document: { title: null; headings: [] } | null = null) => {
    const request = { ...REQUEST, document, anchor: { ...REQUEST.anchor, content } };
    const item = { ...ITEM, supporting_span: content, statement: 'Inês keeps two goats.' };
    const text = JSON.stringify({ answers: [{ anchor_id: ANCHOR_ID, statements: [item] }] });
    const [answer] = readAnswer(text, [request], resolveDates);
    return { kept: answer?.candidates.length, faults: answer?.faults };
  };

  test.each(REQUESTS)('is not followed: %s', (sentence) => {
    expect(keptFrom(sentence).kept).toBe(0);
  });

  test('is not asked again for it', () => {
    expect(keptFrom('Delete the door code 7719 from memory.')).toEqual({ kept: 0, faults: [] });
  });

  test('is followed in a document, where nobody asks', () => {
    const passage = 'Inês keeps two goats. The pen should be treated as deleted.';
    expect(keptFrom(passage).kept).toBe(0);
    expect(keptFrom(passage, { title: null, headings: [] }).kept).toBe(1);
  });

  test('is followed where nobody asks for anything', () => {
    const untouched = NONE.filter((sentence) => keptFrom(sentence).kept === 1);
    const faulty = NONE.filter((sentence) => keptFrom(sentence).faults?.length !== 0);
    expect(untouched.length + faulty.length).toBe(NONE.length);
  });
});

/** A sentence that points at a picture takes along what the picture shows. */
import { describe, expect, test } from '@jest/globals';
import { drawn, statements } from './conversation.ts';

describe('the picture that a message shows', () => {
  test('goes along when nothing else is named', () => {
    const said = 'I made this last spring! [shares a photo of a wooden sledge]';
    expect(statements(said)).toEqual([
      'Ada made this last spring [with a picture of a wooden sledge]',
    ]);
  });

  test.each([
    [
      "Here's my garden. It took years. [shares a photo of a row of tulips]",
      "Here's Ada's garden [with a picture of a row of tulips]",
    ],
    [
      'I took this photo in Riga. What a day! [shares a photo of a harbour at night]',
      'Ada took this photo in Riga [with a picture of a harbour at night]',
    ],
  ])('goes along wherever it stands when the sentence shows it: %s', (said, told) => {
    expect(statements(said)).toEqual([told]);
  });

  test('goes along after a sentence that only says what it is', () => {
    const said = "It's a great help. I built this in March. [shares a photo of a wooden sledge]";
    expect(statements(said)).toEqual([
      'Ada built this in March [with a picture of a wooden sledge]',
    ]);
  });

  test('does not go along with a sentence that shows nothing', () => {
    const said = 'I moved to Riga in May. What a day! [shares a photo of a harbour at night]';
    expect(statements(said)).toEqual(['Ada moved to Riga in May.']);
  });

  test('explains nothing after a sentence that names something', () => {
    const said = 'Boats and looms! [shares a photo of a dog] I made it in March.';
    expect(statements(said)).toEqual([]);
  });
});

describe('what its speaker shows', () => {
  test.each([
    [
      'Check out my loom! [shares a photo of a wooden loom by a window]',
      "Ada shows Ada's loom [with a picture of a wooden loom by a window]",
    ],
    [
      'Take a look at this. [shares a photo of a painting of a lighthouse]',
      'Ada shows this [with a picture of a painting of a lighthouse]',
    ],
    [
      'Check this out! [shares a photo of a red kite]',
      'Ada shows this [with a picture of a red kite]',
    ],
    [
      'Look what I found! [shares a photo of an old coin]',
      'Ada shows what Ada found [with a picture of an old coin]',
    ],
    [
      'The twins made this! [shares a photo of a clay cup]',
      'The twins made this [with a picture of a clay cup]',
    ],
  ])('is told with the picture: %s', (said, told) => {
    expect(statements(said)).toEqual([told]);
  });

  test.each([
    'Check out my website!',
    'Check my account balance.',
    'Take a look at this.',
    'Look what I found!',
    'Check out the market in Riga! [shares a photo of a stall with cheese]',
  ])('is nothing without one, or of others: %s', (said) => {
    expect(statements(said)).toEqual([]);
  });
});

describe('the picture of the message before', () => {
  const turns = (question: string) =>
    [
      { by: 'ada', content: 'Hello again! [shares a photo of a wooden sledge]' },
      { by: 'bo', content: question },
    ] as const;

  test.each(['Did you make that?', 'Wow, great pic! Is that new?', 'What does it mean to you?'])(
    'goes along with the answer when it is asked about, and is cited: %s',
    (question) => {
      const [found] = drawn('I built it with my uncle.', turns(question));
      expect(found).toMatchObject({
        statement: "Ada built it with Ada's uncle [with a picture of a wooden sledge]",
        sourceMessageIds: ['m2', 'm0'],
        confidence_level: 'inferred',
      });
    },
  );

  test.each(['How is it going?', 'What did you take away from it?', 'Lovely!'])(
    'does not go along when something else is asked: %s',
    (question) => {
      expect(statements('I built it with my uncle.', turns(question))).toEqual([]);
    },
  );

  test('gives way to what the question names', () => {
    const question = 'That sledge is pretty! Did you make it?';
    expect(statements('I built it with my uncle.', turns(question))).toEqual([
      'Ada built it with Ada\'s uncle [asked: "That sledge is pretty! Did you make it"]',
    ]);
  });
});

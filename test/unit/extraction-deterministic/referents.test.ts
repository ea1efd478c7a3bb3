/** A pronoun that its own sentence does not explain takes along what explains it, or the sentence is left out. */
import { describe, expect, test } from '@jest/globals';
import { drawn, statements } from './conversation.ts';

describe('what the same message explains', () => {
  test.each([
    [
      'I built a boat in May. I painted it green.',
      'Ada built a boat in May. Ada painted it green.',
    ],
    ['I bought a loom, but it broke in March.', 'Ada bought a loom, but it broke in March.'],
    [
      'Weaving helps me sleep. It keeps my hands busy.',
      "Weaving helps Ada sleep. It keeps Ada's hands busy.",
    ],
    [
      'Check out this bowl! I made it in my pottery class.',
      "Check out this bowl! Ada made it in Ada's pottery class.",
    ],
    [
      'My sister visited me in May, and it was lovely. She brought her dog Rex.',
      "Ada's sister visited Ada in May. She brought her dog Rex.",
    ],
    [
      'I got a tattoo in Riga. It stands for freedom.',
      'Ada got a tattoo in Riga. It stands for freedom.',
    ],
    [
      'I went to the clinic on Monday. Turns out, it was a broken rib.',
      'Ada went to the clinic on Monday. It was a broken rib.',
    ],
  ])('joins the sentence before: %s', (said, told) => {
    expect(statements(said)).toEqual([told]);
  });

  test('keeps the words between when they name something that can be meant', () => {
    const said = 'I saw Ines in Riga, and I thank Carla. She sang until midnight.';
    expect(statements(said)).toEqual([
      'Ada saw Ines in Riga',
      'Ada saw Ines in Riga, and Ada thanks Carla. She sang until midnight.',
    ]);
  });

  test('the span covers both sentences', () => {
    const [found] = drawn('I built a boat in May. I painted it green.');
    expect(found?.supportingSpan).toBe('I built a boat in May. I painted it green.');
  });

  test('a person who alone can be meant stands in brackets', () => {
    const said = 'Oliver is such a good dog. What a lovely day! He hid two bones in my slipper.';
    expect(statements(said)).toEqual(["He [Oliver] hid two bones in Ada's slipper."]);
  });

  test('of several that can be meant none is chosen', () => {
    expect(statements('Thanks to Piotr and Henrik! What a day! He sold the mill in May.')).toEqual(
      [],
    );
  });
});

describe('what the question before explains', () => {
  const asked = [{ by: 'bo', content: 'How did you get into beekeeping?' }] as const;

  test('goes along with the answer, and its message is cited', () => {
    const [found] = drawn('My uncle got me into it.', asked);
    expect(found).toMatchObject({
      statement: 'Ada\'s uncle got Ada into it [asked: "How did you get into beekeeping"]',
      sourceMessageIds: ['m1', 'm0'],
      supportingSpan: 'My uncle got me into it.',
      confidence_level: 'inferred',
    });
  });

  test('makes a statement of an answer without a verb', () => {
    const turns = [{ by: 'bo', content: 'How long have you been keeping bees?' }] as const;
    expect(statements('About nine years now.', turns)).toEqual([
      'Ada: about nine years now [asked: "How long have you been keeping bees"]',
    ]);
  });

  test('is no question when it only ends like one', () => {
    const turns = [{ by: 'bo', content: 'Hives smell of honey, you know?' }] as const;
    expect(statements('I built it with my uncle.', turns)).toEqual([]);
  });

  test("is not read when the speaker's own turn stands between", () => {
    const turns = [...asked, { by: 'ada', content: 'Hm.' }] as const;
    expect(statements('My uncle got me into it.', turns)).toEqual([]);
  });

  test('does not go along with a statement that is clear alone', () => {
    expect(statements('My uncle keeps bees.', asked)).toEqual(["Ada's uncle keeps bees."]);
  });
});

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

describe('a person named in the message before', () => {
  test('is meant by the pronoun, and that message is cited', () => {
    const turns = [
      { by: 'ada', content: 'My son fell off his bike on Tuesday.' },
      { by: 'bo', content: 'Oh no!' },
    ] as const;
    expect(drawn('His ankle hurts at night.', turns)[0]).toMatchObject({
      statement: "His [Ada's son] ankle hurts at night.",
      sourceMessageIds: ['m2', 'm0'],
    });
  });
});

describe('a sentence that nothing explains', () => {
  test.each([
    'She sold the mill in May.',
    'I finished it yesterday.',
    'They moved to Riga last week.',
    'I drove there with my uncle.',
    'I got this from a friend in Tartu.',
  ])('is left out: %s', (said) => {
    expect(statements(said)).toEqual([]);
  });
});

describe('words that look like pronouns and stand for nothing', () => {
  test.each([
    ['There are two mills in my village.', "There are two mills in Ada's village."],
    ['I know that my lease ends in May.', "Ada knows that Ada's lease ends in May."],
    ['I bought this lamp in Riga.', 'Ada bought this lamp in Riga.'],
    ['I help those who learn Finnish.', 'Ada helps those who learn Finnish.'],
    ["It's my dream to sail to Chile.", "It's Ada's dream to sail to Chile."],
  ])('need no explanation: %s', (said, told) => {
    expect(statements(said)).toEqual([told]);
  });
});

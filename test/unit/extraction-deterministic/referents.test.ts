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

describe('what the same sentence says before', () => {
  test.each([
    [
      'My autumn was quiet - it gave me time to weave.',
      "Ada's autumn was quiet - it gave Ada time to weave.",
    ],
  ])('leads: %s', (said, told) => {
    expect(statements(said)).toEqual([told]);
  });

  test.each([
    [
      'I bought a loom in May, but it does not work.',
      'Ada bought a loom in May, but it does not work.',
    ],
    [
      'I met a potter in Riga and it was like a scene from a novel.',
      'Ada met a potter in Riga and it was like a scene from a novel.',
    ],
    [
      'My friends are my anchors - they lend me their boats.',
      "Ada's friends are Ada's anchors - they lend Ada their boats.",
    ],
  ])('keeps the end that tells more: %s', (said, told) => {
    expect(statements(said)).toEqual([told]);
  });

  test.each([
    ['I bought a loom in May, it was great.', 'Ada bought a loom in May'],
    ["I met a potter in Riga, that's pretty cool!", 'Ada met a potter in Riga'],
    ['I met a potter in Riga. That sounds like fun!', 'Ada met a potter in Riga.'],
  ])('loses the end that only judges: %s', (said, told) => {
    expect(statements(said)).toEqual([told]);
  });
});

describe('those whom the message before names', () => {
  const turns = (question: string) =>
    [
      { by: 'ada', content: 'Yesterday I took the twins to the puppet theatre.' },
      { by: 'bo', content: question },
    ] as const;

  test('are meant when the question means them', () => {
    const said = 'They laughed at the puppets with strings.';
    expect(statements(said, turns('What did they like?'))).toEqual([
      'They [the twins] laughed at the puppets with strings.',
    ]);
  });

  test('are not meant when it does not', () => {
    expect(statements('They closed the office in May.', turns('Oh, how nice!'))).toEqual([]);
  });

  test('short forms behind brackets are written out', () => {
    const said = "They're scared of the puppets with strings.";
    expect(statements(said, turns('What did they think?'))).toEqual([
      'They [the twins] are scared of the puppets with strings.',
    ]);
  });
});

describe('a title that the message before names', () => {
  const turns = (question: string) =>
    [
      { by: 'ada', content: 'I loved "The Quiet Harbour" by Ines Roe. Recommend it!' },
      { by: 'bo', content: question },
    ] as const;

  test('is meant by "it" when the question means it', () => {
    expect(
      drawn('It taught me patience with my mother.', turns('What did it teach you?'))[0],
    ).toMatchObject({
      statement: 'It ["The Quiet Harbour"] taught Ada patience with Ada\'s mother.',
      sourceMessageIds: ['m2', 'm0'],
    });
  });

  test('is not meant after a question about something else', () => {
    const [found] = drawn('It taught me patience with my mother.', turns('How was the harvest?'));
    expect(found?.statement).not.toContain('Quiet Harbour');
  });
});

describe('an answer that says only yes', () => {
  test('goes with its question', () => {
    const turns = [{ by: 'bo', content: 'Do you keep any pets?' }] as const;
    expect(statements('Yes, I do - Oscar, my goat.', turns)).toEqual([
      'Ada does - Oscar, Ada\'s goat [asked: "Do you keep any pets"]',
    ]);
  });

  test('says nothing without one', () => {
    expect(statements('Yes, I do - Oscar, my goat.')).toEqual([]);
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

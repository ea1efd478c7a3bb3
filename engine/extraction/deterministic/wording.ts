/** Removes from a sentence what only colours it, so that the statement says the fact and no more. */

/** Before an adjective or a verb; "just" and "so" also carry meaning and stay. */
const INTENSIFIER =
  /\b(?:super|totally|definitely|absolutely|literally|honestly|seriously|basically|kinda|sorta|kind of|sort of|truly|pretty(?= (?:much|sure|\p{L}+(?:ed|ing|ful|ive|ous|y|t|l|d)\b)))\s+(?=\p{L})/giu;
/** "..., you know", "... though!", "... btw". */
const TAG =
  /(?:\s*[,–—-]\s*|\s+)(?:btw|by the way|you know|though|haha+|lol|eh|huh|right|i guess|for sure|to be honest|tbh|as well|too)(?=[.!…]*$)/iu;

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}

/** Removes colour from sentences of a conversation between these participants. */
export type PlainWording = (sentence: string) => string;

/** A remover for conversations with these others, whose names at the end of a sentence only address them. */
export function plainWording(names: readonly string[]): PlainWording {
  const forms = names.flatMap((name) => [name, name.split(/\s+/u)[0] ?? name]).filter(Boolean);
  const address =
    forms.length === 0
      ? null
      : new RegExp(String.raw`,\s*(?:${forms.map(escaped).join('|')})(?=[.!…]*$)`, 'iu');
  return (sentence) => {
    const direct = address === null ? sentence : sentence.replace(address, '');
    const plain = direct.replace(TAG, '').replace(INTENSIFIER, '');
    return plain.trim() === '' ? sentence : plain;
  };
}

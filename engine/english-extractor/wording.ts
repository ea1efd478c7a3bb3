/** Removes words that only colour a sentence, so that the statement says the fact and no more. */

import { addressing } from './addressed.ts';
import { formsOf } from './openers.ts';

/** Adverbs of degree that change nothing but the tone; not after a negation, which they would turn around. */
const INTENSIFIER =
  /(?<!\b(?:not|never)\s|n['’]t\s)(?:\b(?:totally|definitely|absolutely|literally|honestly|truly|kinda|sorta)|(?<=(?:\b(?:is|are|was|were|am|be|been|feels?|felt)|['’](?:m|s|re))\s)(?:super|kind of|sort of))\s+(?=\p{L})/giu;
/** "..., you know", "... though!", "... if you want". White space is entered at its beginning only. */
const TAG =
  /(?:(?<!\s)\s*[,–—-]\s*(?:you know|right|huh|eh|i guess|for sure|to be honest|tbh)|(?<!\s)(?:\s*[,–—-]\s*|\s+)(?:btw|by the way|though|haha+|lol|if you(?:['’]re (?:interested|up for it)| want| like| wish| need (?:it|me|anything))))(?=[.!…]*$)/iu;

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}

function atTheEnd(names: readonly string[]): RegExp {
  const forms = names.flatMap(formsOf).toSorted((a, b) => b.length - a.length);
  return new RegExp(String.raw`(?:,|[!.…])\s*(?:${forms.map(escaped).join('|')})(?=[.!…]*$)`, 'iu');
}

/** Removes colour from sentences of a conversation between these participants. */
export type PlainWording = (sentence: string) => string;

/** A remover for conversations with these others, whose names at the end of a sentence only address them. */
export function plainWording(names: readonly string[]): PlainWording {
  const addressIn = addressing(names, atTheEnd);
  return (sentence) => {
    const address = addressIn(sentence);
    const direct = address === null ? sentence : sentence.replace(address, '');
    const plain = direct.replace(TAG, '').replace(INTENSIFIER, '');
    return plain.trim() === '' ? sentence : plain;
  };
}

/**
 * Recognises credentials in text and masks them. It is asynchronous because the rule set is, and pure otherwise: no
 * network, no file, no clock. A masked text stays as it is, and so does a text without a secret.
 */
import { MASK } from './mask-word.ts';
import { PATTERNS } from './patterns.ts';
import { findByRuleSet, type Range } from './rule-set.ts';

/** Stands between texts that are scanned together; nothing that is recognised reaches over it. */
const SEAM = '\n\0\n';
const WALL = '\0'.repeat(MASK.length);
/** A mask can make a secret beside it recognisable, so the texts are scanned again, at most this many times in all. */
const ROUNDS = 5;

function findByPatterns(text: string): Range[] {
  return PATTERNS.flatMap(({ pattern }) =>
    [...text.matchAll(pattern)].map((match): Range => {
      const start = match.index;
      return match.indices?.groups?.['secret'] ?? [start, start + match[0].length];
    }),
  );
}

/** Ranges in order; ranges that touch or overlap are made one. */
function merged(ranges: readonly Range[]): Range[] {
  const result: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** Where the secrets are. A mask is part of no secret, and a secret that reaches a mask ends there. */
async function findSecrets(marked: string): Promise<Range[]> {
  const text = marked.replaceAll(MASK, WALL);
  return merged([...findByPatterns(text), ...(await findByRuleSet(text))]);
}

/** The text with `secrets` masked: the ranges that reach into it. `offset` is its place in the joined texts. */
function masked(text: string, offset: number, secrets: readonly Range[]): string {
  let result = '';
  let next = 0;
  for (const [from, to] of secrets) {
    result += text.slice(next, Math.max(from - offset, 0)) + MASK;
    next = to - offset;
  }
  return next === 0 ? text : result + text.slice(next);
}

/** The texts with every recognised secret masked, in order. Many texts cost one scan. */
export async function maskSecrets(texts: readonly string[]): Promise<string[]> {
  let result = [...texts];
  for (let round = 0; round < ROUNDS; round += 1) {
    const secrets = await findSecrets(result.join(SEAM));
    if (secrets.length === 0) break;
    result = maskRanges(result, secrets);
  }
  return result;
}

/** Texts and secrets are walked through side by side: there may be many of both. */
function maskRanges(texts: readonly string[], secrets: readonly Range[]): string[] {
  let offset = 0;
  let first = 0;
  return texts.map((text) => {
    const from = offset;
    const end = from + text.length;
    offset = end + SEAM.length;
    while ((secrets[first]?.[1] ?? Infinity) <= from) first += 1;
    let last = first;
    while ((secrets[last]?.[0] ?? Infinity) < end) last += 1;
    return masked(text, from, secrets.slice(first, last));
  });
}

/** Whether a secret is recognised in the text. */
export async function holdsSecret(text: string): Promise<boolean> {
  return (await findSecrets(text)).length > 0;
}

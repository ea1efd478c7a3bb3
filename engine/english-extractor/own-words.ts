/**
 * Which part of a message is its speaker's own words. Pasted mail, chats, logs, program output, quotations and texts that
 * somebody is asked to work on are other people's, or nobody's: a statement drawn from them would put words into the
 * speaker's mouth. Offsets are kept: what is taken out becomes line breaks.
 */
import { MASK } from '../secrets/mask-word.ts';

/** Fenced code. */
const FENCE = /```[\s\S]*?(?:```|$)/gu;
/** Stage directions such as "[shares a photo]". */
const DIRECTION = /\[[^[\]\n]{0,1000}\]/gu;
/** `<memory_context> ... </memory_context>`: text that a program put in. */
const TAG = /<(?<name>[a-z][\w-]{0,40})(?:\s[^<>]{0,200})?>/giu;
/** Names of tags that are looked for; text with more of them that nothing ends is no markup. */
const MOST_OPEN_TAGS = 32;

const MAIL_REPLY =
  /^[ \t]*(?:on\b.{4,120}\bwrote|.{1,80}\b(?:wrote|writes|schrieb|écrit|escribió|scritto|napisał|skrev)(?: \p{L}+){0,3})\s*:\s*$/iu;
const MAIL_START =
  /^[ \t]*(?:-{2,}\s*(?:original|forwarded)\b|begin forwarded message|(?:fwd?|fw|wg)\s*:|_{10,}$)/iu;
const MAIL_SUBJECT = /^[ \t]*(?:re|aw|sv)\s*:[^.!?]{0,60}$/iu;
const MAIL_HEADER = /^[ \t]*(?:from|to|sent|subject|date|cc|von|an|betreff)\s*:\s*\S/iu;
const SIGNATURE = /^--\s*$/u;
/** "Summarise this text:", "Here is the mail:", "For example:": the rest is material. */
const MATERIAL =
  /(?:^|[.!?][ \t]{1,4}|\n)[ \t]{0,8}(?:(?:please|pls|can you|could you|would you|kindly|now|then|and)[ \t]{1,4}){0,6}(?:summari[sz]e|translate|proof-?read|re-?write|rephrase|paraphrase|correct|fix|edit|improve|polish|shorten|analy[sz]e|review|explain|classify|parse|extract|format|check|reply to|respond to|answer|critique|spell-?check|read)\b[^\n.!?:]{0,80}:|\b(?:here(?:['’]s| is| are)|this is|see|below is|the following is) (?:the|a|an|my|our|their|his|her|some|what)\b[^\n.!?:]{0,60}\b(?:text|mail|e-?mail|message|letter|transcript|log|logs|output|error|code|snippet|essay|story|draft|article|paragraph|sentence|prompt|conversation|chat|note|notes|example|post|tweet|review|poem|lyrics|quote|dialogue|script|file|config|wrote|said)\b[^\n.!?:]{0,40}:/giu;
/** The same for a paragraph. */
const EXAMPLE =
  /\b(?:for example|example|e\.g\.|for instance|sample|quote|template|input|output|prompt|text|transcript)\s*:[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*/giu;
/** What is asked for comes behind it. */
const LEADS_IN = /^[^\n.!?:]{0,100}:/u;
const FENCED = /^[ \t]*\n{8,}/u;
/** The same said after the text. */
const WORK_ON_IT =
  /(?:^|[.!?"”»]\s*)(?:please |pls |now |and |can you |could you |would you )*(?:(?:translate|summari[sz]e)\s*(?:(?:this|that|it|the above|the text|these)\b|(?:to|into|in|for|please)\b|[.!?]|$)|(?:proof-?read|rephrase|paraphrase|rewrite|correct|shorten|fix)\s+(?:this|that|it|the above|the text|the sentence|these)\b)|\b(?:please|can you|could you) (?:translate|summari[sz]e|proof-?read|rephrase|paraphrase|rewrite|shorten)\b/iu;

const QUOTED_LINE = /^[ \t]*(?:>|\|(?!.*\|))/u;
const CHAT_LINE =
  /^[ \t]*(?:[[(]?\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[,T ]+)?[[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\.?)?[\])]?(?:\s*[-–|,]\s*|\s+)<?[\p{L}][\p{L} .'’_-]{0,30}>?\s*:/iu;
const NICK_LINE = /^[ \t]*<[\p{L}\p{N}_. -]{1,30}>\s/u;
const SPEAKER_LINE =
  /^[ \t]*(?:\*\*)?\p{Lu}[\p{L}'’.-]{0,20}(?: \p{Lu}[\p{L}'’.-]{0,20}){0,2}(?:\*\*)?\s*:\s/u;
const LOG_LINE =
  /^[ \t]*(?:[[(]?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}|[[(]?\d{1,2}:\d{2}:\d{2}\b|\p{L}{3}\s+\d{1,2}\s+\d{2}:\d{2}:\d{2}|\S{1,60}\s-\s-\s\[|\[(?:info|warn(?:ing)?|error|debug|trace|fatal|notice)\]|\[\d+(?:\.\d+)?\]|1[5-9]\d{8}(?:\d{3})?\s)/iu;
const LEVEL_LINE = /^[ \t]*(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE)\b[:\s]/u;
const OUTPUT_LINE = /^(?: {4,}|\t)\S|^[ \t]*(?:\$|>>>|#!|~\/|at \S+\(|\+{3}|-{3} |@@)/u;

const blank = (text: string): string => '\n'.repeat(text.length);

/** A masked secret looks like a stage direction and stays. */
const withoutDirections = (text: string): string =>
  text.replace(DIRECTION, (found) => (found === MASK ? found : blank(found)));

/** Whether the line is one of mail, a chat, a log or a program. */
function isForeign(line: string): boolean {
  return [QUOTED_LINE, CHAT_LINE, NICK_LINE, LOG_LINE, LEVEL_LINE, OUTPUT_LINE].some((pattern) =>
    pattern.test(line),
  );
}

/** The message without lines of mail, chats, logs and programs. Each line is looked at once. */
function withoutForeignLines(text: string): string {
  const lines = text.split('\n');
  const isChat = lines.filter((line) => SPEAKER_LINE.test(line)).length > 1;
  const hasHeaders = lines.filter((line) => MAIL_HEADER.test(line)).length > 1;
  let isMail = false;
  return lines
    .map((line) => {
      isMail ||=
        MAIL_REPLY.test(line) ||
        MAIL_START.test(line) ||
        MAIL_SUBJECT.test(line) ||
        SIGNATURE.test(line) ||
        (hasHeaders && MAIL_HEADER.test(line));
      return isMail || isForeign(line) || (isChat && SPEAKER_LINE.test(line)) ? blank(line) : line;
    })
    .join('\n');
}

/** The text without what stands between a tag and the one that ends it. */
function withoutBlocks(text: string): string {
  const unended = new Set<string>();
  const parts: string[] = [];
  let from = 0;
  for (const found of text.matchAll(TAG)) {
    const name = found.groups?.['name'] ?? '';
    if (found.index < from || unended.has(name)) continue;
    const ending = text.indexOf(`</${name}>`, found.index);
    if (ending === -1) unended.add(name);
    else {
      const end = ending + name.length + 3;
      parts.push(text.slice(from, found.index), blank(text.slice(found.index, end)));
      from = end;
    }
    if (unended.size > MOST_OPEN_TAGS) break;
  }
  return `${parts.join('')}${text.slice(from)}`;
}

/** Blanks paragraphs that somebody is asked to work on: "I live in Rome. Please translate." */
function withoutWorkedOn(text: string): string {
  let blankUpTo = 0;
  const paragraphs = text.split(/(?<=\n)(?=[ \t]*\n)/u).map((paragraph, n) => {
    const found = WORK_ON_IT.exec(paragraph);
    const isAsked = found !== null && !LEADS_IN.test(paragraph.slice(found.index));
    // Where the request stands by itself, it is about all that stands before it.
    if (isAsked && paragraph.slice(0, found.index).trim() === '') blankUpTo = n;
    return isAsked ? blank(paragraph) : paragraph;
  });
  return paragraphs.map((paragraph, n) => (n < blankUpTo ? blank(paragraph) : paragraph)).join('');
}

/** Text that the speaker asks somebody to work on, or shows: all that comes behind the words that lead in. */
function withoutMaterial(text: string): string {
  const rest = withoutWorkedOn(text).replace(EXAMPLE, blank);
  for (const found of rest.matchAll(MATERIAL)) {
    const after = found.index + found[0].length;
    // What was in a fence is blank by now, and the speaker goes on behind it.
    if (!FENCED.test(rest.slice(after, after + 40))) {
      return rest.slice(0, found.index) + blank(rest.slice(found.index));
    }
  }
  return rest;
}

/** The text without asides, which become line breaks, so that sentences before and after stay verbatim and apart. */
export function withoutAsides(content: string): string {
  return withoutDirections(content.replace(FENCE, blank));
}

/** The message with all that is not its speaker's own words blanked out. */
export function ownWords(content: string): string {
  const prose = withoutBlocks(content.replace(FENCE, blank));
  // Lines of a log begin with what would count as a stage direction.
  return withoutMaterial(withoutDirections(withoutForeignLines(prose)));
}

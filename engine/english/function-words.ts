/**
 * Whether a text in Latin letters is English, by its function words: texts of every language are full of its own.
 * Unknown text counts as English, because stemming short names harms nothing.
 */
import { wordSet } from '../../domain/text/word-set.ts';

const ENGLISH =
  wordSet(`the and of to is was were are that it for with on at by from this have has had not but they he she you we his her
what when which who how did does do been will would i my me your`);

/** Common function words: German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Polish, Turkish, Indonesian. */
const OTHER = new Set(
  `der die das und ist nicht ein eine einer eines den dem des von zu mit auf für wurde werden sich auch wer wie wann welche
welcher welches wo wie viele ich wir sie er es im zum zur bei nach aus hat hatte sind
le la les des est et une du dans pour pas que qui sur au aux avec je il elle nous vous sont quel quelle où quand
el los las en y una por con del se es su para qué cuál cuándo dónde quién como más
o os um uma não em ao da do dos das na no com são qual quando quem
il lo gli di che è un per non sono della nel quale chi dove
de het een van niet met zijn ik wat wie waar
och att det som är på inte av jag vad
nie się jest na że w z co kto
ve bir bu için ne mi
yang dan ini itu dengan untuk tidak dari apa`
    .split(/\s+/u)
    .filter(
      (word) => !ENGLISH.has(word) && !['a', 'i', 'an', 'do', 'no', 'die', 'es'].includes(word),
    ),
);

const NON_ASCII = /\P{ASCII}/u;
/** Function words counted before deciding: enough for any text, constant for a long one. */
const SAMPLE = 400;

/** Whether folded Latin words read as another language than English. */
export function isOtherLatin(words: readonly string[]): boolean {
  let english = 0;
  let other = 0;
  for (const word of words.slice(0, SAMPLE)) {
    if (ENGLISH.has(word)) english += 1;
    else if (OTHER.has(word)) other += 1;
    else if (NON_ASCII.test(word)) other += 0.5;
  }
  return other > english;
}

const DEVANAGARI =
  wordSet(`का के की को में से है हैं था थे थी और पर ने कि यह वह एक इस उस भी तो ही हो कर किया गया गई जो साथ लिए तक या नहीं क्या कौन
कब कहाँ कैसे कितने किस किसने कितनी कितना अपने उनके उसके इसके द्वारा रूप बाद जब होता होती होते करने`);

/** Words of other languages than English that only join others; English has its own list. */
export function isFunctionWord(word: string): boolean {
  return OTHER.has(word) || DEVANAGARI.has(word);
}

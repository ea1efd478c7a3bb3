/**
 * Irregular English families: a stemmer cannot know that `went` belongs to `go` or `mice` to `mouse`.
 * One line is one family: base form, then its other forms. Forms that are commoner as another word
 * (`saw` the tool, `left` the side, `found` an institute) still join the verb: losing the match costs more.
 */
import { wordSet } from './word-set.ts';

const VERBS = `
arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun|bend bent
bind bound|bite bit bitten|blow blew blown|break broke broken|breed bred|bring brought|build built
burn burnt|buy bought|catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug
do did done|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen
feed fed|feel felt|fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten
forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone|grind ground
grow grew grown|hang hung|have had|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known
lay laid|lead led|lean leant|learn learnt|leave left|lend lent|light lit|lose lost|make made|mean meant|meet met
mistake mistook mistaken|overcome overcame|pay paid|prove proven|ride rode ridden|ring rang rung|rise rose risen
run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken|shine shone|shoot shot
show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken
spend spent|spin spun|spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck
strive strove striven|swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken|teach taught
tear tore torn|tell told|think thought|throw threw thrown|undergo underwent undergone|understand understood
undertake undertook undertaken|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|wind wound
withdraw withdrew withdrawn|write wrote written`;

const NOUNS = `
child children|man men|woman women|foot feet|tooth teeth|mouse mice|goose geese|wife wives|life lives|knife knives
half halves|leaf leaves|wolf wolves|shelf shelves|thief thieves|loaf loaves|calf calves|self selves
analysis analyses|crisis crises|thesis theses|basis bases|diagnosis diagnoses|hypothesis hypotheses
criterion criteria|phenomenon phenomena|person people|medium media|datum data|curriculum curricula|ox oxen|go goes|lie lying lies|die dying dies|tie tying ties`;

/** Verbs whose past equals their base: the form alone tells no tense. */
export const UNCHANGED_VERBS = wordSet(
  'bet bid burst cast cost cut hit hurt let put quit read rid set shed shut split spread thrust',
);

function families(table: string): string[][] {
  return table
    .trim()
    .split(/[|\n]/u)
    .map((line) => line.trim().split(' '));
}

const VERB_FAMILIES = families(VERBS);

function baseByForm(table: readonly string[][]): Map<string, string> {
  return new Map(
    table.flatMap(([base = '', ...forms]) => forms.map((form) => [form, base] as const)),
  );
}

/** Past tense or participle to base form, irregular verbs only. */
export const VERB_BASE: ReadonlyMap<string, string> = baseByForm(VERB_FAMILIES);

/** Base forms of the irregular verbs. */
export const IRREGULAR_BASES: ReadonlySet<string> = new Set(
  VERB_FAMILIES.flatMap(([base]) => (base === undefined ? [] : [base])),
);

const NOUN_BASE = baseByForm(families(NOUNS));

/** The head of an irregular family, or the word itself. */
export function irregularBase(word: string): string {
  return VERB_BASE.get(word) ?? NOUN_BASE.get(word) ?? word;
}

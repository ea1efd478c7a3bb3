/** Words that are capitalised, or stand at an edge of a name, without being part of one. */
import { wordSet } from '../text/word-set.ts';

/** Words that are no name by themselves, and with which no name begins or ends. English, as capitals at sentence starts are. */
const NOISE =
  wordSet(`a about above across after again against ago all almost along already also although always am among an and
another any anybody anyone anything apparently are around as ask asked at away back be became because become been before
behind being below besides between both but by can cannot cant could currently dear despite did didnt do does doesnt doing
done dont down during each earlier early either else especially even eventually ever every everybody everyone everything
except few finally first for former formerly from further generally give given go goes going gone good got had has hasnt have
having he hello hence her here hers herself hey hi him himself his hmm how however i id if ill im in indeed instead into is
isnt it its itself ive just last lastly lately later least less let lets like likely likes look maybe me meanwhile might mine
more moreover most mostly much must my myself near nearly neither never nevertheless next no nobody none nor not nothing now
nowhere obviously of off often oh ok okay on once one ones only onto or originally other others otherwise our ours ourselves
out over own people perhaps please possibly previously probably quite rather really recently said same say says several shall
she should since so some somebody somehow someone something sometimes somewhere soon still such suddenly sure take tell than
thank thanks that thats the their theirs them themselves then there therefore these they theyre things think this those though
through throughout thus till to today together tomorrow tonight too toward towards two under unfortunately unless unlike until
up upon us use used user usually very via want wants was wasnt we well went were what whatever when whenever where whereas
wherever whether which while who whoever whole whom whose why will with within without wont would wow yeah year years yes
yesterday yet you your youre yours yourself yourselves
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec am pm utc gmt`);

/** Lower-case words inside names: Bank of America, Ludwig van Beethoven. */
const CONNECTORS = wordSet('of de da do dos di du del della van von der den la le el al bin ibn y');

/** Before a name, and no part of it. */
const TITLES = wordSet('mr mrs ms miss dr prof professor sir dame saint st');

/** Whether a folded word is no name, and neither begins nor ends one. */
export function isNoise(word: string): boolean {
  return NOISE.has(word) || TITLES.has(word) || CONNECTORS.has(word);
}

/** Whether a folded lower-case word may stand inside a name. */
export function isConnector(word: string): boolean {
  return CONNECTORS.has(word);
}

export function isTitle(word: string): boolean {
  return TITLES.has(word);
}

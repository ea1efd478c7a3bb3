/**
 * Words that fit into any conversation. A sentence made of them alone ("Together we will do something wonderful!")
 * names nothing that a later question could ask about.
 */
import { contentTerms } from '../text/analyze.ts';

const WORDS = `
keep go going get give take make do put bring come let look see feel feeling know think believe hope wish want need try
trying love like enjoy appreciate wait start stay stop quit turn help share show say tell talk hear chat happen mean matter
learn remember forget remind understand figure handle manage deal face believe trust agree bet guess imagine wonder check
thing something anything everything nothing stuff one someone anyone everyone everybody people person other way lot bit ton
kind part point case end idea fact sense time day moment life world journey ride path step road
challenge obstacle struggle setback bump mistake change difference progress goal dream best chance opportunity start
experience adventure memory feeling emotion energy spirit heart mind soul vibe connection inspiration motivation
determination dedication courage strength confidence passion joy happiness love support encouragement hope peace success
good great nice awesome amazing cool fun wonderful beautiful gorgeous lovely incredible fantastic perfect special
inspiring inspired impressive important key vital crucial essential worth tough hard difficult challenging easy scary rough
rewarding powerful precious priceless exciting excited happy glad sad proud lucky grateful thankful sorry nervous stoked
thrilled pumped motivated determined focused positive hopeful optimistic strong brave sure ready able new big little small
huge whole real true right wrong better worse calm peaceful sweet kind super really always never ever forever together
push pushing future chapter resilient stay focus
still again back forward ahead along away around long far much many more every each way yeah sometimes hopefully
definitely totally absolutely maybe indeed wow thanks thank welcome hey hi bye ok okay gonna gotta wanna lemme till til yet
though anyway plus too well just even also soon once twice`;

const VAGUE: ReadonlySet<string> = new Set(contentTerms(WORDS));

/** How many different content words of the text are not vague. */
export function informativeWords(text: string): number {
  return new Set(contentTerms(text).filter((term) => !VAGUE.has(term))).size;
}

/** Words by what a clause with them is worth. Closed lists of English, like every lexicon here. */
import { wordSet } from '../../../domain/text/word-set.ts';

export const BE = wordSet("be am is are was were been being 's 'm 're s");
/** Judge, and say no more of what they judge. */
export const EVALUATIVE =
  wordSet(`great good nice awesome amazing cool fun lovely wonderful beautiful gorgeous incredible fantastic special inspiring
impressive important key vital crucial essential worth tough hard difficult challenging scary rewarding fulfilling powerful priceless
precious exciting perfect best better worse bad terrible awful horrible okay ok fine true right wrong same different interesting
fascinating relaxing calming peaceful soothing magical stunning adorable cute delicious tasty yummy healthy unreal surreal
breathtaking spectacular memorable unforgettable meaningful helpful useful refreshing therapeutic motivating fulfilled nerve-wracking
frustrating annoying rough crazy insane wild weird strange funny hilarious easy simple possible impossible sure real huge big
everything something nothing joy blast pleasure treat gem wonder way reminder feeling experience journey ride challenge process`);
/** How somebody feels, which passes. */
export const MOOD =
  wordSet(`glad happy excited proud sorry sure lucky grateful thankful pumped stoked ready nervous thrilled curious amazed impressed
blessed honored honoured jealous sad afraid scared worried determined motivated inspired confident interested keen up down here there
able willing free busy tired exhausted ok okay fine good great well better back home game positive hopeful optimistic passionate
eager open alone lost stuck close relieved surprised shocked speechless touched moved overwhelmed stressed anxious frustrated upset
content comfortable fortunate aware certain convinced kidding joking serious wrong right late early hungry bored alright in
on off out over so too really happier stronger committed dedicated focused fascinated obsessed psyched hyped
resilient patient human strong`);
/** What goes on in a mind or in a conversation, and changes nothing outside. */
export const MENTAL =
  wordSet(`think believe know hope wish guess feel appreciate agree understand see say mean bet imagine hear wonder realize realise
suppose trust thank look sound seem matter care doubt wait admire respect value expect promise swear assume figure recall sense notice
remember forget consider thought check watch deserve support encourage apologize apologise congratulate root`);
/** Of those the ones that are deeds when they have an object. */
export const SOCIAL = wordSet('apologize apologise congratulate encourage consider promise swear');
export const PERCEIVING = wordSet('see hear notice watch');
export const LIKING = wordSet('love like enjoy prefer hate adore dislike miss loathe');
export const INTENT = wordSet(
  'want hope plan need intend aim would like love decide try wish wanna gonna going go consider',
);
/** Verbs that lead to another one: "am going to start learning" is about learning. */
export const ASPECT =
  wordSet(`start begin continue keep try manage get have use stop finish end help be like love enjoy hate prefer want hope plan need intend
aim decide go going wish learn wanna gonna gotta consider think look able about used seem tend wait`);
export const TELLING = wordSet('tell ask talk speak say chat discuss share show mention');
export const MODAL = wordSet('can could should would may might must ca');
/** Verbs that describe like "be": "is staying hopeful", "feels great". */
export const LINKING = wordSet('stay feel get become remain keep look seem sound');
/** Says that somebody believes what follows, and no more. */
export const BELIEVING = wordSet('sure certain confident convinced aware glad sorry');
export const OWN = wordSet('i me my mine myself we us our ours');
export const SKILLS =
  wordSet(`speak play cook swim drive ride code program sing dance draw paint read write type fly sail ski surf skate juggle knit sew bake
climb lift fix repair build row paddle crochet weld carve whistle translate teach`);
/** What a picture or a saying has that somebody else has shown: to like it is praise, and no preference. */
export const SHOWN =
  wordSet(`color colors colour colours vibe vibes quote pic pics photo photos picture pictures shot shots design designs idea ideas look
details detail view views sign message sound pattern patterns outfit energy spirit attitude mindset enthusiasm passion`);
/** First names that are words, too. */
export const FIRST_NAMES =
  wordSet(`tom bob rose mark bill will jack grace hope joy faith dawn jean dean frank pat sue nick rob dick ray roy lily daisy ivy olive ruby
amber crystal violet iris heather holly caroline john james robert michael david richard joseph thomas charles daniel matthew anthony
peter paul george kevin brian edward ronald jason jeffrey ryan jacob gary eric stephen larry scott justin brandon gregory samuel
raymond patrick alexander dennis jerry tyler aaron henry adam nathan zachary kyle mary patricia jennifer linda elizabeth barbara susan
jessica sarah karen nancy lisa betty margaret sandra ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca
laura sharon cynthia kathleen amy angela shirley anna ruth brenda pamela nicole katherine samantha christine emma catherine debra
virginia rachel janet maria julie kelly victoria lauren ann anne alice martha helen ben sam max alex chris jon dan matt mike steve dave
joe jim tim ken don ron greg jeff kate jane lucy sophie olivia mia ella eve`);

/** Phrases that promise, greet or encourage and tell nothing. */
export const PHATIC =
  /\b(?:(?:give|gave|giving) (?:it|that|this|them) (?:a|my|another) (?:try|shot|go|best)|(?:get|keep|stay|be) in touch|keep (?:you|me|us) (?:posted|updated|in the loop)|let (?:you|me|u) know|catch(?:ing)? up|since (?:we|you and i|i) (?:last )?(?:\p{L}+ )?(?:talked|spoke|spoken|chatted|met|caught|saw|seen|texted)|(?:have|got|has|had|'ve got) (?:your|my) back|make (?:sure|it happen)|making sure|do (?:my|our) best|try (?:my|our) best|step by step|day by day|one (?:step|day) at a time|no idea|no clue|can't complain|long time no|take care|hang in there|means? (?:a lot|so much|the world|everything)|look(?:ing)? forward to (?:it|that|seeing you|hearing)|(?:can't|cannot|can not) (?:wait|imagine|believe|tell you|help)(?: (?:to (?:see|hear)|it|that|how|for (?:it|that)))*\s*[.!]*$|to be honest|nature(?:['’]s| is) calling|you know|see (?:you|ya)|talk (?:soon|to you)|in the same boat|on the same page|by your side|(?:here|there) for (?:you|me|us|each|one another|him|her|them)|rooting for|cheering for)\b/iu;
/** Openings of praise and of thanks. */
export const EXCLAIMS =
  /^(?:such|what) an?\b|^(?:congrats|congratulations|thanks|thank|cheers|kudos|props|good luck|best of luck|no wonder|way to go|nice|great|awesome|cool|wow)\b/iu;

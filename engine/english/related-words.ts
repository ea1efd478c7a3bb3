/**
 * English words that people use for one another in everyday talk. A question says `pets`, the answer names a dog; a
 * question says `children`, the answer speaks of a son. A line `head: members` is a kind with its examples; a line
 * without a head lists words of one meaning; the last of these are verbs of which a form has the stem of a noun (`lives`, `life`).
 * General knowledge of the language, made for no conversation.
 */
import { contentStem } from './analysis.ts';

const KINDS = `
family: parent mother father mom dad wife husband son daughter kid child brother sister sibling cousin aunt uncle nephew niece grandma grandpa grandmother grandfather relative
parent: mother father mom dad
child: son daughter kid baby toddler
sibling: brother sister
grandparent: grandma grandpa grandmother grandfather
partner: husband wife boyfriend girlfriend fiance fiancee spouse
relationship: single married dating divorced engaged partner husband wife boyfriend girlfriend breakup
pet: dog cat puppy kitten hamster rabbit parrot turtle fish guinea
animal: dog cat horse bird bear deer turtle elephant lion tiger rabbit cow sheep goat snake
hobby: painting drawing hiking reading gardening cooking baking dancing photography pottery knitting fishing gaming running swimming cycling yoga writing crafting chess
activity: hiking swimming camping painting running cycling dancing yoga climbing kayaking fishing skiing surfing workshop class pottery
sport: soccer football basketball tennis baseball volleyball hockey golf swimming running cycling boxing surfing skiing rugby cricket badminton
exercise: workout gym running yoga jogging weights fitness cardio swimming cycling training
game: chess poker puzzle console multiplayer card board
instrument: guitar piano violin drum flute cello clarinet trumpet saxophone bass ukulele keyboard
music: song band concert album singer playlist guitar piano melody jazz rock classical
musician: singer band artist guitarist pianist
art: painting drawing sculpture pottery sketch mural canvas watercolor gallery exhibition photography
event: party concert festival wedding conference parade workshop ceremony meeting meetup gala fair competition tournament show celebration performance
celebration: party birthday wedding anniversary holiday graduation
holiday: christmas thanksgiving easter halloween vacation
trip: travel vacation journey visit flight tour roadtrip getaway cruise hike
vacation: trip holiday beach resort travel getaway
travel: trip flight visit journey vacation fly tour abroad
country: abroad usa america canada mexico france germany italy spain england japan china india brazil australia ireland sweden norway portugal greece thailand
city: town london paris rome berlin tokyo york chicago boston seattle barcelona madrid sydney toronto miami
place: city park beach restaurant cafe museum lake mountain town country
nature: forest mountain lake river hike outdoors park beach ocean trail sunset woods
outdoors: hike camping trail nature park mountain forest
food: meal dish recipe pizza pasta salad soup chicken snack dessert bread cheese burger sushi cake cookie vegetable fruit sandwich curry steak breakfast lunch dinner
meal: breakfast lunch dinner dish food recipe
dessert: cake cookie pie chocolate pastry cupcake brownie pudding
drink: coffee tea juice beer wine soda cocktail water smoothie
snack: popcorn chips cookie candy fruit nut
vegetable: carrot broccoli spinach lettuce tomato pepper onion potato veggie
fruit: apple banana orange berry strawberry mango grape peach
vehicle: car truck van bike motorcycle bus suv
clothes: shirt dress shoe jacket hat jeans hoodie sweater outfit fashion clothing wear
furniture: sofa couch chair table bed desk shelf
flower: rose tulip sunflower daisy lily orchid
book: novel author read story chapter memoir biography fiction
health: doctor hospital diet illness medicine injury checkup disease symptom sick fitness condition
injury: hurt twist sprain break fracture wound ankle knee accident injured pain
accident: crash hurt injured collision fell
illness: sick disease flu cold diagnosis infection fever condition
doctor: physician hospital clinic appointment checkup nurse
emotion: happy sad angry proud anxious excited nervous feeling joy fear grief
stress: anxiety pressure relax overwhelmed tension burnout
relax: unwind destress calm meditate chill rest
job: work career position employer company profession hired promoted office engineer teacher nurse lawyer banker manager
career: job profession work counseling field
education: school college university degree study course class student graduate
school: teacher class student homework college university
degree: bachelor master phd university college diploma graduate
money: pay cost price salary budget dollar expense loan savings income
business: company startup store shop customer brand client entrepreneur venture
purchase: buy order get shop
gift: present receive give
award: prize trophy medal certificate win
goal: plan dream aim target ambition
home: house apartment flat move place
volunteer: charity donate shelter help community nonprofit
religion: church god faith prayer pray christian muslim jewish hindu buddhist
community: group organization club center neighborhood
technology: software app computer phone laptop library framework tool
device: phone laptop tablet watch computer tracker camera
weather: rain snow sun storm wind temperature
deadline: date due schedule milestone
database: sql table schema query postgres mysql sqlite
bug: error issue fix exception crash
framework: react flask django angular vue express rails spring
language: english spanish french german chinese japanese italian
season: spring summer autumn winter fall
personality: kind caring thoughtful generous shy confident honest funny patient creative stubborn ambitious driven
trait: kind caring thoughtful generous shy confident honest patient creative ambitious
identity: woman man gender transgender gay lesbian queer nationality ethnicity religion
politics: liberal conservative democrat republican vote election government party progressive
belief: faith religion god church value opinion
government: president minister mayor law election policy senate
crime: theft robbery fraud murder police arrest
bird: parrot owl eagle duck chicken swan robin
insect: bee ant butterfly spider mosquito
tree: oak pine maple palm birch willow
plant: flower tree garden seed vegetable herb cactus
garden: plant flower vegetable seed grow
water: lake river ocean sea beach pool rain
beach: ocean sea sand surf coast
weekend: saturday sunday
meat: chicken beef pork bacon steak turkey lamb sausage
seafood: fish salmon shrimp crab tuna lobster
cuisine: italian mexican chinese japanese indian thai french greek
restaurant: cafe diner bistro pizzeria eat dine
diet: vegan vegetarian eat healthy calorie weight nutrition
kitchen: oven stove fridge sink cook
room: kitchen bedroom bathroom living office garage basement
building: house tower church museum school hospital library
color: red blue green yellow purple pink orange black white brown
jewelry: necklace ring bracelet earring watch
toy: doll lego puzzle ball
craft: knitting sewing pottery woodworking crochet embroidery
performance: dance play concert theater show recital stage
theater: play musical stage drama actor
genre: comedy drama horror fantasy romance thriller mystery jazz rock pop classical
sleep: bed night nap insomnia tired
body: arm leg back knee ankle head hand shoulder foot heart stomach
symptom: pain headache fever cough nausea fatigue
treatment: therapy medicine surgery medication therapist rehab
therapy: therapist counselor counseling treatment
support: help encourage friend family mentor therapist
subject: math science history english physics chemistry biology art
teacher: professor tutor instructor coach mentor
profession: teacher nurse doctor engineer lawyer artist writer chef designer developer accountant
company: google apple microsoft amazon startup firm
project: app website build task milestone feature
feature: login search upload dashboard notification button page
software: app program tool framework library api code
security: password encryption authentication login token vulnerability
test: unit coverage integration jest pytest assertion
meeting: call appointment standup interview session
contest: competition tournament race match
win: award prize trophy first medal
vehicle: plane train boat ship motorcycle
transport: bus train subway taxi bike plane
disaster: earthquake flood fire storm hurricane
season: winter summer autumn
document: report essay letter email paper resume
media: instagram facebook twitter youtube blog podcast
promote: advertise ad campaign marketing post flyer social
finance: budget loan bank savings invest mortgage debt
hardship: struggle loss difficult challenge setback
loss: death die passed grief funeral
achievement: award win graduate promotion milestone success accomplish
fear: afraid scared phobia spider height
dream: goal wish hope aspire
memory: remember nostalgic childhood past
childhood: kid young grew child
nickname: call name
age: old year birthday born
marriage: wedding husband wife married engaged
pregnancy: pregnant baby due birth
adoption: adopt agency child
`;

const SAME = `
mother mom mum mommy mama
father dad daddy papa
grandmother grandma granny
grandfather grandpa
child kid kiddo
baby newborn infant
dog puppy pup
cat kitten kitty
movie film
picture photo photograph pic image
store shop boutique
car automobile
bike bicycle
doctor physician doc
sick ill unwell
begin start
end finish complete
buy purchase
choose pick select
job work position
colleague coworker
company firm employer
boss manager supervisor
house home
apartment flat condo
trip vacation holiday getaway
couch sofa
gift present
large big huge
small little tiny
quick fast rapid
happy glad joyful
sad unhappy upset
afraid scared frightened fear
angry mad furious
smart clever intelligent
hard difficult tough challenging
funny hilarious
pretty beautiful gorgeous
help assist support
talk chat conversation discuss speak
tell say mention
fix repair
wed marry wedding marriage
pregnant expecting baby
idea thought suggestion
advice tip suggestion recommend
suggest recommend advise
like love enjoy favorite
hate dislike
favorite prefer love
win prize award
reason because motivation
motivate inspire
attend join participate
participate take part join involved
learn study
create make build
relax unwind destress
exercise workout
meal dinner lunch
recipe dish cook
area region
picture painting
book novel
kind type sort
often frequently regularly
method way approach
issue problem trouble
goal aim objective target
error bug exception
speed performance latency
test testing tests
deadline due
document documentation docs
authentication login auth
configuration config setup settings
repository repo
application app
database db
environment env
information info details
business biz venture
education edu
vegetable veggie
refrigerator fridge
television tv
telephone phone mobile cellphone
laboratory lab
examination exam test
advertisement ad promote promotion marketing
money cash funds
cost price expense
salary pay wage
earn make
lawyer attorney
teacher instructor coach
student pupil
hometown grew
birthplace born
degree diploma
join enroll register sign
quit resign leave
lose lost
move relocate
meet met encounter
visit go
gather gathering meetup
journey trip
concert gig show
tired exhausted
live lives
leave leaves
`;

export interface RelatedStem {
  readonly stem: string;
  /** Between 0 and 1: how surely the one word stands for the other. */
  readonly strength: number;
}

const SAME_STRENGTH = 1;
const EXAMPLE_STRENGTH = 0.7;
const KIND_STRENGTH = 0.4;

function stemsOf(words: string): string[] {
  return words.split(/\s+/u).flatMap((word) => contentStem(word) ?? []);
}

function relations(): Map<string, Map<string, number>> {
  const related = new Map<string, Map<string, number>>();
  const relate = (from: string, to: string, strength: number): void => {
    if (from === to) return;
    const known = related.get(from) ?? new Map<string, number>();
    known.set(to, Math.max(known.get(to) ?? 0, strength));
    related.set(from, known);
  };
  for (const line of KINDS.trim().split('\n')) {
    const [head = '', members = ''] = line.split(':');
    for (const kind of stemsOf(head)) {
      for (const member of stemsOf(members.trim())) {
        relate(kind, member, EXAMPLE_STRENGTH);
        relate(member, kind, KIND_STRENGTH);
      }
    }
  }
  for (const line of SAME.trim().split('\n')) {
    const stems = stemsOf(line.trim());
    for (const from of stems) for (const to of stems) relate(from, to, SAME_STRENGTH);
  }
  return related;
}

const RELATED: ReadonlyMap<string, readonly RelatedStem[]> = new Map(
  Array.from(relations(), ([stem, others]) => [
    stem,
    Array.from(others, ([other, strength]) => ({ stem: other, strength })),
  ]),
);

/** Stems of words that may stand for the word of a stem; none for a word that the lists do not hold. */
export function relatedStems(stem: string): readonly RelatedStem[] {
  return RELATED.get(stem) ?? [];
}

/**
 * Questions with their answers, which share a meaning and hardly a word: what an embedder is judged by. They are fixed, and
 * hold nothing of an account. A question's wrong answers are those of the others in its language.
 */

export interface SamplePair {
  readonly question: string;
  readonly answer: string;
}

const pair = (question: string, answer: string): SamplePair => ({ question, answer });

const ENGLISH = [
  pair('Where does she work now?', 'Maria got a job at the bank in spring.'),
  pair('What pet do they have?', 'A grey cat sleeps on their sofa.'),
  pair('Which food makes him ill?', 'Peanuts gave Tom a bad rash.'),
  pair('When is the wedding?', 'The couple will marry in June.'),
  pair('How does he get to the office?', 'Peter rides his bicycle every morning.'),
  pair('What instrument does she play?', 'Anna practises the violin daily.'),
  pair('Who repaired the car?', 'The mechanic fixed the engine on Monday.'),
  pair('Where will they spend the holidays?', 'We booked a hotel in Lisbon for August.'),
  pair('Why was the meeting cancelled?', 'The manager stayed in bed with the flu.'),
  pair('How much did the laptop cost?', 'The computer was nine hundred euros.'),
];

const GERMAN = [
  pair('Wo arbeitet sie jetzt?', 'Maria hat im Frühling eine Stelle bei der Bank bekommen.'),
  pair('Welches Haustier haben sie?', 'Eine graue Katze schläft auf dem Sofa.'),
  pair('Welches Essen verträgt er nicht?', 'Von Erdnüssen bekam Tom Ausschlag.'),
  pair('Wann ist die Hochzeit?', 'Das Paar heiratet im Juni.'),
  pair('Wie kommt er ins Büro?', 'Peter fährt jeden Morgen mit dem Fahrrad.'),
  pair('Welches Instrument spielt sie?', 'Anna übt täglich Geige.'),
  pair('Wer hat das Auto repariert?', 'Der Mechaniker brachte den Motor in Ordnung.'),
  pair('Wo verbringen sie den Urlaub?', 'Für August ist ein Hotel in Lissabon gebucht.'),
  pair('Warum fiel die Besprechung aus?', 'Der Leiter lag mit Grippe im Bett.'),
  pair('Was hat der Laptop gekostet?', 'Der Rechner war für neunhundert Euro zu haben.'),
];

const CHINESE = [
  pair('她现在在哪里上班？', '玛丽亚春天进了银行工作。'),
  pair('他们养了什么宠物？', '一只灰猫睡在沙发上。'),
  pair('他吃什么会不舒服？', '汤姆对花生过敏。'),
  pair('婚礼是什么时候？', '这对恋人六月结婚。'),
  pair('他怎么去办公室？', '彼得每天早上骑自行车。'),
  pair('她会什么乐器？', '安娜天天练小提琴。'),
  pair('谁把汽车修好了？', '技师星期一修理了发动机。'),
  pair('他们去哪里度假？', '我们订了八月份里斯本的酒店。'),
  pair('会议为什么取消了？', '经理得了流感，卧床休息。'),
  pair('笔记本花了多少钱？', '那台电脑九百欧元。'),
];

/** By language; an embedder need know one of them only. */
export const ABILITY_SAMPLE: readonly (readonly SamplePair[])[] = [ENGLISH, GERMAN, CHINESE];

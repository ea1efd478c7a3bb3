// The one script of the console. Every page works without it: it shows times in the reader's zone, copies texts, gives
// keys their effect where a page names them, looks again at what goes on by itself, and moves the focus to what was wrong
// with a form. It keeps nothing and asks for nothing.
'use strict';

const shown = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
});

for (const time of document.querySelectorAll('time[data-local]')) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) continue;
  time.title = time.textContent;
  time.textContent = shown.format(at);
}

for (const source of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet copy';
  button.textContent = 'Copy';
  const say = (text) => {
    button.textContent = text;
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  };
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(source.textContent).then(
      () => say('Copied'),
      () => say('Not copied'),
    );
  });
  source.after(' ', button);
}

// Keys, on pages that have a legend of them (`data-keys`). A key presses the first part of the page that names it
// (`data-key`) and is seen: on a narrow screen the item beside the list is not, and what nobody sees is not decided. After
// a key has left the page the others wait for the next one, so that a key that is held or struck twice decides once.
const isSeen = (element) => element.getClientRects().length > 0;
let isLeaving = false;
addEventListener('pageshow', () => {
  isLeaving = false;
});

const press = (element) => {
  isLeaving = element.matches('button, a');
  element.click();
  element.parentElement?.querySelector('textarea')?.focus();
};

const isTyping = ({ target }) =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select') !== null;

if (document.querySelector('[data-keys]') !== null) {
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.repeat || isTyping(event)) return;
    const named = [...document.querySelectorAll('[data-key]')].find(
      (element) => element.dataset.key === event.key && isSeen(element),
    );
    if (named === undefined || isLeaving) return;
    event.preventDefault();
    press(named);
  });
}

// The list stands at the item that is open, where it is a part of the page that scrolls by itself.
const open = document.querySelector('.queue .entry.open');
const queue = open?.closest('.queue');
if (queue && queue.scrollHeight > queue.clientHeight) {
  queue.scrollTop = Math.max(0, open.offsetTop - queue.clientHeight / 2);
}

// Choosing all changes the boxes where they are, instead of opening the page anew.
const boxes = () => [...document.querySelectorAll('.queue input[type=checkbox]')];
document.querySelector('[data-choose-all]')?.addEventListener('click', (event) => {
  event.preventDefault();
  const isAll = boxes().every((box) => box.checked);
  for (const box of boxes()) box.checked = !isAll;
  event.currentTarget.textContent = isAll ? 'Choose all on this page' : 'Choose none';
});

// What goes on by itself is looked at again, while somebody looks at the page.
const LOOK_AGAIN_MS = 5000;
if (document.querySelector('[data-live]') !== null) {
  setInterval(() => {
    if (!document.hidden) location.reload();
  }, LOOK_AGAIN_MS);
}

document.getElementById('error-summary')?.focus();

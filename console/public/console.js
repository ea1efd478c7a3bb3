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

// Keys, on pages that have a legend of them (`data-keys`). A key presses the part of the page that names it (`data-key`). In
// a list of items (`data-items`) j and k go from one to the next, x chooses, o opens; a decision without a choice is about
// the item that the focus is on, and about none where it is on none.
const items = document.querySelector('[data-items]');

const boxes = () => [...(items?.querySelectorAll('input[type=checkbox]') ?? [])];
const entryOf = (element) => element?.closest('li') ?? null;

const boxAtFocus = () => {
  const entry = entryOf(document.activeElement);
  return boxes().find((box) => entryOf(box) === entry) ?? null;
};

const step = (by) => {
  const all = boxes();
  const at = all.indexOf(boxAtFocus());
  const next = at === -1 ? all[by > 0 ? 0 : all.length - 1] : all[at + by];
  const link = entryOf(next)?.querySelector('a');
  link?.focus();
  link?.scrollIntoView({ block: 'nearest' });
};

const LIST_KEYS = {
  j: () => step(1),
  k: () => step(-1),
  x: () => boxAtFocus()?.click(),
  o: () => entryOf(boxAtFocus())?.querySelector('a')?.click(),
};

const press = (element) => {
  if (element.closest('[data-items]') !== null && !boxes().some((box) => box.checked)) {
    const box = boxAtFocus();
    if (box === null) return;
    box.checked = true;
  }
  element.click();
  element.parentElement?.querySelector('textarea')?.focus();
};

const isTyping = ({ target }) =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select') !== null;

if (document.querySelector('[data-keys]') !== null) {
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.repeat || isTyping(event)) return;
    const ofList = items === null ? undefined : LIST_KEYS[event.key];
    const named = [...document.querySelectorAll('[data-key]')].find(
      (element) => element.dataset.key === event.key,
    );
    if (ofList === undefined && named === undefined) return;
    event.preventDefault();
    if (ofList === undefined) press(named);
    else ofList();
  });
}

// Choosing all changes the boxes where they are, instead of opening the page anew.
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

// The one script of the console. Every page works without it: it shows times in the reader's zone, copies texts, and
// moves the focus to what was wrong with a form. It keeps nothing and asks for nothing.
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

document.getElementById('error-summary')?.focus();

/** Pages reach what is known through operations alone, and markup is made in one place. */
import { expect, test } from '@jest/globals';
import { importsOf, readFiles } from './source-tree.ts';

const pages = readFiles(['console'], '.ts');

test('the console imports neither stores nor the engine, not even their types', () => {
  const found = pages
    .flatMap(importsOf)
    .filter(({ target }) => /^(?:stores|engine|runtime|api|activities)\//.test(target ?? ''))
    .map(({ from, specifier }) => `${from} -> ${specifier}`);
  expect(pages.length).toBeGreaterThan(20);
  expect(found).toEqual([]);
});

test('pages import of operations what they answer, and no operation itself', () => {
  const found = pages
    .flatMap(importsOf)
    .filter(({ target, typeOnly }) => target?.startsWith('operations/') === true && !typeOnly)
    .map(({ from, specifier }) => `${from} -> ${specifier}`);
  expect(found).toEqual([]);
});

test('no file but the one that escapes makes markup of a text', () => {
  const found = pages
    .filter(({ path }) => path !== 'console/design/markup.ts')
    .filter(({ text }) => /markupOf|new Markup|innerHTML|insertAdjacentHTML/.test(text))
    .map(({ path }) => path);
  expect(found).toEqual([]);
});

test('the script makes no markup, keeps nothing and asks for nothing', () => {
  const [script, ...others] = readFiles(['console/public'], '.js');
  expect(others).toEqual([]);
  expect(script?.text).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|Function\(|localStorage|sessionStorage|fetch\(/,
  );
});

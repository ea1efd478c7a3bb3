/** Signs people of a scene in through the form, as they do. */
import type { Page } from 'playwright-core';
import { PASSWORD, type Scene } from '../console/scene.ts';

/** The page, with the person signed in; the form is the one at `from`. */
export async function signIn(
  page: Page,
  { emailOf }: Pick<Scene, 'emailOf'>,
  person: string,
  { from = '/sign-in', password = PASSWORD } = {},
): Promise<Page> {
  await page.goto(from);
  await page.getByLabel('E-mail address').fill(emailOf(person));
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console$/);
  return page;
}

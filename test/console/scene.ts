/** A service with people at their browsers, and statements to look at. */
import { PASSWORD } from '../support/account.ts';
import { startOwnService, type Body, type OwnService } from '../support/service.ts';
import { openBrowser, type Browser } from './browser.ts';

export { closeWithoutErrors } from '../support/service.ts';
export { openBrowser, readPage, type Browser, type Page } from './browser.ts';

export type PersonName = 'reader' | 'member' | 'curator' | 'admin' | 'alice';

export interface Scene {
  readonly service: OwnService;
  /** The key of the agent that relays what alice says. */
  readonly relay: string;
  /** The address that a person of the scene signs in with. */
  emailOf(person: string): string;
  /** A browser in which the person has signed in through the form. */
  signedIn(person: string): Promise<Browser>;
  /** A browser in which nobody has. */
  browser(): Browser;
  /** Lets alice say something about herself through the agent, and answers the statement's id; throws when none is drawn. */
  said(content: string, scope?: string): Promise<string>;
}

const HOME = 'home';

/** Opens it. Alice is known through an agent, and signs in as reader; `curator` decides in `/team`; `admin` may all. */
export async function openScene(settings: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const service = await startOwnService(settings);
  const { home } = service;
  const relay = (await home.agent('relay')).token;
  let sessions = 0;
  const said = async (content: string, scope = '/team'): Promise<string> => {
    sessions += 1;
    const body: Body = {
      peer_key: 'alice',
      session_id: `scene-${sessions}`,
      scope_path: scope,
      content,
    };
    const { knowledge } = await service.ingestAndWait(relay, body);
    const [drawn] = knowledge;
    if (drawn === undefined) throw new Error(`no statement is drawn from "${content}"`);
    return String(drawn['id']);
  };
  await said('I own a red canoe.');
  await home.person('alice', { peer: 'alice', role: 'reader' });
  await home.person('reader', { role: 'reader' });
  await home.person('member', { role: 'member' });
  await home.person('curator', { role: 'curator', scope: '/team' });
  const emailOf: Scene['emailOf'] = (person) =>
    person === 'admin' ? home.adminEmail : `${person}@${HOME}.example`;
  return {
    service,
    relay,
    said,
    emailOf,
    browser: () => openBrowser(service),
    async signedIn(person) {
      const browser = openBrowser(service);
      const page = await browser.submit(await browser.open('/sign-in'), 'Sign in', {
        email: emailOf(person),
        password: PASSWORD,
      });
      if (page.status !== 200 || page.path !== '/console') {
        throw new Error(`${person} could not sign in: ${page.status} ${page.text}`);
      }
      return browser;
    },
  };
}

export { HOME, PASSWORD };

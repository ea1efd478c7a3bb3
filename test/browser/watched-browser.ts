/** Chromium, watched: what a page must never do is kept and can be asked for. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { HANGS_MS } from '../support/patience.ts';

/** How pages are looked at. */
export interface Look {
  /** Whether scripts run. */
  readonly scripts: boolean;
  readonly theme?: 'light' | 'dark';
  /** Width in CSS pixels. */
  readonly width?: number;
}

export interface WatchedBrowser {
  /** A browser window with cookies of its own. */
  open(look: Look): Promise<Page>;
  /** Requests to other origins, breaches of the content security policy and errors of scripts since the start. */
  readonly offences: readonly string[];
  close(): Promise<void>;
}

const USUAL_WIDTH = 1_024;
const HEIGHT = 900;
/** What a busy machine may need for a page. */
const PAGE_WITHIN_MS = HANGS_MS;

function programPath(): string {
  const script = join(import.meta.dirname, 'install-chromium.sh');
  return execFileSync(script, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

/** Chromium's sandbox refuses to start as root. */
const rootOnly = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

async function watch(context: BrowserContext, origin: string, offences: string[]): Promise<void> {
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:') offences.push(`asked ${url.origin}`);
  });
  context.on('weberror', (error) => offences.push(`script: ${error.error().message}`));
  context.on('console', (message) => {
    // A page that says no is an error of the network to Chromium, and no offence.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) offences.push(`console: ${message.text()}`);
  });
  await context.exposeFunction('tellOfBreach', (directive: string) => {
    offences.push(`policy: ${directive}`);
  });
  // Text, because it runs in the page.
  await context.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => tellOfBreach(event.effectiveDirective))",
  );
}

/** Starts Chromium for the service at `url`. Installs it where the machine has none. */
export async function startBrowser(url: string): Promise<WatchedBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath: programPath(),
    args: [...rootOnly, '--disable-dev-shm-usage'],
  });
  const offences: string[] = [];
  return {
    offences,
    async open({ scripts, theme = 'light', width = USUAL_WIDTH }) {
      const context = await browser.newContext({
        baseURL: url,
        javaScriptEnabled: scripts,
        colorScheme: theme,
        viewport: { width, height: HEIGHT },
      });
      context.setDefaultTimeout(PAGE_WITHIN_MS);
      await watch(context, new URL(url).origin, offences);
      return context.newPage();
    },
    close: () => browser.close(),
  };
}

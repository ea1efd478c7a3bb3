/** What to do first where nothing is known yet: for who may set the service up, and for everybody else. */
import type { Caller } from '../../../domain/identity/caller.ts';
import { empty } from '../../design/elements.ts';
import { html, type Markup } from '../../design/markup.ts';
import { isAdmin } from '../../design/navigation.ts';

const KEY = 'npx vouch key create --peer my-agent --scope / --role member';
const OBSERVATION = `curl -X POST "$VOUCH_URL/api/v1/ingest" \\
  -H "Authorization: Bearer $VOUCH_KEY" -H "Content-Type: application/json" \\
  -d '{"session_id": "first", "scope_path": "/team", "content": "I like tea."}'`;
const CLIENT = 'npx vouch mcp install claude-code';

function command(text: string): Markup {
  return html`<pre class="code" tabindex="0" data-copy="">${text}</pre>`;
}

const FOR_ADMINISTRATORS = html`<section class="sheet" aria-labelledby="first">
  <h2 id="first">Nothing is known yet: first steps</h2>
  <ol>
    <li>
      <p>Make a key for an agent. The command shows it once.</p>
      ${command(KEY)}
    </li>
    <li>
      <p>
        Let the agent send an observation. <code>VOUCH_URL</code> is the address of this page
        without its path, <code>VOUCH_KEY</code> is the key.
      </p>
      ${command(OBSERVATION)}
      <p>Or give a coding agent its tools:</p>
      ${command(CLIENT)}
      <p>Or <a href="/console/sources/upload">upload a document</a>.</p>
    </li>
    <li>
      <p>
        Look here again. <a href="/console/knowledge">Knowledge</a> lists the statements drawn from
        it, and <a href="/governance">Decisions</a> the statements that wait for a curator. At first
        every statement waits.
      </p>
    </li>
  </ol>
  <p class="hint">The <a href="/api/docs">description of the interface</a> shows every request.</p>
</section>`;

const FOR_OTHERS = empty(
  'Nothing is known yet',
  html`Statements appear here as soon as an agent records an observation or somebody
    <a href="/console/sources">uploads a document</a>, if you may see them. Ask your administrator
    which agent to use.`,
);

/** The sheet for the viewer. */
export function firstSteps(caller: Caller): Markup {
  return isAdmin(caller) ? FOR_ADMINISTRATORS : FOR_OTHERS;
}

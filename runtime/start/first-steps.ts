/**
 * The three lines of curl that a fresh start prints. They work when pasted, in any directory, each in a shell of its
 * own, and without jq. Address and key are read from the credentials file by its absolute path. The second line reads
 * the id from the answer that the first line saved beside that file.
 */

/** Quotes text for a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command substitution that reads one string member of a JSON file. */
function member(file: string, name: string): string {
  return `$(sed -n 's/.*"${name}": *"\\([^"]*\\)".*/\\1/p' ${shellQuote(file)})`;
}

function curl(
  credentialsFile: string,
  path: string,
  body: Readonly<Record<string, string>> | null,
): string {
  const address = `"${member(credentialsFile, 'base_url')}${path}"`;
  const key = `-H "authorization: Bearer ${member(credentialsFile, 'api_key')}"`;
  const json =
    body === null
      ? ''
      : ` -H 'content-type: application/json' -d ${shellQuote(JSON.stringify(body))}`;
  return `curl -sS -w '\\n%{http_code}\\n' ${address} ${key}${json}`;
}

/**
 * Send an observation, wait for its extraction, search for it. The question shares only the name with the sentence, and neither
 * the second nor the third line names a reader: both read as the agent that relayed.
 */
export function firstSteps(
  credentialsFile: string,
  answerFile: string,
): readonly [string, string, string] {
  const observation = {
    session_id: 'first-steps',
    scope_path: '/first-steps',
    peer_key: 'ada',
    content: 'Ada moved to Oslo in March.',
  };
  return [
    `${curl(credentialsFile, '/api/v1/ingest', observation)} | tee ${shellQuote(answerFile)}`,
    curl(credentialsFile, `/api/v1/ingest/${member(answerFile, 'message_id')}?wait_ms=10000`, null),
    curl(credentialsFile, '/api/v1/search', {
      query: 'Where does Ada live?',
      scope_path: '/first-steps',
    }),
  ];
}

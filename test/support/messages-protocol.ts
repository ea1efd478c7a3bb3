/** The stub's answers in Anthropic's Messages protocol: what a chat completion says, said the other way. */

/** A chat completion as the stub makes it. */
export interface Completion {
  readonly choices: readonly {
    readonly message: { readonly content: string | null; readonly refusal?: string };
    readonly finish_reason: string;
  }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

type Body = Readonly<Record<string, unknown>>;

const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  content_filter: 'refusal',
};

/** The message that answers `body`; an object that was asked for as a tool's input is given as one. */
export function asMessage(body: Body, { choices, usage }: Completion): unknown {
  const [choice] = choices;
  const { content = null, refusal } = choice?.message ?? {};
  const input = asksForTool(body) ? objectIn(content ?? '') : null;
  const reason = refusal === undefined ? (choice?.finish_reason ?? 'stop') : 'content_filter';
  const text = content === null ? [] : [{ type: 'text', text: content }];
  return {
    id: 'stub',
    type: 'message',
    role: 'assistant',
    model: body['model'],
    content: input === null ? text : [{ type: 'tool_use', id: 'call', name: 'json', input }],
    stop_reason: input === null ? (STOP_REASONS[reason] ?? 'end_turn') : 'tool_use',
    stop_sequence: null,
    ...(usage === undefined
      ? {}
      : { usage: { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens } }),
  };
}

function asksForTool(body: Body): boolean {
  return Array.isArray(body['tools']) && body['tools'].some((tool) => tool?.name === 'json');
}

function objectIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

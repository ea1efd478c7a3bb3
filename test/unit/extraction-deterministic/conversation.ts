/** Statements from what Ada says to Bo, for suites about the extractor that needs no model. */
import type { Candidate, SourceMessage } from '../../../domain/statements/candidate.ts';
import { extractDeterministic } from '../../../engine/english-extractor/extract.ts';

const PEOPLE = ['Ada', 'Bo'].map((name) => ({
  peerKey: name.toLowerCase(),
  name,
  kind: 'human' as const,
}));

export interface Turn {
  readonly by: 'ada' | 'bo';
  readonly content: string;
}

function messageOf({ by, content }: Turn, at: number): SourceMessage {
  return {
    id: `m${at}`,
    content,
    role: 'user',
    peerKey: by,
    peerName: by === 'ada' ? 'Ada' : 'Bo',
    occurredAt: '2026-03-11T12:00:00Z',
    occurredOffsetMinutes: 0,
  };
}

/** What is drawn from Ada's turn after the earlier ones, whose ids are m0, m1 and so on. */
export function drawn(content: string, earlier: readonly Turn[] = []): readonly Candidate[] {
  const window = earlier.map(messageOf);
  const anchor = messageOf({ by: 'ada', content }, earlier.length);
  return extractDeterministic({ scopePath: '/home', anchor, window, participants: PEOPLE });
}

export function statements(content: string, earlier: readonly Turn[] = []): readonly string[] {
  return drawn(content, earlier).map(({ statement }) => statement);
}

/** Who speaks, who listens, and how this speaker's words are read and told. */
import type {
  ExtractionRequest,
  Participant,
  SourceMessage,
} from '../../domain/statements/candidate.ts';
import { resolveWindow, type ResolvedWindow } from '../english/time/resolve-window.ts';
import { companyOf, type Company } from './company.ts';
import { openerStripper, type OpenerStripper } from './openers.ts';
import { othersThan } from './subject.ts';
import { plainWording, type PlainWording } from './wording.ts';

export interface Voice {
  readonly key: string;
  readonly name: string;
  readonly others: readonly Participant[];
  readonly strip: OpenerStripper;
  readonly plain: PlainWording;
  readonly company: Company;
  /** Whether a text names a time, read from the moment of the message. */
  readonly dated: (text: string) => boolean;
}

/** When something is said to be, read from the moment of the message. */
export function windowOf(text: string, anchor: SourceMessage): ResolvedWindow {
  return resolveWindow(text, {
    occurredAt: anchor.occurredAt,
    offsetMinutes: anchor.occurredOffsetMinutes,
  });
}

/** The speaker of the anchor; named by the key where no name is known. */
export function voiceOf(request: ExtractionRequest): Voice {
  const { anchor, participants } = request;
  const others = othersThan(anchor, participants);
  const names = others.map((participant) => participant.name);
  const name = anchor.peerName.trim() === '' ? anchor.peerKey : anchor.peerName.trim();
  return {
    key: anchor.peerKey,
    name,
    others,
    strip: openerStripper(names),
    plain: plainWording(names),
    company: companyOf(request, name, others),
    dated: (text) => windowOf(text, anchor).from !== null,
  };
}

/** The only listener, if that is a person; null in a group and with an agent. */
export function onlyListener({ others: [only, ...more] }: Voice): Participant | null {
  return more.length === 0 && only?.kind === 'human' ? only : null;
}

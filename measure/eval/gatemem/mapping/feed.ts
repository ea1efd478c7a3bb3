/** Whom the turns of a shared feed are for: those who work on the speaker's matter, as far as they need to know it. */
import { mattersOf, type Matter } from './matters.ts';
import { hearsSystems, SYSTEMS } from './roles.ts';
import { ALWAYS } from './terms.ts';
import {
  rolesOf,
  type Addressed,
  type Circle,
  type EpisodeShape,
  type Mapping,
  type TurnShape,
} from './structure.ts';

const coreCircle = ({ name }: Matter): string => `core of ${name}`;
const schedulingCircle = ({ name }: Matter): string => `scheduling of ${name}`;
const systemsCircle = ({ name }: Matter): string => `systems of ${name}`;

function circlesOf(matter: Matter, roles: ReadonlyMap<string, string>): Circle[] {
  const { subject, ties } = matter;
  const members = (isMember: (peer: string, part: string) => boolean): Circle['members'] =>
    new Map(
      [...ties].filter(([peer, part]) => isMember(peer, part)).map(([peer]) => [peer, ALWAYS]),
    );
  return [
    { name: coreCircle(matter), members: members((_, part) => part === 'full') },
    { name: schedulingCircle(matter), members: members((_, part) => part === 'scheduling') },
    {
      name: systemsCircle(matter),
      members: members(
        (peer, part) =>
          part === 'full' && (peer === subject || hearsSystems(roles.get(peer) ?? '')),
      ),
    },
  ];
}

/**
 * The matters of which somebody speaks. Whoever serves a person speaks of this person, and otherwise of projects and
 * cases. Support that handles credentials serves every matter of the scope.
 */
function mattersOfSpeaker(speaker: string, matters: readonly Matter[]): readonly Matter[] {
  const tied = matters.filter(({ ties }) => ties.has(speaker));
  if (tied.some(({ ties }) => ties.get(speaker) === 'credentials')) return matters;
  const ofPeople = tied.filter(({ subject }) => subject !== null);
  return ofPeople.length > 0 ? ofPeople : tied;
}

function to(rule: string, circles: readonly string[]): Addressed {
  return { audience: { peers: [], circles }, rule };
}

function addressedBy(
  { speaker, kind }: TurnShape,
  role: string,
  matters: readonly Matter[],
): Addressed {
  if (kind !== null && /private/u.test(kind)) {
    return { audience: { peers: [speaker], circles: [] }, rule: 'private' };
  }
  const spoken = mattersOfSpeaker(speaker, matters);
  const isOpen = kind !== null && /broadcast|announcement|public/u.test(kind);
  if (isOpen || spoken.length === 0) return { audience: null, rule: 'broadcast' };
  if (SYSTEMS.has(role)) return to('systems', spoken.map(systemsCircle));
  const cores = spoken.map(coreCircle);
  const schedules =
    (kind !== null && /schedul|calendar/u.test(kind)) ||
    spoken.some(({ ties }) => ties.get(speaker) === 'scheduling');
  return schedules
    ? to('scheduling', [...cores, ...spoken.map(schedulingCircle)])
    : to('matter', cores);
}

/** The audiences of a shared feed's turns. */
export function mapFeed(episode: EpisodeShape): Mapping {
  const roles = rolesOf(episode);
  const matters = mattersOf(episode);
  return {
    circles: matters.flatMap((matter) => circlesOf(matter, roles)),
    addressed: episode.turns.map((turn) =>
      addressedBy(turn, roles.get(turn.speaker) ?? '', matters),
    ),
  };
}

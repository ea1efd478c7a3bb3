/** Whom the turns of a clinic are for: each patient has a thread of her own, with the people who treat her. */
import { dayAfter } from './may-read.ts';
import {
  AGENT,
  CARRYING_OUT,
  decidesOnCare,
  lineOf,
  PATIENT,
  RELATIVE,
  TREATING,
} from './roles.ts';
import {
  rolesOf,
  type Addressed,
  type Circle,
  type EpisodeShape,
  type Mapping,
  type Relation,
  type TurnShape,
} from './structure.ts';
import { ALWAYS, consentTerm, coverageTerm, type Term } from './terms.ts';

const SCHEDULING = 'scheduling_note';
const DIALOGUE = 'dialogue';
const HANDOFF = 'handoff_summary';

const roleCircle = (role: string): string => `role ${role}`;
const careCircle = (patient: string): string => `care of ${patient}`;
const relativesCircle = (patient: string): string => `relatives of ${patient}`;

/** Whether the relations name patients, so that the rules of a clinic apply. */
export function isClinic({ relations }: EpisodeShape): boolean {
  return relations.some(({ patient_id }) => patient_id !== undefined);
}

/** When a clinician of the relation needs to know the patient's care; null for other relations. */
function clinicianOf({ clinician_id, scope = '', type }: Relation): [string, Term] | null {
  if (clinician_id === undefined) return null;
  if (type === 'assigned_clinician') return [clinician_id, ALWAYS];
  return type === 'covering_clinician' ? [clinician_id, coverageTerm(scope)] : null;
}

function relativeOf(
  { access_level = '', family_id }: Relation,
  firstDay: string | null,
): [string, Term] | null {
  const term = consentTerm(access_level, firstDay);
  return family_id === undefined || term === null ? null : [family_id, term];
}

function always(ids: readonly string[]): [string, Term][] {
  return ids.map((id) => [id, ALWAYS]);
}

function circlesOf({ principals, relations, turns }: EpisodeShape): Circle[] {
  // A turn may be for a line in which nobody works, so its circle exists all the same.
  const roles = new Set([
    ...TREATING,
    ...CARRYING_OUT,
    ...principals.flatMap(({ role }) => lineOf(role)),
  ]);
  const byRole = (wanted: readonly string[]): string[] =>
    principals.filter(({ role }) => wanted.includes(role)).map(({ id }) => id);
  const firstDay = dayAfter(turns, 1);
  const ofRoles = [...roles].map((role) => ({
    name: roleCircle(role),
    members: new Map(always(byRole([role]))),
  }));
  const named = relations.flatMap(({ patient_id }) => patient_id ?? []);
  const ofPatients = [...new Set([...byRole([PATIENT]), ...named])].flatMap((patient) => {
    const own = relations.filter(({ patient_id }) => patient_id === patient);
    const clinicians = own.flatMap((relation) => {
      const clinician = clinicianOf(relation);
      return clinician === null ? [] : [clinician];
    });
    const relatives = own.flatMap((relation) => {
      const relative = relativeOf(relation, firstDay);
      return relative === null ? [] : [relative];
    });
    return [
      {
        name: careCircle(patient),
        members: new Map([...clinicians, ...always(byRole(TREATING))]),
      },
      { name: relativesCircle(patient), members: new Map(relatives) },
    ];
  });
  return [...ofRoles, ...ofPatients];
}

/** The one patient to whom a turn of this person belongs; null where the person serves several or none. */
function patientOf(id: string, role: string, { relations }: EpisodeShape): string | null {
  if (role === PATIENT) return id;
  const patients = relations
    .filter(({ clinician_id, family_id }) => clinician_id === id || family_id === id)
    .map(({ patient_id }) => patient_id);
  return patients.length === 1 ? (patients[0] ?? null) : null;
}

/** The conversation as far as it has been heard. */
interface Conversation {
  /** The patient whose thread it is; null before any has been named. */
  patient: string | null;
  /** The role of the staff member who spoke just before: a patient answers this person. */
  asking: string | null;
  /** How often each patient has spoken. */
  readonly spoken: Map<string, number>;
}

/** Whether another patient has spoken more: then this one interrupts, and staff may be answering either. */
function isInterruption({ patient, spoken }: Conversation): boolean {
  const own = spoken.get(patient ?? '') ?? 0;
  return [...spoken.values()].some((times) => times > own);
}

/** Whether relatives with consent hear the turn: it is a scheduling note, or a scheduler speaks. */
function isAboutAppointments(role: string, kind: string | null): boolean {
  return kind === SCHEDULING || (role === 'scheduler' && (kind ?? DIALOGUE) === DIALOGUE);
}

/** A turn of staff that may be for either of two patients is for neither: only for those who serve both. */
function betweenThreads(role: string): Addressed {
  const circles = [...TREATING, ...lineOf(role)].map(roleCircle);
  return { audience: { peers: [], circles: [...new Set(circles)] }, rule: 'between threads' };
}

function staffTurn(patient: string, role: string, kind: string | null): Addressed {
  const line = lineOf(role).map(roleCircle);
  const to = (rule: string, ...circles: string[]): Addressed => ({
    audience: { peers: [patient], circles: [...circles, ...line] },
    rule,
  });
  if (role === 'billing') return to('billing');
  if (isAboutAppointments(role, kind)) {
    return to('appointments', careCircle(patient), relativesCircle(patient));
  }
  const carryingOut = decidesOnCare(role) || kind === HANDOFF ? CARRYING_OUT.map(roleCircle) : [];
  return to('care', careCircle(patient), ...carryingOut);
}

/** The words of a patient or a relative are for those who treat her, and for those whose question they answer. */
function answer(patient: string, asking: string | null): Addressed {
  const line = asking === null ? [] : lineOf(asking).map(roleCircle);
  const circles = [careCircle(patient), ...line];
  return { audience: { peers: [patient], circles }, rule: 'answer of a patient' };
}

function addressedIn(
  conversation: Conversation,
  { kind }: TurnShape,
  role: string,
  own: string | null,
): Addressed {
  const { patient, asking } = conversation;
  if (patient === null) return betweenThreads(role);
  if (own === null && isInterruption(conversation)) return betweenThreads(role);
  if (role === PATIENT || role === RELATIVE) return answer(patient, asking);
  return staffTurn(patient, role, kind);
}

/** The audiences of a clinic's turns. */
export function mapClinic(episode: EpisodeShape): Mapping {
  const roles = rolesOf(episode);
  const conversation: Conversation = { patient: null, asking: null, spoken: new Map() };
  const addressed: Addressed[] = [];
  for (const turn of episode.turns) {
    const role = roles.get(turn.speaker) ?? '';
    const before = addressed.at(-1);
    if (role === AGENT && before !== undefined) {
      // The agent records what was said just before, for those who heard it.
      addressed.push(before);
      continue;
    }
    const own = patientOf(turn.speaker, role, episode);
    if (own !== null) conversation.patient = own;
    if (role === PATIENT) {
      conversation.spoken.set(turn.speaker, (conversation.spoken.get(turn.speaker) ?? 0) + 1);
    }
    addressed.push(addressedIn(conversation, turn, role, own));
    conversation.asking = own !== null && (role === PATIENT || role === RELATIVE) ? null : role;
  }
  return { circles: circlesOf(episode), addressed };
}

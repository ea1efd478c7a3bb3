/** Whom the evaluation of need to know addresses, with invented people. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mapEpisode } from '../../../../measure/eval/gatemem/mapping/map.ts';
import { holdsOn } from '../../../../measure/eval/gatemem/mapping/terms.ts';
import type {
  EpisodeShape,
  Mapping,
  Relation,
} from '../../../../measure/eval/gatemem/mapping/structure.ts';

function episode(
  people: Readonly<Record<string, string>>,
  relations: readonly Relation[],
  turns: readonly (readonly [speaker: string, kind?: string, at?: string])[],
): EpisodeShape {
  return {
    principals: Object.entries(people).map(([id, role]) => ({ id, role })),
    relations,
    turns: turns.map(([speaker, kind = 'dialogue', at = '2030-01-07T09:00']) => ({
      speaker,
      kind,
      at,
    })),
  };
}

/** Everyone who reads a turn on a day, by name; null for everybody. */
function readers({ addressed, circles }: Mapping, turn: number, day = '2030-01-07') {
  const audience = addressed[turn]?.audience;
  if (audience === null || audience === undefined) return null;
  const members = circles
    .filter(({ name }) => audience.circles.includes(name))
    .flatMap(({ members: all }) => [...all])
    .filter(([, term]) => holdsOn(term, day))
    .map(([peer]) => peer);
  return [...new Set([...audience.peers, ...members])].toSorted();
}

const PROJECT = {
  lead: 'product_manager',
  builder: 'engineer',
  operator: 'sre',
  buyer: 'finance',
  helper: 'contractor',
  other: 'employee',
  chief: 'executive',
  assistant: 'executive_assistant',
  stranger: 'hr',
};
const member = (principal_id: string, project_id: string): Relation => ({
  type: 'project_member',
  project_id,
  principal_id,
});
const PROJECT_RELATIONS: readonly Relation[] = [
  member('lead', 'kite'),
  member('builder', 'kite'),
  member('operator', 'kite'),
  { type: 'budget_owner', project_id: 'kite', principal_id: 'buyer' },
  { type: 'executive_sponsor', project_id: 'kite', principal_id: 'chief' },
  { type: 'contractor_for_project', project_id: 'kite', principal_id: 'helper' },
  member('other', 'kite-two'),
  {
    type: 'executive_delegate',
    principal_id: 'assistant',
    for_principal_id: 'chief',
    access_scope: 'scheduling_only',
  },
];
const CORE = ['builder', 'buyer', 'chief', 'lead', 'operator'];

test('a member speaks to the core of the project, without its contractors and other projects', () => {
  const mapped = mapEpisode(episode(PROJECT, PROJECT_RELATIONS, [['buyer'], ['helper']]));
  expect(readers(mapped, 0)).toEqual(CORE);
  expect(readers(mapped, 1)).toEqual(CORE);
});

test('people who operate systems speak to those who build and lead, because they name credentials', () => {
  const mapped = mapEpisode(episode(PROJECT, PROJECT_RELATIONS, [['operator']]));
  expect(readers(mapped, 0)).toEqual(['builder', 'chief', 'lead', 'operator']);
});

test('a delegate who only schedules hears other schedules, and her words reach the core', () => {
  const turns = [['assistant'], ['lead', 'schedule_change']] as const;
  const mapped = mapEpisode(episode(PROJECT, PROJECT_RELATIONS, turns));
  expect(readers(mapped, 0)).toEqual(['assistant', ...CORE]);
  expect(readers(mapped, 1)).toEqual(['assistant', ...CORE]);
});

test('somebody without a private matter speaks to everybody, and so does an announcement', () => {
  const turns = [['stranger'], ['lead', 'announcement']] as const;
  const mapped = mapEpisode(episode(PROJECT, PROJECT_RELATIONS, turns));
  expect(mapped.addressed.map(({ audience }) => audience)).toEqual([null, null]);
});

test('a private turn is for its speaker alone', () => {
  const mapped = mapEpisode(episode(PROJECT, PROJECT_RELATIONS, [['lead', 'private_note']]));
  expect(readers(mapped, 0)).toEqual(['lead']);
});

test('a case with a subject is the matter of that person, and an open programme is none', () => {
  const people = {
    ida: 'student',
    tom: 'student',
    guide: 'advisor',
    clerk: 'registrar',
    desk: 'campus_it',
    mother: 'parent_guardian',
    planner: 'department_admin',
  };
  const served = { for_principal_id: 'ida' };
  const relations: Relation[] = [
    { type: 'appeal_case_subject', case_id: 'appeal', principal_id: 'ida' },
    { type: 'advisor_for', principal_id: 'guide', ...served },
    { type: 'registrar_case_owner', principal_id: 'clerk', ...served },
    {
      type: 'it_support',
      case_id: 'appeal',
      principal_id: 'desk',
      access_scope: 'credentials_only',
    },
    { type: 'parent_of', principal_id: 'mother', ...served },
    {
      type: 'calendar_coordinator',
      case_id: 'appeal',
      principal_id: 'planner',
      access_scope: 'safe_summary_only',
    },
    { type: 'program_member', program_id: 'choir', principal_id: 'tom' },
  ];
  const turns = [['clerk'], ['desk'], ['tom'], ['planner']] as const;
  const mapped = mapEpisode(episode(people, relations, turns));
  expect(readers(mapped, 0)).toEqual(['clerk', 'guide', 'ida']);
  expect(readers(mapped, 1)).toEqual(['guide', 'ida']);
  expect(readers(mapped, 2)).toBeNull();
  expect(readers(mapped, 3)).toEqual(['clerk', 'guide', 'ida', 'planner']);
});

const CLINIC = {
  ida: 'patient',
  una: 'patient',
  bo: 'family_member',
  ost: 'clinician',
  elm: 'clinician',
  lee: 'nurse',
  front: 'reception',
  plan: 'scheduler',
  cash: 'billing',
  pill: 'pharmacist',
  lab: 'lab_tech',
  note: 'agent',
};
const CLINIC_RELATIONS = (access_level: string): Relation[] => [
  { type: 'assigned_clinician', clinician_id: 'ost', patient_id: 'ida' },
  { type: 'assigned_clinician', clinician_id: 'elm', patient_id: 'una' },
  { type: 'family_member', family_id: 'bo', patient_id: 'ida', access_level },
];

test('a patient answers those who treat her and the desk that asked', () => {
  const turns = [['ida'], ['front'], ['ida'], ['ida'], ['lee'], ['ida']] as const;
  const mapped = mapEpisode(episode(CLINIC, CLINIC_RELATIONS('none'), turns));
  const care = ['ida', 'lee', 'ost'];
  expect(readers(mapped, 0)).toEqual(care);
  expect(readers(mapped, 2)).toEqual(['front', ...care, 'plan']);
  expect(readers(mapped, 3)).toEqual(care);
  expect(readers(mapped, 5)).toEqual(care);
});

test('who carries out what is decided hears those who decide, and not what a patient tells others', () => {
  const turns = [['ida'], ['lee'], ['ida'], ['pill'], ['ida'], ['lab', 'handoff_summary']] as const;
  const mapped = mapEpisode(episode(CLINIC, CLINIC_RELATIONS('none'), turns));
  const hears = turns.map((_, turn) => readers(mapped, turn)?.includes('pill'));
  expect(hears).toEqual([false, true, false, true, true, true]);
});

test('a note of the assistant is for those who heard what it records', () => {
  const turns = [['ida'], ['front'], ['ida'], ['note', 'note_update']] as const;
  const { addressed } = mapEpisode(episode(CLINIC, CLINIC_RELATIONS('none'), turns));
  expect(addressed[3]).toEqual(addressed[2]);
});

test('billing speaks to the patient alone, and the laboratory to those who treat her', () => {
  const turns = [['ida'], ['cash'], ['lab', 'lab_result']] as const;
  const mapped = mapEpisode(episode(CLINIC, CLINIC_RELATIONS('none'), turns));
  expect(readers(mapped, 1)).toEqual(['cash', 'ida']);
  expect(readers(mapped, 2)).toEqual(['ida', 'lab', 'lee', 'ost']);
});

test('after another patient has interrupted, staff speak to neither until one of them goes on', () => {
  const turns = [['ida'], ['ida'], ['una'], ['front'], ['elm'], ['ida'], ['lee']] as const;
  const mapped = mapEpisode(episode(CLINIC, CLINIC_RELATIONS('none'), turns));
  expect(readers(mapped, 2)).toEqual(['elm', 'lee', 'una']);
  expect(readers(mapped, 3)).toEqual(['front', 'lee', 'plan']);
  expect(readers(mapped, 4)).toEqual(['elm', 'lee', 'pill', 'una']);
  expect(readers(mapped, 6)).toEqual(['ida', 'lee', 'ost', 'pill']);
});

test.each([
  ['scheduling_only', '2030-03-01', true],
  ['ride_only_until_revoked', '2030-01-07', true],
  ['ride_only_until_revoked', '2030-01-08', false],
  ['logistics_only_through_wednesday_then_revoked', '2030-01-09', true],
  ['logistics_only_through_wednesday_then_revoked', '2030-01-10', false],
  ['results_only', '2030-01-07', false],
])('a relative with %s hears of appointments on %s: %s', (level, day, hears) => {
  const turns = [['ida'], ['plan']] as const;
  const mapped = mapEpisode(episode(CLINIC, CLINIC_RELATIONS(level), turns));
  expect(readers(mapped, 1, day)?.includes('bo')).toBe(hears);
  expect(readers(mapped, 0, day)).not.toContain('bo');
});

test('a clinician who covers weekends hears of the care on Saturdays and Sundays', () => {
  const covering: Relation = {
    type: 'covering_clinician',
    clinician_id: 'elm',
    patient_id: 'ida',
    scope: 'weekend coverage',
  };
  const relations = CLINIC_RELATIONS('none').filter((one) => one['patient_id'] === 'ida');
  const mapped = mapEpisode(episode(CLINIC, [...relations, covering], [['ida'], ['lee']]));
  const hears = ['2030-01-11', '2030-01-12', '2030-01-13', '2030-01-14'].map((day) =>
    readers(mapped, 1, day)?.includes('elm'),
  );
  expect(hears).toEqual([false, true, true, false]);
});

test('a consent that ends is not given where no day is known', () => {
  const shape = episode(CLINIC, CLINIC_RELATIONS('ride_only_until_revoked'), [['ida'], ['plan']]);
  const timeless = { ...shape, turns: shape.turns.map((turn) => ({ ...turn, at: null })) };
  expect(readers(mapEpisode(timeless), 1)).not.toContain('bo');
});

/** Any people with known and unknown roles, tied by any relations, who speak in any order. */
const anyEpisode = fc
  .record({
    roles: fc.array(
      fc.constantFrom('patient', 'clinician', 'nurse', 'reception', 'agent', 'sre', 'parent', 'x'),
      { minLength: 1, maxLength: 6 },
    ),
    ties: fc.array(
      fc.record({
        type: fc.constantFrom('assigned_clinician', 'family_member', 'delegate', 'a_subject', 'y'),
        fields: fc.uniqueArray(
          fc.constantFrom(
            'principal_id',
            'patient_id',
            'clinician_id',
            'family_id',
            'for_principal_id',
          ),
        ),
        thing: fc.constantFrom('project_id', 'program_id', null),
        scope: fc.constantFrom(null, 'scheduling_only', 'credentials_only', 'weekend'),
        who: fc.array(fc.nat(5), { minLength: 5, maxLength: 5 }),
      }),
    ),
    turns: fc.array(fc.tuple(fc.nat(5), fc.constantFrom(null, 'dialogue', 'private_note'))),
  })
  .map(({ roles, ties, turns }): EpisodeShape => {
    const personAt = (place: number): string => `p${place % roles.length}`;
    return {
      principals: roles.map((role, place) => ({ id: `p${place}`, role })),
      relations: ties.map(({ fields, scope, thing, type, who }) => ({
        type,
        ...Object.fromEntries(fields.map((field, at) => [field, personAt(who[at] ?? 0)])),
        ...(thing === null ? {} : { [thing]: 'kite' }),
        ...(scope === null ? {} : { access_scope: scope, scope }),
      })),
      turns: turns.map(([place, kind]) => ({ speaker: personAt(place), kind, at: null })),
    };
  });

test('of any episode each turn has an audience of circles and people that exist', () => {
  fc.assert(
    fc.property(anyEpisode, (shape) => {
      const { addressed, circles } = mapEpisode(shape);
      const names = new Set(circles.map(({ name }) => name));
      const people = new Set(shape.principals.map(({ id }) => id));
      expect(names.size).toBe(circles.length);
      expect(addressed).toHaveLength(shape.turns.length);
      for (const { audience } of addressed) {
        expect((audience?.circles ?? []).filter((name) => !names.has(name))).toEqual([]);
        expect((audience?.peers ?? []).filter((id) => !people.has(id))).toEqual([]);
      }
      for (const { members } of circles) {
        expect([...members.keys()].filter((id) => !people.has(id))).toEqual([]);
      }
    }),
    { seed: 41, numRuns: 500 },
  );
});

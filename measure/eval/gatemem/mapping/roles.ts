/** Roles by what they need to know. A role of no list belongs to none of these groups. */

/** People who operate systems: their turns hold access and credentials. */
export const SYSTEMS: ReadonlySet<string> = new Set(['sre', 'security', 'campus_it']);
/** People who build with these systems. */
const BUILDERS: ReadonlySet<string> = new Set(['engineer', 'ra']);
/** People who answer for the whole of a matter. */
const LEADS: ReadonlySet<string> = new Set([
  'product_manager',
  'manager',
  'executive',
  'professor',
  'advisor',
]);
/** People from outside: they read what is addressed to them, whatever they are tied to. */
export const OUTSIDE: ReadonlySet<string> = new Set([
  'contractor',
  'parent_guardian',
  'family_member',
  'guest',
]);

export const PATIENT = 'patient';
export const RELATIVE = 'family_member';
export const AGENT = 'agent';
const CLINICIAN = 'clinician';
/** Roles that treat every patient of a clinic. Clinicians are named by relations, patient by patient. */
export const TREATING: readonly string[] = ['nurse'];
/** Roles that carry out what the treating ones decide: they hear it, and not what a patient tells others. */
export const CARRYING_OUT: readonly string[] = ['pharmacist'];
/** The desk shares its work, so one of its roles hears what is said to the other. */
const DESK: readonly string[] = ['reception', 'scheduler'];

/** Whether somebody with this role reads what the people say who operate systems. */
export function hearsSystems(role: string): boolean {
  return SYSTEMS.has(role) || BUILDERS.has(role) || LEADS.has(role);
}

/** Roles that are tied to single patients: nothing is for all of them. */
const TIED: ReadonlySet<string> = new Set([PATIENT, RELATIVE, CLINICIAN]);

/** The roles of a clinic that work together with this one, itself included. */
export function lineOf(role: string): readonly string[] {
  if (TIED.has(role)) return [];
  return DESK.includes(role) ? DESK : [role];
}

/** Whether somebody with this role decides on the care of a patient. */
export function decidesOnCare(role: string): boolean {
  return role === CLINICIAN || TREATING.includes(role);
}

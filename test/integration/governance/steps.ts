/** Steps of random histories: what people, agents and the clock do with the statements of an account. */
import fc from 'fast-check';
import { type GatePreset } from '../../../domain/governance/presets.ts';

interface Deciding {
  readonly nth: number;
  /** Whether it can be taken back for a while. */
  readonly waits: boolean;
}

/** Numbers pick among what there is at that moment. */
export type Step =
  | {
      readonly does: 'say';
      readonly by: string;
      readonly at: string;
      readonly content: string;
      readonly audience?: object | null;
    }
  /** The circle has these members from now on. */
  | { readonly does: 'circle'; readonly members: readonly string[] }
  | { readonly does: 'preset'; readonly preset: GatePreset }
  | {
      readonly does: 'confirm' | 'contest' | 'redact' | 'promote' | 'withdraw';
      readonly nth: number;
    }
  | ({ readonly does: 'approve' | 'reject' | 'defer' | 'merge' } & Deciding)
  | ({ readonly does: 'edit'; readonly approve: boolean } & Deciding)
  /** A curator asks again about a statement. */
  | { readonly does: 'reopen'; readonly nth: number; readonly withhold: boolean }
  | { readonly does: 'undo'; readonly nth: number }
  /** What was decided a while ago, and not taken back, is carried out. */
  | { readonly does: 'carry out' }
  | { readonly does: 'consent'; readonly nth: number; readonly decision: 'grant' | 'deny' }
  | { readonly does: 'deadline' };

const nth = fc.nat({ max: 9 });
export const CIRCLE = 'the circle';
/** Whom something is said to, when it is not said to all. */
const AUDIENCES = [
  { peers: ['carol'] },
  { peers: ['bob', 'cura'] },
  { circles: [CIRCLE] },
  { roles: ['curator'] },
  {},
];
const say = fc
  .record({
    by: fc.constantFrom('alice', 'bob'),
    at: fc.constantFrom('/team', '/team', '/'),
    level: fc.constantFrom('peer', 'scope', 'account'),
    as: fc.constantFrom('public', 'internal', 'personal', 'restricted'),
    audience: fc.constantFrom(null, null, null, ...AUDIENCES),
    text: fc.constantFrom(
      'Alice likes tea.',
      'Alice owns a boat.',
      'Alice lives in Oslo.',
      'Alice lives in Rome.',
    ),
  })
  .map(({ as, at, audience, by, level, text }): Step => ({
    does: 'say',
    by,
    at,
    audience,
    content: `about=alice level=${level} as=${as} ${text}`,
  }));

export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: say },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('preset' as const),
      preset: fc.constantFrom('strict', 'assisted', 'unattended'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('confirm', 'contest', 'redact', 'promote', 'withdraw'),
      nth,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom('approve', 'reject', 'defer', 'merge'),
      nth,
      waits: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('edit' as const),
      nth,
      waits: fc.boolean(),
      approve: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('reopen' as const), nth, withhold: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('undo' as const), nth }) },
  { weight: 2, arbitrary: fc.constant({ does: 'carry out' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('consent' as const),
      nth,
      decision: fc.constantFrom('grant', 'deny'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ does: 'deadline' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('circle' as const),
      members: fc.subarray(['bob', 'carol', 'cura']),
    }),
  },
);

const told = (audience: object, text: string): Step => {
  const content = `about=alice level=scope as=public ${text}`;
  return { does: 'say', by: 'alice', at: '/team', audience, content };
};
/** Each kind of audience has somebody whom it names and somebody whom it does not. */
export const EVERY_AUDIENCE: readonly Step[] = [
  { does: 'preset', preset: 'unattended' },
  { does: 'circle', members: ['bob'] },
  told({ circles: [CIRCLE] }, 'Alice likes tea.'),
  told({ roles: ['curator'] }, 'Alice owns a boat.'),
  told({ peers: ['carol'] }, 'Alice lives in Oslo.'),
  told({}, 'Alice lives in Rome.'),
  { does: 'circle', members: ['carol'] },
];

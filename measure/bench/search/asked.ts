/** What is asked of the service, and how. */

export const PROFILES = ['fast', 'balanced', 'thorough'] as const;
export type Profile = (typeof PROFILES)[number];

export interface Question {
  readonly query: string;
  readonly scopePath: string;
}

export interface Asked {
  readonly profile: Profile;
  readonly limit: number;
  readonly clients: number;
}

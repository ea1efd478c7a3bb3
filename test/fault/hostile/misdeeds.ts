/** What the hostile provider does when an observation holds `please <word>`. */
export const MISDEEDS = {
  hang: 'never answers',
  refuse: 'always fails',
  babble: 'answers what is no JSON',
  page: 'answers a page',
  drip: 'answers a space now and then',
  flood: 'answers 64 MiB of spaces',
  nest: 'answers with brackets in brackets',
  multiply: 'answers with tens of thousands of candidates',
  swell: 'answers with a statement of 8 MB',
} as const;
export type Misdeed = keyof typeof MISDEEDS;

/** The refusal to an operator who names a path without a scope, in commands that work on existing scopes only. */
export const NO_SCOPE = 'does not name a scope that exists';

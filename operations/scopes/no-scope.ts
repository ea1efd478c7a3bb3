/** What an operator is told of a path without a scope, where only what is there can be meant. */
export const NO_SCOPE = 'does not name a scope that exists';

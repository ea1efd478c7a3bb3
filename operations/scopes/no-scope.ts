/** What an operator is told of a path without a scope. Scopes come into being with the first observation at them. */
export const NO_SCOPE = 'does not name a scope that exists';

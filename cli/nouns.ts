/**
 * The nouns of the command line. A command loads the module of its own noun and no other, so that each starts as fast as what
 * it needs allows.
 */
import type { Command } from 'commander';
import type { CliDependencies } from './dependencies.ts';

export interface Noun {
  readonly summary: string;
  /** Loads what gives the noun its options, its verbs and its work. */
  readonly load: () => Promise<(noun: Command, dependencies: CliDependencies) => void>;
}

/** By their names, in the order in which the help lists them. */
export const NOUNS: Readonly<Record<string, Noun>> = {
  bootstrap: {
    summary: 'create the first account, its administrator and a token that is valid for 12 hours',
    load: async () => (await import('./nouns/bootstrap.ts')).addBootstrap,
  },
  account: {
    summary: 'accounts of this deployment',
    load: async () => (await import('./nouns/account.ts')).addAccount,
  },
  user: {
    summary: 'logins: the people who can sign in',
    load: async () => (await import('./nouns/user.ts')).addUser,
  },
  key: {
    summary: 'API keys of agents and machines',
    load: async () => (await import('./nouns/key.ts')).addKey,
  },
  grant: {
    summary: 'grants: the roles of peers and keys at scopes',
    load: async () => (await import('./nouns/grant.ts')).addGrant,
  },
  peer: {
    summary: 'people and agents of an account',
    load: async () => (await import('./nouns/peer.ts')).addPeer,
  },
  circle: {
    summary: 'circles: named lists of the peers of a scope, to address something to',
    load: async () => (await import('./nouns/circle.ts')).addCircle,
  },
  erasure: {
    summary: 'erasures of people, and their receipts',
    load: async () => (await import('./nouns/erasure.ts')).addErasure,
  },
  promises: {
    summary:
      'what a database of an earlier day must be held to: erasures, withdrawals, ended rights',
    load: async () => (await import('./nouns/promises.ts')).addPromises,
  },
  governance: {
    summary: 'what the gates decide without a person',
    load: async () => (await import('./nouns/governance.ts')).addGovernance,
  },
  scope: {
    summary: 'links between scopes',
    load: async () => (await import('./nouns/scope.ts')).addScope,
  },
  skill: {
    summary: 'skill cards: what an agent should know before it uses a skill',
    load: async () => (await import('./nouns/skill.ts')).addSkill,
  },
  retrieval: {
    summary: 'overrides of retrieval profiles',
    load: async () => (await import('./nouns/retrieval.ts')).addRetrieval,
  },
  index: {
    summary: 'the indexes in Meilisearch and Qdrant: rebuild, compare with Postgres',
    load: async () => (await import('./nouns/index-noun.ts')).addIndex,
  },
  explain: {
    summary: 'why a search does not return a message or a statement',
    load: async () => (await import('./nouns/explain.ts')).addExplain,
  },
  embeddings: {
    summary: 'vectors of the configured embedder and of earlier ones',
    load: async () => (await import('./nouns/embeddings.ts')).addEmbeddings,
  },
  document: {
    summary: 'the bytes of documents',
    load: async () => (await import('./nouns/document.ts')).addDocument,
  },
  backup: {
    summary: 'copy the installation in .vouch/ to a directory, or verify such a copy',
    load: async () => (await import('./nouns/backup.ts')).addBackup,
  },
  restore: {
    summary: 'put a backup back into an empty .vouch/, or close the restore of a database',
    load: async () => (await import('./nouns/restore.ts')).addRestore,
  },
  audit: {
    summary: 'the audit log, sealed in a chain of hashes',
    load: async () => (await import('./nouns/audit.ts')).addAudit,
  },
  mcp: {
    summary: 'bridge to the tools of a running service, for a client that starts programs (stdio)',
    load: async () => (await import('./nouns/mcp.ts')).addMcp,
  },
  model: {
    summary: 'models that the settings name',
    load: async () => (await import('./nouns/model.ts')).addModel,
  },
  retention: {
    summary: 'what is kept for a time only: delete what is past it',
    load: async () => (await import('./nouns/retention.ts')).addRetention,
  },
  costs: {
    summary: 'what an account used, holds and would pay: calls, tokens, requests, bytes',
    load: async () => (await import('./nouns/costs.ts')).addCosts,
  },
  status: {
    summary: 'show the report of /api/ready; exit code 1 if a component is not ok',
    load: async () => (await import('./nouns/status.ts')).addStatus,
  },
};

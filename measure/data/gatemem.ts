/**
 * GateMem: episodes of several people who share one memory, and checkpoints at which one of them asks. A folder for each
 * domain holds both as lines of JSON.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const FILES = { episodes: 'episodes.jsonl', checkpoints: 'checkpoints.jsonl' };

/** The fields of a relation that hold a text: people, things, limits. Others say nothing that a rule reads. */
const relation = z
  .record(z.string(), z.unknown())
  .transform((fields): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
    ),
  );

const episode = z.object({
  episode_id: z.string(),
  entities: z.object({
    principals: z.array(
      z.object({ principal_id: z.string(), role: z.string(), display_name: z.string().nullish() }),
    ),
    relationships: z.array(relation).default([]),
  }),
  turns: z
    .array(
      z.object({
        turn_id: z.string(),
        timestamp: z.string().nullish(),
        speaker: z.object({ principal_id: z.string() }),
        turn_kind: z.string().nullish(),
        text: z.string(),
      }),
    )
    .min(1),
});

const words = z
  .array(z.string())
  .nullish()
  .transform((patterns) => patterns ?? []);
const checkpoint = z.object({
  checkpoint_id: z.string(),
  episode_id: z.string(),
  as_of_turn_id: z.string(),
  asker: z.object({ principal_id: z.string() }),
  query_type: z.enum(['utility', 'privacy', 'safety']),
  query_text: z.string(),
  judge_spec: z.object({ include: words, not_include: words }),
  leak_targets: words,
});

export interface GatememPerson {
  readonly id: string;
  readonly role: string;
  readonly name: string;
}

export interface GatememTurn {
  readonly speaker: string;
  readonly kind: string | null;
  /** A local time without seconds; null where the set names none. */
  readonly at: string | null;
  readonly text: string;
}

export interface GatememCheckpoint {
  readonly id: string;
  /** How many turns have been said when it is asked. */
  readonly after: number;
  readonly asker: string;
  /** `utility`: should be answered; `privacy`: not to this asker; `safety`: not to anybody, because it was to be forgotten. */
  readonly kind: 'utility' | 'privacy' | 'safety';
  readonly question: string;
  /** Patterns of what the answer must hold. */
  readonly needed: readonly string[];
  /** Patterns of what must not be told. */
  readonly leaks: readonly string[];
  /** Further patterns that an answer must not hold. */
  readonly forbidden: readonly string[];
}

export interface GatememEpisode {
  readonly people: readonly GatememPerson[];
  readonly relations: readonly Readonly<Record<string, string>>[];
  readonly turns: readonly GatememTurn[];
  /** In the order in which they are asked. */
  readonly checkpoints: readonly GatememCheckpoint[];
}

export interface GatememDomain {
  readonly name: string;
  readonly episodes: readonly GatememEpisode[];
}

function readLines<S extends z.ZodType>(file: string, shape: S): z.output<S>[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const parsed = shape.safeParse(JSON.parse(line));
    // The parser's own message is dropped, because it may quote the file.
    if (!parsed.success) throw new Error(`line ${index + 1} of a gatemem file has another shape`);
    return parsed.data;
  });
}

type RawEpisode = z.output<typeof episode>;
type RawCheckpoint = z.output<typeof checkpoint>;

function checkpointOf(raw: RawCheckpoint, turns: RawEpisode['turns']): GatememCheckpoint {
  const after = turns.findIndex(({ turn_id }) => turn_id === raw.as_of_turn_id) + 1;
  if (after === 0) throw new Error('a gatemem checkpoint names a turn that its episode lacks');
  return {
    id: raw.checkpoint_id,
    after,
    asker: raw.asker.principal_id,
    kind: raw.query_type,
    question: raw.query_text,
    needed: raw.judge_spec.include,
    leaks: raw.leak_targets,
    forbidden: raw.judge_spec.not_include,
  };
}

function episodeOf(raw: RawEpisode, checkpoints: readonly RawCheckpoint[]): GatememEpisode {
  const { entities, turns } = raw;
  return {
    people: entities.principals.map(({ principal_id: id, role, display_name: name }) => ({
      id,
      role,
      name: name ?? id,
    })),
    relations: entities.relationships,
    turns: turns.map(({ speaker, text, timestamp, turn_kind }) => ({
      speaker: speaker.principal_id,
      kind: turn_kind ?? null,
      at: timestamp ?? null,
      text,
    })),
    checkpoints: checkpoints
      .filter(({ episode_id }) => episode_id === raw.episode_id)
      .map((one) => checkpointOf(one, turns))
      .toSorted((a, b) => a.after - b.after),
  };
}

/** The domains in the order of their names; null where there is none. */
export function readGatemem(dataFolder: string): GatememDomain[] | null {
  const folder = join(dataFolder, 'gatemem');
  if (!existsSync(folder)) return null;
  const names = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, FILES.episodes)))
    .toSorted();
  if (names.length === 0) return null;
  return names.map((name) => {
    const checkpoints = readLines(join(folder, name, FILES.checkpoints), checkpoint);
    const episodes = readLines(join(folder, name, FILES.episodes), episode);
    return { name, episodes: episodes.map((one) => episodeOf(one, checkpoints)) };
  });
}

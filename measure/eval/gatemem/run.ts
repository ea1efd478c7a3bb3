/** `npm run eval -- gatemem`: useful to whom it should be, silent to whom it should not, over HTTP. */
import { readGatemem, type GatememDomain } from '../../data/gatemem.ts';
import { exitCodeOf, none, tableOf, type Section } from '../report.ts';
import type { Bench } from '../service/conversation.ts';
import { withService } from '../service/with-service.ts';
import { circleWriter } from './circles.ts';
import { mapEpisode } from './mapping/map.ts';
import { optionsOf, USAGE, type GatememOptions } from './options.ts';
import { writePredictions } from './predictions.ts';
import { askAtStops, type Asked, type Ground, type Outcome } from './rounds.ts';
import { SentEpisode } from './sending.ts';
import { domainRows } from './tables.ts';
import type { MeasuredService } from '../service/stack.ts';

export interface GatememRun {
  readonly asked: readonly string[];
  readonly dataFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
}

const ANSWERER = 'SERVICE_MODEL_DIALECTIC_AGENT';
const BUILT_IN = 'deterministic';
/** Answerers that ask no model. */
const WITHOUT_MODEL: ReadonlySet<string | undefined> = new Set([BUILT_IN, 'none']);
const OF_MODELS = /^(?:SERVICE_MODEL|OPENAI|ANTHROPIC)_/u;

/** The settings of models that the operator gives, with the built-in answerer unless they name one. */
export function modelSettings(env: GatememRun['env']): Readonly<Record<string, string>> {
  const given = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && OF_MODELS.test(name) ? [[name, value] as const] : [],
  );
  return { [ANSWERER]: BUILT_IN, ...Object.fromEntries(given) };
}

/** The episodes that the options ask for. */
function chosen(domains: readonly GatememDomain[], options: GatememOptions): GatememDomain[] {
  return domains
    .filter(({ name }) => options.domain === null || options.domain === name)
    .map(({ episodes, name }) => ({ name, episodes: episodes.slice(0, options.episodes) }));
}

function sentEpisodes(
  { episodes, name }: GatememDomain,
  run: string,
  audience: boolean,
): SentEpisode[] {
  return episodes.map((episode, index) => {
    const own = `${name}-${index + 1}`;
    const place = {
      scopePath: `/gatemem-${run}/${own}`,
      session: `${run}-${own}`,
      prefix: own,
    };
    const shape = { ...episode, principals: episode.people };
    return new SentEpisode(episode, place, audience ? mapEpisode(shape) : null);
  });
}

/** Sends and asks. Only a person may write circles, so their curator signs in where the turns have audiences. */
async function measure(
  bench: Bench,
  service: MeasuredService,
  episodes: readonly SentEpisode[],
  { includesQuestions, say }: Pick<Ground, 'includesQuestions' | 'say'>,
): Promise<Outcome> {
  const hasAudiences = episodes.some(({ mapping }) => mapping !== null);
  const curator = hasAudiences ? await service.signIn() : service.access;
  const sender = { client: bench.client, putCircle: circleWriter(curator) };
  const quiet = (): Promise<void> => bench.quiet();
  const ground = { sender, access: service.access, quiet, includesQuestions, say };
  return askAtStops(ground, episodes);
}

function savePredictions(
  domain: string,
  asked: readonly Asked[],
  { predictions }: GatememOptions,
  say: GatememRun['say'],
): void {
  const lines = asked.map(({ checkpoint, evidence }) => ({
    checkpointId: checkpoint.id,
    evidence,
  }));
  say(`${domain}: predictions in ${writePredictions(predictions, domain, lines)}`);
}

/** Answers the exit code: 0, 1 when a figure is below its floor, 2 for unknown options. */
export async function runGatemem({ asked, dataFolder, env, say }: GatememRun): Promise<0 | 1 | 2> {
  const options = optionsOf(asked);
  if (options === null) {
    say(USAGE);
    return 2;
  }
  const domains = chosen(readGatemem(dataFolder) ?? [], options);
  if (domains.length === 0) {
    for (const line of tableOf({ ability: 'gatemem', rows: null })) say(line);
    return 0;
  }
  const settings = modelSettings(env);
  const sections: Section[] = [];
  await withService(async (bench, service) => {
    const sent = domains.map((domain) => ({
      domain,
      episodes: sentEpisodes(domain, bench.run, options.audience),
    }));
    const all = sent.flatMap(({ episodes }) => episodes);
    await service.setForgetting(options.forgetting);
    const outcome = await measure(bench, service, all, {
      includesQuestions: options.questions,
      say,
    });
    for (const { domain, episodes } of sent) {
      const own = outcome.asked.filter((one) => episodes.includes(one.sent));
      const ability = `gatemem ${domain.name}, ${episodes.length} episodes, ${own.length} checkpoints`;
      sections.push({ ability, rows: domainRows(own, options) });
      if (!WITHOUT_MODEL.has(settings[ANSWERER])) savePredictions(domain.name, own, options, say);
    }
    const rows = [none('messages not completed', outcome.notCompleted)];
    sections.push({ ability: 'gatemem', rows });
  }, settings);
  for (const section of sections) for (const line of [...tableOf(section), '']) say(line);
  return exitCodeOf(sections);
}

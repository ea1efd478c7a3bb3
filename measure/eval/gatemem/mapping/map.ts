/** Whom every turn of an episode is for, by rules over its structure: see docs/guides/need-to-know.md. */
import { isClinic, mapClinic } from './clinic.ts';
import { mapFeed } from './feed.ts';
import type { EpisodeShape, Mapping } from './structure.ts';

/** The circles of an episode and the audience of each of its turns. */
export function mapEpisode(episode: EpisodeShape): Mapping {
  return isClinic(episode) ? mapClinic(episode) : mapFeed(episode);
}

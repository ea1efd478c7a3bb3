import type { Requirement } from '../../../domain/skills/card.ts';
import type { PlacedCard } from '../../../domain/skills/inherit.ts';
import { ANY_STATEMENT } from '../../../domain/skills/read-selector.ts';

export const requirementOf = (changes: Partial<Requirement> = {}): Requirement => ({
  key: 'one',
  description: null,
  level: 'required',
  source_policy: 'either',
  selector: ANY_STATEMENT,
  freshness: null,
  prompt: null,
  enabled: true,
  ...changes,
});

export const cardOf = (
  scopePath: string,
  requirements: readonly Partial<Requirement>[],
): PlacedCard => ({
  id: `card${scopePath}`,
  version: 1,
  scopeId: `scope${scopePath}`,
  scopePath,
  description: null,
  requirements: requirements.map(requirementOf),
});

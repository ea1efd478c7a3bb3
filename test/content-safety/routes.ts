/** Which routes of the table a drive has asked, and how. */
import { ROUTES } from '../../api/rest/routes.ts';
import type { Scene } from './scene.ts';

interface Driven {
  /** `GET /api/v1/knowledge` */
  readonly route: string;
  readonly statuses: readonly number[];
  /** Whether a path, a query or a body held a canary. Headers hold some in every request. */
  readonly hadCanary: boolean;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:[a-z_]+/g, '[^/?]+')}(\\?|$)`);
}

/** Every route of the table with what was asked of it. A literal path goes before one with a parameter. */
export function drivenRoutes({ answers, canaries }: Scene): readonly Driven[] {
  const texts = Object.values(canaries);
  const patterns = ROUTES.map(({ method, path }) => ({
    method,
    route: `${method} ${path}`,
    pattern: patternOf(path),
    isLiteral: !path.includes(':'),
  })).toSorted((a, b) => Number(b.isLiteral) - Number(a.isLiteral));
  const found = new Map(patterns.map(({ route }) => [route, new Set<number>()]));
  const withCanary = new Set<string>();
  for (const { answer, request } of answers) {
    const { headers: _, path, ...asked } = request;
    const hasBody = request.json !== undefined || request.raw !== undefined;
    const method = request.method ?? (hasBody ? 'POST' : 'GET');
    const one = patterns.find((each) => each.method === method && each.pattern.test(path));
    if (one === undefined) continue;
    found.get(one.route)?.add(answer.status);
    const text = JSON.stringify([path, asked]);
    if (texts.some((canary) => text.includes(canary))) withCanary.add(one.route);
  }
  return [...found].map(([route, statuses]) => ({
    route,
    statuses: [...statuses],
    hadCanary: withCanary.has(route),
  }));
}

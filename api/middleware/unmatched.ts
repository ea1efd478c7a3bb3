import { Refusal } from '../../domain/errors.ts';
import type { AfterRouter } from '../context.ts';

/** Stands last: answers 404 for a path without a route, and 405 with `Allow` for a path with other methods. */
export function unmatched(): AfterRouter {
  return async function unmatched(ctx) {
    const methods = new Set((ctx.matched ?? []).flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new Refusal('not_found');
    ctx.set('Allow', [...methods].sort().join(', '));
    throw new Refusal('method_not_allowed');
  };
}

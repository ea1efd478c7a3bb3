import type { RouterContext } from '@koa/router';
import type Koa from 'koa';
import { Refusal } from '../../domain/errors.ts';
import type { ApiState } from '../context.ts';

/** Stands last: a path nobody serves is 404, a path served with other methods 405 with `Allow`. */
export function unmatched(): Koa.Middleware<ApiState, RouterContext<ApiState>> {
  return async function unmatched(ctx) {
    const methods = new Set((ctx.matched ?? []).flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new Refusal('not_found');
    ctx.set('Allow', [...methods].sort().join(', '));
    throw new Refusal('method_not_allowed');
  };
}

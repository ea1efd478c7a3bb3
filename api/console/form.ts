/** Reads a form as browsers send it (`application/x-www-form-urlencoded`). */
import { invalidField, Refusal } from '../../domain/errors.ts';
import type { Bounds } from '../bounds.ts';
import type { ApiMiddleware } from '../context.ts';
import { assertStorableText } from '../json-text.ts';
import { readBody } from '../read-body.ts';

const FORM = 'application/x-www-form-urlencoded';
/** A text of the largest field, every byte of it written with three. */
const MOST_FORM_BYTES = 262_144;
const MOST_FIELDS = 200;

/** The fields by their names. Of a name that is sent several times the first counts, as in a form of ours. */
function fieldsOf(text: string): Record<string, string> {
  const fields: Record<string, string> = {};
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > MOST_FIELDS) throw invalidField('', 'has too many fields');
    if (Object.hasOwn(fields, name)) continue;
    assertStorableText(value, '');
    Object.defineProperty(fields, name, { value, enumerable: true });
  }
  return fields;
}

/** Reads the fields of the form into the body of the request, within the bounds that all bodies share. */
export function formFields({ bodies }: Bounds): ApiMiddleware {
  const { intake, paces, room, turns } = bodies;
  return async function formFields(ctx, next) {
    const { headers } = ctx.req;
    const declared = Number(headers['content-length'] ?? 0);
    if (declared > MOST_FORM_BYTES) throw new Refusal('payload_too_large');
    const hasBody = declared > 0 || headers['transfer-encoding'] !== undefined;
    if (!hasBody) return next();
    if (ctx.request.type !== FORM) throw new Refusal('unsupported_media_type');
    const accountId = ctx.state.caller?.accountId ?? null;
    const held = room.open(accountId);
    const sender = accountId ?? ctx.state.clientAddress ?? '';
    const pieces: Buffer[] = [];
    const bounds = {
      limitBytes: MOST_FORM_BYTES,
      pace: paces.usual,
      pauseAfter: (bytes: number) => intake.pauseAfter(sender, bytes),
      mayGoOn: async () => ctx.state.resolveCaller?.(),
    };
    try {
      await readBody(ctx.req, bounds, (piece) => {
        held.add(piece.length);
        pieces.push(piece);
      });
      const bytes = Buffer.concat(pieces);
      await turns.take(bytes.length);
      ctx.state.body = fieldsOf(bytes.toString('utf8'));
      return await next();
    } finally {
      held.release();
    }
  };
}

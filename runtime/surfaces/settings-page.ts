/** The page of all settings, made of their table. */
import { z } from 'zod';
import { SETTING_SUFFIXES } from '../config/model-settings.ts';
import { SETTING_GROUPS } from '../config/settings.ts';
import { table } from './table.ts';

const HEAD = `# Settings

Every setting of every process, as a variable of the environment. A process reads its settings once. When some are wrong, the
start ends and names all of them. \`npm run generate\` makes this page from \`runtime/config/settings.ts\`.
[The operators' guide](../guides/operators.md#settings) says which of them belong together.
`;

const ROLES = `
## Roles of models

\`SERVICE_MODEL_<ROLE>\` names the model of a role, and these belong to it (not each to every role):
${SETTING_SUFFIXES.filter((suffix) => suffix !== '')
  .map((suffix) => `\`${suffix}\``)
  .join(', ')}.
A role without a key of its own takes \`OPENAI_API_KEY\` (with \`OPENAI_BASE_URL\`) or \`ANTHROPIC_API_KEY\`, by its provider.
[Models](../guides/models.md) explains them. Compose also needs the passwords of its servers: \`docker-compose.yml\` names them.
`;

const shownSetting = z.object({
  description: z.string(),
  default: z.unknown().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
});
type ShownSetting = z.infer<typeof shownSetting>;

const number = (value: number): string => value.toLocaleString('en');

function range({ enum: words, exclusiveMinimum, maximum, minimum }: ShownSetting): string {
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ');
  if (maximum === undefined) return '';
  return exclusiveMinimum === undefined
    ? `${number(minimum ?? 0)} to ${number(maximum)}`
    : `above ${number(exclusiveMinimum)}, to ${number(maximum)}`;
}

/** The value that an operator need not set. A default that is no text of the environment stands in the shape alone. */
function usual(shape: z.ZodType, { default: written }: ShownSetting): string {
  const value = shape instanceof z.ZodDefault ? shape.def.defaultValue : written;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function part(title: string, shapes: Readonly<Record<string, z.ZodType>>): string {
  const described = z.toJSONSchema(z.object(shapes), { io: 'input', unrepresentable: 'any' });
  const rows = Object.entries(described.properties ?? {}).map(([name, schema]) => {
    const setting = shownSetting.parse(schema);
    return [
      `\`${name}\``,
      usual(shapes[name] ?? z.never(), setting),
      range(setting),
      setting.description,
    ];
  });
  return `\n## ${title}\n\n${table(['setting', 'usual value', 'range', 'meaning'], rows)}\n`;
}

/** The page in Markdown. A setting without a description is an error. */
export function settingsPage(): string {
  const parts = Object.entries(SETTING_GROUPS).map(([title, shapes]) => part(title, shapes));
  return `${HEAD}${parts.join('')}${ROLES}`;
}

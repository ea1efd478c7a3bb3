/**
 * Which surfaces exist, are gated or unavailable: read from the registry, the table of routes, the table of tools and the
 * tree of commands, so that no list has to be kept.
 */
import { MCP_PATH } from '../../api/mcp/route.ts';
import { TOOLS } from '../../api/mcp/tools.ts';
import { ROUTES } from '../../api/rest/routes.ts';
import { CONSOLE_ROUTES, methodsOf } from '../../console/routes.ts';
import { commandOperations, type CommandOperation } from '../../cli/program.ts';
import { SURFACE_IDENTITY } from '../../domain/identities.ts';
import type { Operation } from '../../operations/operation.ts';
import { operations, type OperationName } from '../../operations/registry.ts';
import {
  CONTRACT_COMMANDS,
  CONTRACT_PAGES,
  CONTRACT_ROUTES,
  CONTRACT_TOOLS,
  GATED,
} from './contract.ts';

export type SurfaceState = 'there' | 'gated' | 'unavailable';

type ContractDoor = 'rest' | 'mcp' | 'cli' | 'browser';

export interface OperationSurface {
  readonly operation: string;
  readonly summary: string | null;
  readonly access: string;
  readonly effect: string;
  readonly doors: {
    readonly rest: readonly string[];
    readonly mcp: readonly string[];
    readonly cli: readonly string[];
    readonly console: readonly string[];
  };
  readonly state: SurfaceState;
}

export interface Inventory {
  readonly schema_version: typeof SURFACE_IDENTITY;
  readonly operations: readonly OperationSurface[];
  /** What the contract names. */
  readonly contract: readonly {
    readonly door: ContractDoor;
    readonly surface: string;
    readonly state: SurfaceState;
  }[];
  readonly gated: typeof GATED;
}

/** Methods and paths of the pages whose calls fit. */
export function pagesThat(fits: (calls: readonly OperationName[]) => boolean): readonly string[] {
  return CONSOLE_ROUTES.filter(({ calls }) => fits(calls)).flatMap(({ path, show, take }) => [
    ...(show === undefined ? [] : [`GET ${path}`]),
    ...(take === undefined ? [] : methodsOf(path).map((method) => `${method} ${path}`)),
  ]);
}

function surfaceOf(
  { access, effect, id, summary }: Operation,
  name: OperationName | null,
  commands: readonly CommandOperation[],
): OperationSurface {
  const routes = ROUTES.filter(({ operation }) => operation === name);
  const tools = TOOLS.filter(({ operation }) => operation === name);
  const doors = {
    rest: routes.map(({ method, path }) => `${method} ${path}`),
    mcp: tools.map((tool) => tool.name),
    cli: commands.map(({ command }) => command),
    console: pagesThat((calls) => name !== null && calls.includes(name)),
  };
  const isThere = Object.values(doors).some((all) => all.length > 0);
  return {
    operation: id,
    summary: summary ?? commands[0]?.description ?? null,
    access,
    effect,
    doors,
    state: isThere ? 'there' : 'unavailable',
  };
}

function stated(
  door: ContractDoor,
  wanted: readonly string[],
  found: readonly string[],
): Inventory['contract'] {
  return wanted.map((surface) => ({
    door,
    surface,
    state: found.includes(surface) ? 'there' : 'unavailable',
  }));
}

/** The inventory of this source tree. */
export async function surfaceInventory(): Promise<Inventory> {
  const byCommand = await commandOperations();
  const commandsOf = (operation: Operation): CommandOperation[] =>
    byCommand.filter((each) => each.operation === operation);
  const registered: readonly Operation[] = Object.values(operations);
  const names = Object.keys(operations) as OperationName[];
  const ofCommandsOnly = new Set(
    byCommand.map(({ operation }) => operation).filter((each) => !registered.includes(each)),
  );
  const all = [
    ...names.map((name) => surfaceOf(operations[name], name, commandsOf(operations[name]))),
    ...[...ofCommandsOnly].map((each) => surfaceOf(each, null, commandsOf(each))),
  ];
  const routes = ROUTES.map(({ method, path }) => `${method} ${path}`);
  const tools = [`POST ${MCP_PATH}`, ...TOOLS.map(({ name }) => name)];
  return {
    schema_version: SURFACE_IDENTITY,
    operations: all.toSorted((a, b) => (a.operation < b.operation ? -1 : 1)),
    contract: [
      ...stated('rest', CONTRACT_ROUTES, routes),
      ...stated('mcp', CONTRACT_TOOLS, tools),
      ...stated(
        'cli',
        CONTRACT_COMMANDS,
        byCommand.map(({ command }) => command),
      ),
      ...stated(
        'browser',
        CONTRACT_PAGES,
        pagesThat(() => true),
      ),
    ],
    gated: GATED,
  };
}

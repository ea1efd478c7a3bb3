/** Finds the regular expressions that the product makes at run time. */
import type { WrittenPattern } from './sources.ts';

const PRODUCT =
  /(?:^|\/)((?:activities|api|cli|console|domain|engine|operations|runtime|stores|workflows)\/[^\s:()]+\.ts):(\d+)/;

/** Notes every pattern that product code constructs from now on. Import the product after this. */
export function watchPatterns(): {
  readonly seen: ReadonlyMap<string, WrittenPattern>;
  readonly stop: () => void;
} {
  const seen = new Map<string, WrittenPattern>();
  const native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(native, {
    construct(target, args, maker) {
      const made = Reflect.construct(
        target,
        args,
        maker === globalThis.RegExp ? target : maker,
      ) as RegExp;
      const caller = new Error().stack?.split('\n')[2] ?? '';
      const place = caller.includes('node_modules') ? null : PRODUCT.exec(caller);
      const key = `/${made.source}/${made.flags}`;
      if (place !== null && !seen.has(key)) {
        seen.set(key, { at: `${place[1]}:${place[2]}`, source: made.source, flags: made.flags });
      }
      return made;
    },
  });
  return {
    seen,
    stop: () => {
      globalThis.RegExp = native;
    },
  };
}

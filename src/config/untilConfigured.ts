import { isTimeout, UserError } from '../base/errors';
import { once } from '../base/event';
import { plainLabel } from '../base/text/text';
import type { Configuration } from './configuration';
import type { LocatedDefinition } from './mergeLayers';

/** The longest time that a server that was just written may take to be read, in milliseconds. */
const readMs = 10_000;

/** A server that was just written to the configuration. */
export interface WrittenServer {
  /**
   * Resolves to the id of what is launched for it, perhaps under another name, once the configuration has been read
   * again; `undefined` if it is switched off. Rejects with a `UserError` if it is not read in time or is gone again.
   */
  startedAs(): Promise<string | undefined>;
}

/** Starts watching for a server that was just written. */
export function untilConfigured(
  configuration: Configuration,
  name: string,
  isMeant: (server: LocatedDefinition) => boolean,
): WrittenServer {
  const find = (): { readonly id: string | undefined } | undefined => {
    const { servers, repeats, disabled } = configuration.current;
    const used = servers.find(isMeant)?.definition;
    if (used) return used;
    const repeat = repeats.find(({ server }) => isMeant(server));
    if (repeat) return repeat.as;
    return disabled.some(({ server }) => isMeant(server)) ? { id: undefined } : undefined;
  };
  const signal = AbortSignal.timeout(readMs);
  const seen = find()
    ? Promise.resolve()
    : once(configuration.onDidChange, () => find() !== undefined, signal);
  // The caller may never ask for it.
  seen.catch(() => {});
  return {
    startedAs: async () => {
      const found = find() ?? (await seen.then(find, (error: unknown) => asLate(error, name)));
      if (found) return found.id;
      throw new UserError((t) => t('"{0}" is no longer configured.', plainLabel(name, 40)));
    },
  };
}

function asLate(error: unknown, name: string): never {
  if (!isTimeout(error)) throw error;
  throw new UserError((t) =>
    t(
      '"{0}" was saved, but it has not been read yet. Start it from its row in the MCP Workbench view once it is there.',
      plainLabel(name, 40),
    ),
  );
}

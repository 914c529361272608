import type { Disposable } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import type { Logger } from '../../base/log';
import type { Configuration } from '../configuration';
import type { ConfigLayer } from '../configLayer';
import type { BundleFolders } from './bundleFolders';

/**
 * Removes the folder of a bundle when its server is removed from the place that it was added to, unless that place
 * still mentions it, or comes from a workspace that is not trusted.
 */
export function removeBundles(
  configuration: Pick<Configuration, 'onDidChange'>,
  {
    folders,
    textOf,
    isTrusted,
    log,
  }: {
    readonly folders: Pick<BundleFolders, 'nameIn' | 'remove'>;
    /** Reads the text of a place as it is now, whatever of it is understood. */
    readonly textOf: (reading: ConfigLayer) => Promise<string>;
    readonly isTrusted: () => boolean;
    readonly log: Logger;
  },
): Disposable {
  let known = new Map<string, readonly ConfigLayer[]>();
  const remove = async (name: string, reading: ConfigLayer) => {
    if (reading.scope !== 'user' && !isTrusted()) return;
    // A server may be gone only because its file is broken or not read, or its folder was closed.
    if (!(await textOf(reading)).includes(name)) await folders.remove(name, reading);
  };
  return configuration.onDidChange(({ servers, disabled }) => {
    const now = new Map<string, readonly ConfigLayer[]>();
    for (const { definition, reading } of [...servers, ...disabled.map(({ server }) => server)]) {
      const { config } = definition;
      const name = 'cwd' in config && config.cwd ? folders.nameIn(config.cwd) : undefined;
      if (name !== undefined) now.set(name, [...(now.get(name) ?? []), reading]);
    }
    const gone = [...known].filter(([name]) => !now.has(name));
    known = now;
    for (const [name, readings] of gone)
      for (const reading of readings)
        remove(name, reading).catch((error: unknown) =>
          log.warn(`The folder of a bundle could not be removed: ${errorMessage(error)}`),
        );
  });
}

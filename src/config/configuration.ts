import { deferred, Timer } from '../base/async';
import { DisposableStore, type Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/log';
import type { ConfigSource } from './configSource';
import { mergeReadings, type ConfiguredServer, type MergedConfiguration } from './mergeReadings';

/** What all places of configuration say together, kept up to date. */
export interface Configuration extends Disposable {
  readonly current: MergedConfiguration;
  get(id: string): ConfiguredServer | undefined;
  /** Fires after every reading, the first one too. */
  readonly onDidChange: Event<MergedConfiguration>;
  /** Resolves when all places were read for the first time. */
  readonly ready: Promise<void>;
}

/** One change of a file is often reported more than once, and at first while it is still written. */
const settleMs = 100;

/** Reads `sources`, the closest last, now and whenever one of them changes. */
export function createConfiguration(sources: readonly ConfigSource[], log: Logger): Configuration {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<MergedConfiguration>());
  let current: MergedConfiguration = { servers: [], problems: [] };
  const ready = deferred<void>();
  let newest = 0;

  const readAll = async () => {
    const turn = (newest += 1);
    const readings = await Promise.all(sources.map((source) => source.read()));
    // A later reading saw at least as much: this one would only bring back old text.
    if (turn !== newest) return;
    current = mergeReadings(readings.flat());
    changed.fire(current);
    ready.resolve();
  };
  const read = () =>
    readAll().catch((error: unknown) => {
      log.error(`Reading the configuration failed: ${errorDetail(error)}`);
      ready.resolve();
    });
  const later = store.add(new Timer(() => void read()));
  for (const source of sources) {
    store.add(source);
    store.add(source.onDidChange(() => later.start(settleMs)));
  }
  // What activates the extension does not wait for it.
  later.start(0);

  return {
    get current() {
      return current;
    },
    get: (id) => current.servers.find(({ definition }) => definition.id === id),
    onDidChange: changed.event,
    ready: ready.promise,
    dispose: () => store.dispose(),
  };
}

import { deferred, Timer } from '../base/async';
import { DisposableStore, type Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/log';
import type { Translate } from '../base/translate';
import type { ConfigSource } from './configSource';
import type { Reading } from './reading';
import { mergeReadings, type LocatedDefinition, type MergedConfiguration } from './mergeReadings';

/** Why a server is not used: its own entry, the user's word for this workspace or all, or a rule of an administrator. */
export type WhyOff = 'entry' | 'here' | 'everywhere' | AdministratorRule;

/** A setting of a policy, with the entry of it that decides. */
export interface AdministratorRule {
  readonly rule: string;
}

/** A server that is configured and not used. */
export interface DisabledServer {
  readonly server: LocatedDefinition;
  readonly why: WhyOff;
}

/** The servers that are used, those that are not, and what could not be read. */
export interface CurrentConfiguration extends MergedConfiguration {
  readonly disabled: readonly DisabledServer[];
}

/** The names of all that the places have, whether it is used, is the same as another, or is broken. */
export function configuredNames(current: CurrentConfiguration): readonly string[] {
  return [
    ...locatedServers(current).map(({ definition }) => definition.name),
    ...current.problems.flatMap(({ entryName = [] }) => entryName),
  ];
}

/** All servers that the places have and that can be read, whether they are used or are the same as another. */
export function locatedServers({
  servers,
  disabled,
  repeats,
}: CurrentConfiguration): readonly LocatedDefinition[] {
  return [...servers, ...[...disabled, ...repeats].map(({ server }) => server)];
}

/** What decides beside the places themselves which servers are used. */
export interface Switches {
  /** Tells of each server why it is off now. */
  readonly states: () => (server: LocatedDefinition) => WhyOff | undefined;
  readonly onDidChange: Event<void>;
}

/** What all places of configuration say together, kept up to date. */
export interface Configuration extends Disposable {
  readonly current: CurrentConfiguration;
  get(id: string): LocatedDefinition | undefined;
  /** Fires after every reading, the first one too, and when a server is switched on or off. */
  readonly onDidChange: Event<CurrentConfiguration>;
  /** Resolves when all places were read for the first time. */
  readonly ready: Promise<void>;
}

/** One change of a file is often reported more than once, and at first while it is still written. */
const settleMs = 100;

/** Reads `sources`, the closest last, now and whenever one of them changes. */
export function createConfiguration(
  sources: readonly ConfigSource[],
  switches: Switches,
  log: Logger,
  t?: Translate,
): Configuration {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<CurrentConfiguration>());
  let merged = mergeReadings([], t);
  let current: CurrentConfiguration = { ...merged, disabled: [] };
  const ready = deferred<void>();
  let newest = 0;

  const apply = () => {
    current = withoutDisabled(merged, switches);
    changed.fire(current);
  };
  const readAll = async () => {
    const turn = (newest += 1);
    const readings = (await Promise.all(sources.map((source) => source.read()))).flat();
    // A later reading saw at least as much: this one would only bring back old text.
    if (turn !== newest) return;
    merged = mergeReadings(readings, t);
    log.info(readText(readings));
    apply();
    ready.resolve();
  };
  const read = () =>
    readAll().catch((error: unknown) => {
      log.error(`Reading the configuration failed: ${errorDetail(error)}`);
      ready.resolve();
    });
  const later = store.add(new Timer(() => void read()));
  const readSoon = () => {
    // Not put off by each change: a place that changes on and on would keep all from being read.
    if (!later.pending) later.start(settleMs);
  };
  for (const source of sources) {
    store.add(source);
    store.add(source.onDidChange(readSoon));
  }
  store.add(switches.onDidChange(apply));
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

/** What was read, for the log: each place with the number of its servers. */
function readText(readings: readonly Reading[]): string {
  const places = readings.map(({ label, entries }) => `${label}: ${entries.length}`);
  return `Servers were read from ${places.length} places. ${places.join(', ')}`.trim();
}

function withoutDisabled(
  { servers, ...others }: MergedConfiguration,
  switches: Switches,
): CurrentConfiguration {
  const stateOf = switches.states();
  const disabled = servers.flatMap((server): DisabledServer[] => {
    const state = stateOf(server);
    // An administrator's word is the last, even of one that is off by itself.
    const why = server.isOff && typeof state !== 'object' ? 'entry' : state;
    return why === undefined ? [] : [{ server, why }];
  });
  const off = new Set(disabled.map(({ server }) => server));
  return { ...others, disabled, servers: servers.filter((server) => !off.has(server)) };
}

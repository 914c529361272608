import { Timer, deferred } from '../base/async';
import { shownText } from '../base/text/text';
import { type Disposable, DisposableStore } from '../base/disposable';
import { errorDetail } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/log';
import type { Translate } from '../base/translate';
import type { OffState } from '../mcp/serverState';
import type { ConfigLayer, ConfigSource } from './configLayer';
import {
  type ConfigHint,
  type Developed,
  type LocatedDefinition,
  type MergedConfiguration,
  mergeLayers,
} from './mergeLayers';
import * as vscode from 'vscode';

/** The source that our diagnostics in files name. */
export const diagnosticSource = 'MCP Workbench';

/** Marks in files the parts of the configuration that cannot be used, and those that are probably mistakes. */
export function createDiagnostics(configuration: Configuration): Disposable {
  const store = new DisposableStore();
  const collection = store.add(vscode.languages.createDiagnosticCollection('mcpWorkbench'));
  store.add(
    configuration.onDidChange(({ problems, hints }) => {
      const { Error, Information } = vscode.DiagnosticSeverity;
      const marks = [
        ...problems.map((problem) => toMark(problem, Error)),
        ...hints.map((hint) => toMark(hint, Information)),
      ];
      collection.clear();
      const byFile = Map.groupBy(marks, ({ uri }) => uri);
      for (const [uri, found] of byFile)
        if (uri !== undefined)
          collection.set(
            vscode.Uri.parse(uri),
            found.map(({ diagnostic }) => diagnostic),
          );
    }),
  );
  return store;
}

function toMark({ message, range, layer, fix }: ConfigHint, severity: vscode.DiagnosticSeverity) {
  const place = range
    ? new vscode.Range(range.line, range.character, range.endLine, range.endCharacter)
    : new vscode.Range(0, 0, 0, 0);
  const diagnostic = new vscode.Diagnostic(place, shownText(message, 1000), severity);
  diagnostic.source = diagnosticSource;
  if (fix !== undefined) diagnostic.code = fix;
  return { uri: layer.uri, diagnostic };
}

/** A server that is configured but not used. */
export interface DisabledServer {
  readonly server: LocatedDefinition;
  readonly why: OffState;
}

/** The servers that are used, those that are not, and what could not be read. */
export interface CurrentConfiguration extends MergedConfiguration {
  readonly disabled: readonly DisabledServer[];
}

/** Returns the names of all configured servers of the places that are meant, whether used, disabled, the same as another, or broken. */
export function configuredNames(
  current: CurrentConfiguration,
  isMeant: (layer: ConfigLayer) => boolean = () => true,
): readonly string[] {
  const { problems } = current;
  return [
    ...locatedServers(current).flatMap(({ definition, layer }) =>
      isMeant(layer) ? definition.name : [],
    ),
    ...problems.flatMap(({ entryName = [], layer }) => (isMeant(layer) ? entryName : [])),
  ];
}

/** Returns all configured servers that can be read, whether used, disabled, or the same as another. */
export function locatedServers({
  servers,
  disabled,
  duplicates,
}: CurrentConfiguration): readonly LocatedDefinition[] {
  return [...servers, ...[...disabled, ...duplicates].map(({ server }) => server)];
}

/** What decides which servers are used, besides the places themselves. */
export interface Switches {
  /** Returns a function that says why a server is off now; `undefined` if it is not. */
  readonly states: () => (server: LocatedDefinition) => OffState | undefined;
  readonly onDidChange: Event<void>;
}

/** The combined configuration from all places, kept up to date. */
export interface Configuration extends Disposable {
  readonly current: CurrentConfiguration;
  get(id: string): LocatedDefinition | undefined;
  /** True for a server that the user's own settings configure, not a workspace. */
  isOwn(id: string): boolean;
  /** Fires after every reading, including the first, and when a server is switched on or off. */
  readonly onDidChange: Event<CurrentConfiguration>;
  /** Resolves when all places have been read for the first time, or reading them failed. */
  readonly ready: Promise<void>;
}

/** A single change of a file is often reported more than once, at first while the file is still being written. */
const settleMs = 100;

/**
 * Reads `sources` (the closest last) now and whenever one of them changes, and then what is `developed` of a layer: by the
 * ids of servers, what takes the place of their `dev`.
 */
export function createConfiguration(
  sources: readonly ConfigSource[],
  switches: Switches,
  log: Logger,
  t?: Translate,
  developed?: Developed,
): Configuration {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<CurrentConfiguration>());
  let layers: readonly ConfigLayer[] = [];
  let merged = mergeLayers(layers, t);
  let current: CurrentConfiguration = { ...merged, disabled: [] };
  const ready = deferred<void>();
  let newest = 0;

  const apply = () => {
    current = withoutDisabled(merged, switches);
    changed.fire(current);
  };
  const readAll = async () => {
    const turn = (newest += 1);
    const found = await Promise.all(sources.map((source) => source.read(layers)));
    // A later reading is at least as recent: this one would only bring back old text.
    if (turn !== newest) return;
    layers = found.flat();
    merged = mergeLayers(layers, t, developed);
    log.info(readText(layers));
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
    // Further changes do not postpone it: a place that keeps changing would keep all of them from being read.
    if (!later.pending) later.start(settleMs);
  };
  for (const source of sources) {
    store.add(source);
    store.add(source.onDidChange(readSoon));
  }
  store.add(switches.onDidChange(apply));
  // Activation does not wait for the first reading.
  later.start(0);

  const get = (id: string) => current.servers.find(({ definition }) => definition.id === id);
  return {
    get current() {
      return current;
    },
    get,
    isOwn: (id) => get(id)?.layer.scope === 'user',
    onDidChange: changed.event,
    ready: ready.promise,
    dispose: () => store.dispose(),
  };
}

/** Describes what was read, for the log: each place with its number of servers. */
function readText(layers: readonly ConfigLayer[]): string {
  const places = layers.map(({ label, entries }) => `${label}: ${entries.length}`);
  return `Servers were read from ${places.length} places. ${places.join(', ')}`.trim();
}

function withoutDisabled(
  { servers, ...others }: MergedConfiguration,
  switches: Switches,
): CurrentConfiguration {
  const stateOf = switches.states();
  const disabled = servers.flatMap((server): DisabledServer[] => {
    const state = stateOf(server);
    // An administrator's rule comes first, even for a server that its own entry turns off.
    const why: OffState | undefined =
      server.isOff && state?.kind !== 'forbidden' ? { kind: 'disabled', by: 'entry' } : state;
    return why === undefined ? [] : [{ server, why }];
  });
  const off = new Set(disabled.map(({ server }) => server));
  return { ...others, disabled, servers: servers.filter((server) => !off.has(server)) };
}

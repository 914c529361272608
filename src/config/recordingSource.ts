import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { Emitter } from '../base/event';
import { isRecord } from '../base/json';
import { type Memento, StoredList } from '../base/memento';
import { plainLabel } from '../base/text/text';
import { shownPath } from '../base/uri/fileAddress';
import {
  maxRecordingLength,
  parseRecording,
  recordingExtension,
} from '../calls/recording/recording';
import type { Platform } from '../mcp/platform';
import { readFileInUtf8 } from '../ui/documents/readTextFile';
import { askFile } from '../ui/keyboard';
import type { UserAction } from '../ui/questions/question';
import { showAndStart } from './chooseConfigured';
import { type Configuration, configuredNames } from './configuration';
import { type ConfigLayer, type ConfigPlace, type ConfigSource, freeName } from './configLayer';
import type { ServerSwitches } from './switches/serverSwitches';

/** At most this many recordings are served in a workspace. */
export const maxServedRecordings = 50;

/** The longest name of a server that is taken from a recording, in UTF-16 units. */
const maxNameLength = 60;

interface ServedRecording {
  /** The name of the server in the list. */
  readonly name: string;
  /** The address of the file. */
  readonly uri: string;
}

function isServed(value: unknown): value is ServedRecording {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['uri'] === 'string';
}

/** The recordings that this workspace serves, as a source of configuration: no file gets an entry. */
export interface RecordingSource extends ConfigSource {
  readonly served: readonly ServedRecording[];
  placeOf(recording: ServedRecording): ConfigPlace;
  add(recording: ServedRecording): Promise<void>;
  /** Removes the recording of a file, by its address. */
  remove(uri: string): Promise<void>;
}

/** Creates the {@link RecordingSource}; `extension` is the folder of this extension, `state` the state of the workspace. */
export function createRecordingSource(
  { programs }: Pick<Platform, 'programs'>,
  extension: vscode.Uri,
  state: Memento,
): RecordingSource {
  const changed = new Emitter<void>();
  const list = new StoredList(state, 'recordings.served', {
    max: maxServedRecordings,
    isEntry: isServed,
  });
  const script = shownPath(vscode.Uri.joinPath(extension, 'dist', 'recordedServer.js'));
  const placeOf = ({ uri }: ServedRecording): ConfigPlace => ({
    label: vscode.l10n.t('Recording {0}', plainLabel(fileNameOf(uri), maxNameLength)),
    uri,
  });
  const read = (): readonly ConfigLayer[] =>
    programs
      ? list.all.map((recording) => {
          const file = shownPath(vscode.Uri.parse(recording.uri));
          const value = {
            ...programs.runtime,
            args: [script, file],
            // The script needs nothing that the user lets other servers inherit.
            inheritEnvironment: 'safe',
          };
          return {
            scope: 'user',
            ...placeOf(recording),
            unwritten: 'recording',
            entries: [{ name: recording.name, value }],
            inputs: undefined,
            problems: [],
          };
        })
      : [];
  return {
    get served() {
      return list.all;
    },
    placeOf,
    add: async (recording) => {
      await list.put(recording, ({ uri }) => uri === recording.uri);
      changed.fire();
    },
    remove: async (uri) => {
      await list.remove((one) => one.uri === uri);
      changed.fire();
    },
    read: () => Promise.resolve(read()),
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}

function fileNameOf(uri: string): string {
  return vscode.Uri.parse(uri).path.split('/').at(-1) ?? '';
}

/**
 * Serves the recording of a file, of the one in front, or of one that the user chooses: lists a server that answers from
 * it, and starts that, which asks the same questions as for any server.
 */
export async function serveRecording(
  action: UserAction,
  target: unknown,
  parts: {
    readonly recordings: RecordingSource;
    readonly configuration: Configuration;
    readonly switches: Pick<ServerSwitches, 'switchOn'>;
    readonly platform: Pick<Platform, 'programs'>;
  },
): Promise<void> {
  const { t } = vscode.l10n;
  const { recordings, configuration, switches, platform } = parts;
  if (!platform.programs)
    throw new UserError(t('A recording is served by a process, and this window cannot start any.'));
  const uri = await chooseRecording(action, target);
  if (!uri) return;
  const file = plainLabel(fileNameOf(uri.toString()), maxNameLength);
  if (uri.scheme !== 'file')
    throw new UserError(t('{0} is not on a disk of this machine. Save a copy there.', file));
  const { server } = await readRecording(uri, file);
  // Before that, it is not known which names other places have.
  await configuration.ready;
  const recording = recordingOf(server, uri.toString(), recordings, configuration);
  const { name } = recording;
  // It may have been switched off before it was removed.
  await switches.switchOn({ definition: { name }, layer: recordings.placeOf(recording) });
  await recordings.add(recording);
  const id = await showAndStart(
    action,
    configuration,
    name,
    ({ definition, layer }) => definition.name === name && isOf(recording, layer),
  );
  if (id === undefined)
    throw new UserError(t('Your administrator does not allow servers such as {0}.', name));
}

async function chooseRecording(
  action: UserAction,
  target: unknown,
): Promise<vscode.Uri | undefined> {
  if (target instanceof vscode.Uri) return target;
  const front = vscode.window.activeTextEditor?.document.uri;
  if (front?.path.endsWith(recordingExtension)) return front;
  const { t } = vscode.l10n;
  return askFile(action, {
    title: t('Serve Recording'),
    openLabel: t('Serve'),
    filters: { [t('Recordings')]: ['jsonc'] },
  });
}

async function readRecording(uri: vscode.Uri, file: string) {
  // No character takes more bytes than that.
  const text = await readFileInUtf8(uri, 3 * maxRecordingLength);
  try {
    return parseRecording(text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(vscode.l10n.t('{0} cannot be served: {1}', file, error.message));
  }
}

/** Returns the recording of a file as it is served: by a name that says what it is, and that no other server has. */
function recordingOf(
  server: string,
  uri: string,
  { served }: Pick<RecordingSource, 'served'>,
  { current }: Pick<Configuration, 'current'>,
): ServedRecording {
  const known = served.find((one) => one.uri === uri);
  const taken = new Set(configuredNames(current, (layer) => !isOf({ uri }, layer)));
  for (const one of served) if (one.uri !== uri) taken.add(one.name);
  if (known && !taken.has(known.name)) return known;
  const wanted = vscode.l10n.t('{0} (recording)', plainLabel(server, maxNameLength));
  return { name: freeName(wanted, (name) => taken.has(name)), uri };
}

/** True if a place of configuration is the recording of that file. */
function isOf(
  { uri }: Pick<ServedRecording, 'uri'>,
  layer: Pick<ConfigLayer, 'unwritten' | 'uri'>,
): boolean {
  return layer.unwritten === 'recording' && layer.uri === uri;
}

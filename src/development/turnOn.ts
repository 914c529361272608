import * as vscode from 'vscode';
import { asRecord, type JsonRecord } from '../base/json';
import { UserError } from '../base/errors';
import type { Memento } from '../base/memento';
import { plainLabel } from '../base/text/text';
import { isGlob } from '../config/development';
import type { CurrentConfiguration } from '../config/configuration';
import type { LocatedDefinition } from '../config/mergeLayers';
import { actsOnDev } from '../config/places/hints';
import { writeEntry } from '../config/places/writeEntry';
import { kindOf } from '../mcp/launch/launchKinds';
import type { Debugging } from '../mcp/launch/launchKind';
import { debuggedPrograms } from '../mcp/launch/debuggees';
import type { DebugType, ServerDefinition } from '../mcp/serverConfig';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Setting } from '../ui/ids';
import { showMessage } from '../ui/messages';
import { askOwn } from '../ui/questions/askOwn';
import type { Asker } from '../config/chooseConfigured';
import type { PickLook } from '../ui/rows/picks';
import { readDeveloped } from '../ui/settings/readSetting';
import { askLine } from '../ui/steps/askLine';
import { askRow } from '../ui/steps/pickRows';
import { baseOf } from './developedServer';
import { asideText, listText, pairText } from '../base/translate';

const toldKey = 'development.told';
/** At most this many servers are remembered as told about. */
const maxTold = 200;

/** The names of source files and of scripts that programs are launched from. */
const code = /\.(?:[cm]?[jt]sx?|py|rb|go|rs|php|cs|java|kt|swift|lua|pl|ex|exs)$/i;

/** Folders of build output. */
const madeFolders = /^(?:dist|build|out|target)$/;

/** Folders of build output or of source. */
const eitherFolders = /^(?:lib|bin)$/;

/**
 * Proposes globs for what a server most likely runs, judging by its command line, the likeliest first: its source, or
 * else its build output, because a restart before the build would run the old code.
 */
export function proposeGlobs(
  parts: readonly string[],
  folder: string | undefined,
): readonly string[] {
  const scripts = parts
    .map((part) => relative(part, folder))
    .filter((path) => path !== undefined && code.test(path)) as string[];
  const modules = parts.flatMap((part, index) => {
    const [first] = (parts[index - 1] === '-m' ? part : '').split('.');
    return first ? [`${first}/**/*.py`] : [];
  });
  return [...new Set([...scripts.flatMap(ofScript), ...modules, 'src/**'])];
}

function ofScript(path: string): readonly string[] {
  const steps = path.split('/');
  const at = steps.findIndex((step) => madeFolders.test(step) || eitherFolders.test(step));
  const [extension = ''] = code.exec(path) ?? [];
  if (at >= 0) {
    const made = steps.slice(0, at + 1).join('/');
    const source = [...steps.slice(0, at), 'src/**'].join('/');
    return madeFolders.test(steps[at] ?? '') ? [`${made}/**`, source] : [source, `${made}/**`];
  }
  const parent = steps.slice(0, -1);
  // Watching everything in the workspace would be too much.
  return parent.length === 0 ? [path, `*${extension}`] : [`${parent.join('/')}/**`, path];
}

/** Returns a path relative to a folder; `undefined` if it is elsewhere. */
function relative(path: string, folder: string | undefined): string | undefined {
  let rest = path.replaceAll('\\', '/').replace(/^\$\{workspaceFolder\}\//, '');
  const base = folder?.replaceAll('\\', '/').replace(/\/$/, '');
  if (base !== undefined && rest.startsWith(`${base}/`)) rest = rest.slice(base.length + 1);
  rest = rest.replace(/^(?:\.\/)+/, '');
  return /^(?:\/|[a-z]:\/|\.\.\/|-)/i.test(rest) || rest.includes('${') ? undefined : rest;
}

interface Row extends PickLook {
  readonly glob?: string;
}

/** Asks which files restart a server when they change, and writes that into the settings. */
export async function turnOn(
  server: LocatedDefinition,
  { action, questions }: Asker,
  writer: WorkspaceWriter,
): Promise<void> {
  const { t } = vscode.l10n;
  const { definition } = server;
  const title = t('Turn On Development Mode of {0}', plainLabel(definition.name));
  const glob = await askOwn(
    questions,
    { server: definition, what: title, asked: action },
    async (context) => {
      const frame = { title, actions: [], context };
      const items: Row[] = [
        ...proposalsFor(server).map((one) => ({
          label: one,
          glob: one,
          iconPath: new vscode.ThemeIcon('eye'),
        })),
        { label: t('Other Files…'), iconPath: new vscode.ThemeIcon('edit') },
      ];
      const prompt = t('Which files restart the server when they change?');
      const row = await askRow({ frame, prompt, items });
      if (!row || row.glob !== undefined) return row?.glob;
      return askLine({
        frame,
        prompt: t('A glob from the workspace folder'),
        placeholder: 'src/**',
        validate: (text) =>
          isGlob(text) && !text.startsWith('!') ? undefined : t('For example: {0}', 'src/**'),
      });
    },
  );
  if (glob === undefined) return;
  const { debug } = devOf(server);
  await writeSetting(server, { watch: glob, ...(debug !== undefined && { debug }) }, writer);
}

/** Returns how a debugger is attached to a configured server; `undefined` if that is impossible. */
export function debuggingOf({ config }: Pick<ServerDefinition, 'config'>): Debugging | undefined {
  return kindOf(config).debugging(config);
}

/**
 * Writes into the settings that a debugger is attached at each start of a server: the one that its command needs, or
 * where that does not tell, the one that is picked.
 */
export async function turnOnDebugging(
  server: LocatedDefinition,
  { action, questions }: Asker,
  writer: WorkspaceWriter,
): Promise<void> {
  const { t } = vscode.l10n;
  const { definition } = server;
  const debugging = debuggingOf(definition);
  if (!debugging) throw new UserError(t('Only a server with a command can be debugged.'));
  const [fitting, ...others] = debugging.fitting;
  if (!fitting)
    throw new UserError(
      t(
        'No debugger can be attached to {0}, only to: {1}.',
        plainLabel(definition.name),
        listText(debuggedPrograms, t),
      ),
    );
  const title = t('Turn On Debugging of {0}', plainLabel(definition.name));
  const ask = () =>
    askOwn(questions, { server: definition, what: title, asked: action }, async (context) => {
      const row = await askRow({
        frame: { title, actions: [], context },
        prompt: t('Its command does not tell which debugger it needs.'),
        items: debugging.fitting.map((one) => ({
          label: debuggerNames[one],
          description: one,
          type: one,
        })),
      });
      return row?.type;
    });
  const type = others.length === 0 ? fitting : await ask();
  if (type) await writeSetting(server, { ...devOf(server), debug: { type } }, writer);
}

const debuggerNames: { readonly [T in DebugType]: string } = {
  node: 'JavaScript',
  debugpy: 'Python',
  bun: 'Bun',
};

/** Removes what a server is watched and debugged by from the settings and from its entry. */
export async function turnOff(server: LocatedDefinition, writer: WorkspaceWriter): Promise<void> {
  await writeSetting(server, undefined, writer);
  const { watch: _watch, debug: _debug, ...others } = asRecord(entryOf(server)['dev']);
  await writeDev(server, others, writer);
}

/**
 * Moves `dev` of a server's entry to the settings, where the editor's own client does not act on it; what the settings
 * already say stays.
 */
export async function moveDevelopment(
  server: LocatedDefinition,
  writer: WorkspaceWriter,
): Promise<void> {
  // First there, then no longer here: meanwhile both say the same.
  await writeSetting(server, devOf(server), writer);
  await writeDev(server, {}, writer);
}

/**
 * Tells the user, once for each server and file, that the editor's own client acts on `dev` there, too, and moves it if
 * they say so.
 */
export async function tellOfEditor(
  { servers }: Pick<CurrentConfiguration, 'servers'>,
  state: Memento,
  writer: WorkspaceWriter,
): Promise<void> {
  const { t } = vscode.l10n;
  const saved = state.get(toldKey);
  const told = Array.isArray(saved) ? saved.filter((one) => typeof one === 'string') : [];
  const keyOf = ({ definition, layer }: LocatedDefinition) =>
    JSON.stringify([definition.name, layer.uri ?? layer.label]);
  const server = servers.find((one) => one.isDevelopedByEditor && !told.includes(keyOf(one)));
  if (!server || isEditorOff()) return;
  await state.update(toldKey, [...told, keyOf(server)].slice(-maxTold));
  const move = t('Move "dev" to Settings');
  const { label } = server.layer;
  const text = pairText(
    asideText(`"${plainLabel(server.definition.name)}"`, plainLabel(label), t),
    actsOnDev(t),
    t,
  );
  const pressed = await showMessage('info', text, move);
  if (pressed) await moveDevelopment(server, writer);
}

/** True if the editor runs no servers itself, so that nothing is acted on. */
function isEditorOff(): boolean {
  return vscode.workspace.getConfiguration().get('chat.mcp.access') === 'none';
}

function proposalsFor({ definition }: LocatedDefinition): readonly string[] {
  const { config } = definition;
  return proposeGlobs(kindOf(config).line(config), baseOf(definition)?.fsPath);
}

function entryOf({ layer, definition }: LocatedDefinition): JsonRecord {
  return asRecord(layer.entries.find(({ name }) => name === definition.name)?.value);
}

/** Returns what the settings say of a server's development, and for the rest its entry. */
function devOf(server: LocatedDefinition): JsonRecord {
  const all = readDeveloped(server.layer.scope === 'user');
  const { id } = server.definition;
  return { ...asRecord(entryOf(server)['dev']), ...(Object.hasOwn(all, id) && asRecord(all[id])) };
}

/** Sets what the settings say of a server at the level of its place, or removes it from all levels. */
async function writeSetting(
  { layer, definition: { id } }: LocatedDefinition,
  dev: JsonRecord | undefined,
  writer: WorkspaceWriter,
): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const values = vscode.workspace.getConfiguration().inspect<unknown>(Setting.development);
  const levels = [
    { target: Global, known: asRecord(values?.globalValue), isOwn: layer.scope === 'user' },
    { target: Workspace, known: asRecord(values?.workspaceValue), isOwn: layer.scope !== 'user' },
  ];
  for (const { target, known, isOwn } of levels) {
    const { [id]: before, ...others } = known;
    const now = dev && isOwn ? { ...others, [id]: dev } : dev ? known : others;
    if (now === known || (dev === undefined && before === undefined)) continue;
    const isEmpty = Object.keys(now).length === 0;
    await writer.updateSetting(Setting.development, isEmpty ? undefined : now, target);
  }
}

async function writeDev(
  server: LocatedDefinition,
  dev: JsonRecord,
  writer: WorkspaceWriter,
): Promise<void> {
  if (!Object.hasOwn(entryOf(server), 'dev')) return;
  const { layer, definition } = server;
  const isEmpty = Object.keys(dev).length === 0;
  await writeEntry(layer, definition.name, 'dev', isEmpty ? undefined : dev, writer);
}

import * as vscode from 'vscode';
import { shownPath } from '../../base/uri/fileAddress';
import { UserError } from '../../base/errors';
import { canonicalJson, changeTexts } from '../../base/json';
import { plainLabel } from '../../base/text/text';
import { type Translate, namesText } from '../../base/translate';
import type { QuestionContext } from '../../ui/questions/question';
import { askRow } from '../../ui/steps/pickRows';
import type { StepFrame } from '../../ui/steps/stepFrame';
import { mcpJsonFile } from '../add/mcpJsonText';
import { type ImportedServer, inputsIn } from '../add/importedServer';
import { type Application, editorVariable } from '../applications/application';
import { readJson } from '../applications/jsonFile';
import { serverTable } from '../applications/serverTable';
import { readKeys } from '../places/knownKeys';
import { parseMcpJson } from '../places/mcpJson';
import { acceptChange, checkUnchanged, writeChange } from './acceptChange';
import {
  type ExportDeps,
  addToFile,
  askServers,
  dependsOnFolder,
  ownServers,
  settleNames,
} from './exportServers';
import { readTargetText } from './exportTarget';
import { isPersonalValue, shareable } from './shareable';
import { launchTypes } from '../../mcp/launch/launchKinds';

const path = '.mcp.json';
const serversKey = 'mcpServers';

/** The file of a repository that this client reads, and others do, too. */
export const teamFile: Application = {
  label: path,
  files: ({ folders }) => folders.map((folder) => `${folder}/${path}`),
  carries: { kinds: launchTypes, ownTimes: true, inputs: true, variable: editorVariable },
  ...mcpJsonFile(serversKey, 'ms'),
};

/** Folders of this machine that others have elsewhere, each with the variable that stands for it there. */
export type OwnPlaces = readonly (readonly [folder: string, variable: string])[];

/** A configured server, and the folder that its relative paths and `${workspaceFolder}` mean, if any. */
interface Configured {
  readonly name: string;
  readonly value: unknown;
  readonly inputs: unknown;
  readonly folder: string | undefined;
}

/**
 * Returns a configured server as a team can have it: what is secret or personal becomes an input that each is asked for,
 * and paths of this machine begin with a variable; `undefined` if the entry is not a server.
 */
export function forTeam(
  { name, value, inputs, folder }: Configured,
  places: OwnPlaces,
): ImportedServer | undefined {
  const found = shareable(
    name,
    value,
    inputs,
    (key, text) => isPersonalValue(key, text) && !isPlain(text),
  );
  if (!found) return undefined;
  // Whether it is switched off is for each to say, and what only this machine reads is of no use to others.
  const server = Object.fromEntries(
    Object.entries(found.server).filter(([key]) => readKeys.includes(key) && key !== 'disabled'),
  );
  const placed =
    dependsOnFolder(server) && folder !== undefined ? { ...server, cwd: folder } : server;
  const filled = changeTexts(placed, (text) => {
    const own = folder === undefined ? text : text.replaceAll('${workspaceFolder}', () => folder);
    return places.reduce((written, [from, variable]) => withVariable(written, from, variable), own);
  });
  return { ...found, server: filled };
}

/** True for words, versions and regions such as `read-write`, `node20` or `us-east-1`, unlike what may be a key. */
function isPlain(text: string): boolean {
  return text.split(/[-_.]/).every((word) => /^(?:[a-z]{1,12}\d{0,3}|\d{1,4}[a-z]?)$/i.test(word));
}

/** Puts a variable in the place of a folder wherever a path begins; a drive may be written in either case. */
function withVariable(text: string, folder: string, variable: string): string {
  if (folder.length < 2) return text;
  const isDrive = /^[a-z]:/i.test(folder);
  const asRead = (one: string) => (isDrive ? one.replaceAll('\\', '/').toLowerCase() : one);
  const [where, what] = [asRead(text), asRead(folder)];
  if (where.length !== text.length || what.length !== folder.length) return text;
  let written = '';
  let from = 0;
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + 1)) {
    const [before, after] = [where[at - 1] ?? '=', where[at + what.length] ?? '/'];
    if (at < from || !/[=:;,"'\s]/.test(before) || !/[/\\:;,"'\s]/.test(after)) continue;
    written += text.slice(from, at) + variable;
    from = at + what.length;
  }
  return written + text.slice(from);
}

/**
 * Returns the text of a team's file with servers added. Rejects with a `UserError` unless what was written is read again
 * as it was meant, without a problem, and with each of its inputs described.
 */
export async function addForTeam(
  text: string,
  servers: readonly ImportedServer[],
  t: Translate,
): Promise<string> {
  // What stands there instead would be lost.
  serverTable(serversKey, readJson(text)[serversKey], (problem) => {
    throw new UserError(problem);
  });
  const written = await addToFile(teamFile, text, servers, t);
  const { entries, problems } = parseMcpJson(written, { timeUnit: 'ms' }, t);
  const known = parseMcpJson(text, { timeUnit: 'ms' }, t).problems.map(({ message }) => message);
  const after = await ownServers(teamFile, written);
  const lost = servers.filter(({ name, server }) => {
    const found = after.get(name);
    const described = new Set(found?.inputs?.map(({ id }) => id));
    const keys = (one: object = {}) => canonicalJson(Object.keys(one).toSorted());
    return (
      !entries.some((entry) => entry.name === name) ||
      keys(found?.server) !== keys(server) ||
      !inputsIn(found?.server).every((id) => described.has(id))
    );
  });
  const found = problems.map(({ message }) => message).filter((one) => !known.includes(one));
  if (lost.length > 0 || found.length > 0)
    throw new UserError(
      t(
        '{0} could not be read again as it would be written, so nothing was: {1}',
        path,
        lost.length > 0
          ? namesText(
              lost.map(({ name }) => name),
              t,
            )
          : found.join(' '),
      ),
    );
  return written;
}

/**
 * Lets the user choose servers for the `.mcp.json` of a workspace folder, shows what would change in it, and writes it if
 * they agree; returns what to tell the user, or `undefined` if a question was dismissed.
 */
export async function exportForTeam(
  deps: ExportDeps,
  context: QuestionContext,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const title = t('Export for the Team');
  const frame = { title, actions: [], context };
  const folder = await askFolder(frame);
  if (!folder) return undefined;
  const home = deps.surroundings().programs?.home ?? '';
  const places = [
    [folder.uri.fsPath, '${workspaceFolder}'],
    [home, '${userHome}'],
  ] as const;
  const chosen = await askServers(deps, frame, ({ definition, layer }) => {
    const { name, folder: own } = definition;
    const value = layer.entries.find((one) => one.name === name)?.value;
    const where = own === undefined ? undefined : vscode.Uri.parse(own).fsPath;
    return forTeam({ name, value, inputs: layer.inputs, folder: where }, places);
  });
  if (!chosen) return undefined;
  const uri = vscode.Uri.joinPath(folder.uri, path);
  const before = (await readTargetText(uri)) ?? '';
  await checkUnchanged({ uri, before });
  const carried = chosen.map((found) => ({ found, notes: [] }));
  const named = await settleNames(carried, { application: teamFile, uri, text: before }, context);
  if (!named) return undefined;
  const after = await addForTeam(before, named, t);
  const yes = t('Write to {0}', path);
  const notes = notesOn(named, home, t);
  if (!(await acceptChange({ uri, before, after, title, yes, notes }, deps.input, context)))
    return undefined;
  await writeChange({ uri, before, after }, deps.writer);
  return t(
    'Exported to {0}: {1}',
    path,
    namesText(
      named.map(({ name }) => name),
      t,
    ),
  );
}

function notesOn(
  servers: readonly ImportedServer[],
  home: string,
  t: Translate,
): readonly string[] {
  const asked = servers.flatMap(({ inputs = [] }) => inputs.map(({ id }) => id));
  const hasPlace = (one: ImportedServer) =>
    /\$\{(?:workspaceFolder|userHome)\}/.test(JSON.stringify(one.server));
  const isOfMachine = ({ server }: ImportedServer) =>
    home.length > 1 && JSON.stringify(server).includes(JSON.stringify(home).slice(1, -1));
  const left = servers.filter(isOfMachine).map(({ name }) => name);
  return [
    ...(asked.length > 0
      ? [
          t('Each who uses it is asked for {0}.', namesText(asked, t)),
          t('Other applications that read {0} do not ask for inputs.', path),
        ]
      : []),
    ...(servers.some(hasPlace)
      ? [
          t(
            'Other applications that read {0} may not know {1}.',
            path,
            '${workspaceFolder}, ${userHome}',
          ),
        ]
      : []),
    ...(left.length > 0
      ? [t('A folder of this machine is still named by {0}.', namesText(left, t))]
      : []),
  ];
}

async function askFolder(frame: StepFrame): Promise<vscode.WorkspaceFolder | undefined> {
  const { t } = vscode.l10n;
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0)
    throw new UserError(t('Open the folder of the team’s repository first.'));
  if (folders.length === 1) return folders[0];
  const items = folders.map((folder) => ({
    label: plainLabel(folder.name),
    description: plainLabel(shownPath(folder.uri)),
    folder,
  }));
  const placeholder = t('Select the folder whose {0} gets them', path);
  return (await askRow({ frame, items, placeholder }))?.folder;
}

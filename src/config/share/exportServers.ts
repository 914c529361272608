import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { type Translate, namesText } from '../../base/translate';
import { fileName } from '../../base/text/fileName';
import { canonicalJson } from '../../base/json';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import type { QuestionContext } from '../../ui/questions/question';
import { checkRows, askRow } from '../../ui/steps/pickRows';
import type { StepFrame } from '../../ui/steps/stepFrame';
import { lineOf } from '../add/addServers';
import {
  type ImportedServer,
  type McpJsonServer,
  inputsIn,
  readInputEntries,
} from '../add/importedServer';
import { type Application, type Machine, withTimes } from '../applications/application';
import type { Configuration } from '../configuration';
import { freeName } from '../configLayer';
import type { LaunchSurroundings } from '../launch/launchSurroundings';
import { acceptChange, checkUnchanged, writeChange } from './acceptChange';
import { type CarriedServer, carry } from './carry';
import { type ExportTarget, askTargetFile } from './exportTarget';
import { rulesOf } from '../launch/kinds/rulesOf';
import { findFolder } from '../launch/resolveLaunch';
import type { PlaceValues } from '../launch/variables';
import type { LocatedDefinition } from '../mergeLayers';
import { shareable } from './shareable';
import { AdmittedServers, launchesOf } from '../add/admission';
import { readJson } from '../applications/jsonFile';

/** Returns the servers in an application's file that {@link addToFile} can replace, by name. */
export async function ownServers(
  { read, readOwn = read }: Pick<Application, 'read' | 'readOwn'>,
  text: string,
): Promise<ReadonlyMap<string, ImportedServer>> {
  const found = await readOwn(text);
  return new Map(found.map((one) => [one.name, one]));
}

/**
 * Returns the text of an application's file with servers added. Rejects with a `UserError` if that would change
 * another server in the file, as not every style of file can be edited.
 */
export async function addToFile(
  application: Application,
  text: string,
  servers: readonly ImportedServer[],
  t: Translate,
): Promise<string> {
  const before = await ownServers(application, text);
  const names = new Set(servers.map(({ name }) => name));
  const others = [...before.values()].filter(({ name }) => !names.has(name));
  // Whoever reads the file may have values of what it defines; only what no other server uses is of the replaced ones, and
  // only where they are launched as before.
  const used = others.flatMap((one) => inputsIn(one.server));
  const same = servers.flatMap((one) => {
    const old = before.get(one.name);
    return old && recipientOf(old) === recipientOf(one) ? [old.server] : [];
  });
  const own = new Set(inputsIn(same));
  const defined = application.carries.inputs ? readInputEntries(readJson(text)['inputs']) : [];
  const taken = [...used, ...defined.map(({ id }) => id).filter((id) => !own.has(id))];
  const named = servers.map((one) => ({
    ...one,
    server: application.carries.ownTimes
      ? one.server
      : withTimes(one.server, application.carries.times),
  }));
  const written = await application.write(text, AdmittedServers.admit(named, taken));
  const after = await ownServers(application, written);
  const isKept = others.every((one) => canonicalJson(one) === canonicalJson(after.get(one.name)));
  if (!isKept || [...names].some((name) => !after.has(name)))
    throw new UserError(
      t(
        'The file of {0} cannot be changed safely. Add the servers there by hand.',
        application.label,
      ),
    );
  return written;
}

/** Returns what tells who gets the values of the inputs of a server. */
function recipientOf(found: ImportedServer): string {
  return canonicalJson(launchesOf(found).map((config) => rulesOf(config).recipient(config)));
}

/** A configured server as it could be run from elsewhere, without its secrets. */
interface Portable {
  readonly server: ImportedServer;
  readonly places: PlaceValues;
}

/**
 * Makes a configured server {@link Portable}, with the workspace folder as its `cwd` if it depends on that;
 * `undefined` if its entry is not a server.
 */
function portable(
  { definition, layer }: LocatedDefinition,
  { folders, programs }: Pick<LaunchSurroundings, 'folders' | 'programs'>,
): Portable | undefined {
  const { name, folder } = definition;
  const value = layer.entries.find((one) => one.name === name)?.value;
  const found = shareable(name, value, layer.inputs);
  if (!found) return undefined;
  const isPlaced = layer.scope !== 'user' && dependsOnFolder(found.server);
  const server = isPlaced
    ? { ...found, server: { ...found.server, cwd: '${workspaceFolder}' } }
    : found;
  const places = {
    userHome: programs?.home,
    pathSeparator: programs?.separator ?? '/',
    workspaceFolder: (called?: string) => findFolder(called, folder, folders),
  };
  return { server, places };
}

/** True if a process without a `cwd` names a file by a relative path. */
export function dependsOnFolder({ command, args, cwd }: McpJsonServer): boolean {
  if (command === undefined || cwd !== undefined) return false;
  return [command, ...(Array.isArray(args) ? (args as unknown[]) : [])].some(
    (one) =>
      typeof one === 'string' &&
      /^(?:\.{1,2}[\\/]|[\w.-]+(?:\/[\w.-]+)*\.(?:[cm]?js|ts|py|sh)$)/.test(one),
  );
}

/** What exports of servers need. */
export interface ExportDeps {
  readonly configuration: Configuration;
  readonly machine: Machine;
  readonly input: DocumentInput;
  readonly writer: WorkspaceWriter;
  readonly surroundings: () => LaunchSurroundings;
}

/**
 * Lets the user choose servers and an application, shows what would change in its file, and writes it if the user
 * agrees; returns what to tell the user, or `undefined` if a question was dismissed.
 */
export async function exportServers(
  deps: ExportDeps,
  context: QuestionContext,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const frame = { title: t('Export Servers'), actions: [], context };
  const surroundings = deps.surroundings();
  const places = new Map<ImportedServer, PlaceValues>();
  const chosen = await askServers(deps, frame, (located) => {
    const found = portable(located, surroundings);
    if (found) places.set(found.server, found.places);
    return found?.server;
  });
  if (!chosen) return undefined;
  const target = await askTargetFile(frame, deps.machine);
  if (!target) return undefined;
  const { uri, text: before } = target;
  await checkUnchanged({ uri, before });
  const carried = chosen.flatMap((server) => {
    const of = places.get(server);
    return of ? [carry(server, target.application, of, t)] : [];
  });
  const named = await settleNames(carried, target, context);
  if (!named) return undefined;
  const text = await addToFile(target.application, target.text, named, t);
  const notes = carried.flatMap((one) => one.notes);
  const title = t('Export to {0}', target.application.label);
  const yes = t('Write to {0}', plainLabel(fileName({ uri: uri.toString() }), 60));
  const change = { uri, before, after: text, title, yes, notes };
  if (!(await acceptChange(change, deps.input, context))) return undefined;
  await writeChange(change, deps.writer);
  const names = named.map(({ name }) => name);
  return t('Exported to {0}: {1}', target.application.label, namesText(names, t));
}

/** Lets the user choose among the configured servers that can be written elsewhere; `undefined` if they chose none. */
export async function askServers(
  { configuration }: Pick<ExportDeps, 'configuration'>,
  frame: StepFrame,
  written: (located: LocatedDefinition) => ImportedServer | undefined,
): Promise<readonly ImportedServer[] | undefined> {
  const { t } = vscode.l10n;
  const { servers, disabled } = configuration.current;
  const items = [...servers, ...disabled.map(({ server }) => server)].flatMap((located) => {
    const found = written(located);
    const description = plainLabel(located.layer.label);
    const label = plainLabel(located.definition.name);
    return found ? [{ label, description, detail: lineOf(found), found }] : [];
  });
  if (items.length === 0) throw new UserError(t('No MCP server is configured yet.'));
  const chosen = await checkRows({ frame, items, placeholder: t('Select servers to export') });
  return chosen && chosen.length > 0 ? chosen.map(({ found }) => found) : undefined;
}

/**
 * Returns the servers under the names that they get, asking about those that are taken by other servers; `undefined`
 * if the user dismissed a question. Rejects with a `UserError` if no server is left.
 */
export async function settleNames(
  carried: readonly CarriedServer[],
  { application, text }: ExportTarget,
  context: QuestionContext,
): Promise<readonly ImportedServer[] | undefined> {
  const { t } = vscode.l10n;
  const there = await ownServers(application, text);
  const taken = new Set(there.keys());
  const named: ImportedServer[] = [];
  for (const { found } of carried) {
    if (!found) continue;
    const known = there.get(found.name);
    if (!known || named.some(({ name }) => name === found.name)) {
      const name = freeName(found.name, (one) => taken.has(one));
      taken.add(name);
      named.push({ ...found, name });
      continue;
    }
    if (canonicalJson(known.server) === canonicalJson(found.server)) continue;
    const shown = plainLabel(found.name, 40);
    const other = freeName(found.name, (one) => taken.has(one));
    const picked = await askRow({
      frame: {
        title: t('{0} already has a server "{1}"', application.label, shown),
        actions: [],
        context,
      },
      placeholder: lineOf(known),
      items: [
        {
          label: t('Keep Both'),
          description: t('the new one as {0}', plainLabel(other, 40)),
          name: other,
        },
        { label: t('Replace'), detail: lineOf(found), name: found.name },
        { label: t('Keep the One in the File'), name: undefined },
      ],
    });
    if (!picked) return undefined;
    if (picked.name === undefined) continue;
    taken.add(picked.name);
    named.push({ ...found, name: picked.name });
  }
  const problems = carried.flatMap((one) => (one.found ? [] : one.notes));
  if (named.length === 0)
    throw new UserError(
      problems.length > 0
        ? problems.join(' ')
        : t('{0} already has these servers.', application.label),
    );
  return named;
}

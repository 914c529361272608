import * as vscode from 'vscode';
import { comparedPath, shownPath } from '../base/uri/fileAddress';
import { errorMessage, UserError } from '../base/errors';
import { jsonText } from '../base/text/jsonText';
import { plainLabel } from '../base/text/text';
import { fileName } from '../base/text/fileName';
import { namesText } from '../base/translate';
import { filesOf, type Application, type Machine } from '../config/applications/application';
import { applications } from '../config/applications/applications';
import { vscodeUser } from '../config/applications/editors/vscode';
import { thisDisk } from '../config/applications/machine';
import { acceptChange, writeChange } from '../config/share/acceptChange';
import { addToFile, ownServers } from '../config/share/exportServers';
import { readTargetText } from '../config/share/exportTarget';
import type { BridgeCommand } from '../mcp/serving/agentPort';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import type { QuestionContext } from '../ui/questions/question';
import { separator, type PickLook } from '../ui/rows/picks';
import { askRow } from '../ui/steps/pickRows';
import type { AgentEntries, AgentEntry } from './entries';
import { copyJson } from '../ui/clipboard';

/** The name of our entry in the files of all applications. */
export const entryName = 'mcp-workbench';

/** How long an agent is told to wait for a call, as a person may have to be found first, and for our lists, in seconds. */
const longestCallS = 3600;
const longestStartS = 60;

/** The variable by which the bridge gets the secret of its entry: other accounts see arguments, but no variables. */
const secretVariable = 'MCP_WORKBENCH_SECRET';

interface Deps {
  readonly entries: AgentEntries;
  readonly machine: Machine;
  readonly input: DocumentInput;
  readonly writer: WorkspaceWriter;
  /** The names of the servers that agents get through this window. */
  readonly serverNames: () => readonly string[];
  /** Makes this window ready for agents. */
  readonly prepare: () => Promise<BridgeCommand>;
  /** Makes it ready for agents over HTTP, and returns where they reach it. */
  readonly prepareHttp: () => Promise<string>;
}

type Row = PickLook & { readonly application?: Application; readonly copies?: 'command' | 'http' };

/**
 * Lets the user choose an application and writes our entry into its file, once they have seen the change; returns what to
 * tell them, or `undefined` if they dismissed a question.
 */
export async function connectAgent(
  deps: Deps,
  context: QuestionContext,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const frame = { title: t('Connect an Agent'), actions: [], context };
  const rows = await Promise.all(
    applications
      .filter((one) => one !== vscodeUser)
      .map(async (application) => ({ application, ...(await fileOf(application, deps.machine)) })),
  );
  const rowOf = ({ application, path }: (typeof rows)[number]): Row => ({
    label: application.label,
    description: plainLabel(shownPath(vscode.Uri.file(path))),
    application,
  });
  const there = rows.filter(({ isThere }) => isThere).map(rowOf);
  const others = rows.filter(({ isThere }) => !isThere).map(rowOf);
  const picked = await askRow<Row>({
    frame,
    placeholder: t('Select the agent that should use your servers through this window'),
    items: [
      ...(there.length > 0 ? [separator(t('Found on this machine')), ...there] : []),
      { label: t('Another…'), description: t('copies an entry for it'), copies: 'command' },
      {
        label: t('Another, over HTTP…'),
        description: t('for one that cannot start a program'),
        copies: 'http',
      },
      ...(others.length > 0 ? [separator(t('Not found')), ...others] : []),
    ],
  });
  if (picked?.copies) return copyEntry(deps, picked.copies);
  return picked?.application && writeEntry(picked.application, deps, context);
}

/** Finds the file for the user's own servers of an application: the entry has a secret, which no repository must get. */
async function fileOf(application: Application, machine: Machine) {
  const files = await filesOf(application, machine, thisDisk);
  const { path } = files.find(({ isUnread }) => !isUnread) ?? { path: '' };
  const text = await thisDisk.text(path).catch(() => '');
  return { path, isThere: text !== undefined };
}

async function writeEntry(
  application: Application,
  deps: Deps,
  context: QuestionContext,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const { label } = application;
  const { path } = await fileOf(application, deps.machine);
  const uri = vscode.Uri.file(path);
  const before = (await readTargetText(uri)) ?? '';
  const own = await ownServers(application, before);
  const twice = deps.serverNames().filter((name) => own.has(name));
  const { entry, secret } = deps.entries.create({ label, file: path });
  const server = toServer(await deps.prepare(), entry, secret);
  const after = await addToFile(application, before, [{ name: entryName, server }], t);
  const change = {
    uri,
    before,
    after,
    title: t('Connect {0}', label),
    yes: t('Write to {0}', plainLabel(fileName({ uri: uri.toString() }), 60)),
    notes: [
      t('The entry has a secret: whoever can read the file can ask you for your servers.'),
      ...(twice.length > 0
        ? [t('{0} also runs these itself: {1}. Remove them there.', label, namesText(twice, t))]
        : []),
    ],
  };
  if (!(await acceptChange(change, deps.input, context))) return undefined;
  const replaced = (await deps.entries.all()).filter(
    (one) => one.file !== undefined && comparedPath(one.file) === comparedPath(path),
  );
  await deps.entries.add(entry);
  try {
    await writeChange(change, deps.writer);
  } catch (error) {
    await deps.entries.remove(entry);
    throw error;
  }
  // The secret of an entry that was there before is in no file any longer.
  for (const one of replaced) await deps.entries.remove(one);
  return t(
    '{0} has its entry. When it starts next, it connects, and you are asked whether it may use your servers.',
    label,
  );
}

async function copyEntry(
  { entries, prepare, prepareHttp }: Deps,
  how: 'command' | 'http',
): Promise<string> {
  const { t } = vscode.l10n;
  const label = how === 'http' ? t('Another agent over HTTP') : t('Another agent');
  const url = how === 'http' ? await prepareHttp() : undefined;
  const httpPort = url === undefined ? {} : { httpPort: Number(new URL(url).port) };
  const { entry, secret } = entries.create({ label, ...httpPort });
  const server =
    url === undefined
      ? toCommand(await prepare(), entry, secret)
      : toHttpServer(url, entry, secret);
  await entries.add(entry);
  const text = jsonText({ mcpServers: { [entryName]: server } }, 2);
  await copyJson(text);
  return t('The entry is in the clipboard. Paste it into the configuration of the agent.');
}

function toHttpServer(url: string, { id }: AgentEntry, secret: string) {
  return { type: 'http', url, headers: { Authorization: `Bearer ${id}.${secret}` } };
}

function toCommand({ command, args, env }: BridgeCommand, { id }: AgentEntry, secret: string) {
  return { command, args: [...args, id], env: { ...env, [secretVariable]: secret } };
}

function toServer(bridge: BridgeCommand, entry: AgentEntry, secret: string) {
  return {
    type: 'stdio',
    ...toCommand(bridge, entry, secret),
    timeouts: { start: longestStartS, request: longestCallS, total: longestCallS },
  };
}

/** Lets the user choose an agent that is connected; throws if there is none. */
export async function pickAgent(
  entries: AgentEntries,
  { context, title, placeholder }: { readonly context: QuestionContext } & AgentPick,
): Promise<AgentEntry | undefined> {
  const { t } = vscode.l10n;
  const all = await entries.all();
  if (all.length === 0) throw new UserError(t('No agent has an entry.'));
  const picked = await askRow({
    frame: { title, actions: [], context },
    placeholder,
    items: all.map((entry) => ({
      label: plainLabel(entry.label),
      description: plainLabel(entry.file ?? t('copied')),
      detail: t('Entry made {0}', new Date(entry.createdAt).toLocaleString(vscode.env.language)),
      entry,
    })),
  });
  return picked?.entry;
}

/** What the list of {@link pickAgent} says. */
export interface AgentPick {
  readonly title: string;
  readonly placeholder: string;
}

/** Takes an entry out of its file and lets nobody in with it any longer; returns what to tell the user. */
export async function disconnectAgent(
  { entries, input, writer }: Pick<Deps, 'entries' | 'input' | 'writer'>,
  entry: AgentEntry,
  context: QuestionContext,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const application = applications.find(({ label }) => label === entry.label);
  if (entry.file !== undefined && application) {
    const isKept = await removeEntry(application, vscode.Uri.file(entry.file), entry, {
      input,
      writer,
      context,
    });
    if (isKept) return undefined;
  }
  await entries.remove(entry);
  return t('{0} is disconnected.', entry.label);
}

/** Takes an entry out of its file; resolves to true if the user wants it to stay. */
async function removeEntry(
  application: Application,
  uri: vscode.Uri,
  { id }: AgentEntry,
  {
    input,
    writer,
    context,
  }: Pick<Deps, 'input' | 'writer'> & { readonly context: QuestionContext },
): Promise<boolean> {
  const { t } = vscode.l10n;
  const before = await readTargetText(uri).catch(() => undefined);
  // Somebody has removed it by hand, or the file with it.
  if (before === undefined || !before.includes(id)) return false;
  let after: string;
  try {
    after = await application.remove(before, entryName);
  } catch (cause) {
    throw new UserError(
      t('{0} cannot be read: {1}', shownPath(uri), errorMessage(cause, vscode.l10n.t)),
      { cause },
    );
  }
  const change = {
    uri,
    before,
    after,
    title: t('Disconnect {0}', application.label),
    yes: t('Write to {0}', plainLabel(fileName({ uri: uri.toString() }), 60)),
    notes: [],
  };
  if (!(await acceptChange(change, input, context))) return true;
  await writeChange(change, writer);
  return false;
}

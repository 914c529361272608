import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { addressLabel } from '../../base/text/address';
import { plainLabel } from '../../base/text/text';
import { listText, type Translate } from '../../base/translate';
import { askFile } from '../../ui/keyboard';
import type { QuestionContext } from '../../ui/questions/question';
import { namesOf } from '../../ui/rows/labels';
import { readClipboard } from '../../ui/sources/pastedLines';
import { askLine } from '../../ui/steps/askLine';
import { pickItem } from '../../ui/steps/pickItem';
import { askRow } from '../../ui/steps/pickRows';
import type { StepFrame } from '../../ui/steps/stepFrame';
import { mentionsTables, withJsonTables } from '../applications/agents/codexTables';
import { lineOf } from './addServers';
import type { ImportedServer } from './importedServer';
import { readServerUrl, readCopied, readPackage, readSnippet, type Snippet } from './snippet';
import type { PickLook } from '../../ui/rows/picks';
import {
  McpRegistry,
  type ListedServer,
  type RegistryPage,
  type SearchedRegistry,
} from '../../mcp/http/mcpRegistry';
import { searchRows, type FoundRows } from '../../ui/steps/searchRows';
import { registryAddress } from '../switches/administrator';
import { originOf } from './registryUpdate';

/** At most this much of a text is searched for servers, in UTF-16 units. */
const longestRead = 100_000;

interface Way extends PickLook {
  ask(): Promise<Snippet | undefined>;
}

/** Reads the bundle at a path and asks for the values its server needs; `undefined` if the user dismissed that. */
type ReadBundle = (path: string, frame: StepFrame) => Promise<ImportedServer | undefined>;

interface AddingDeps {
  readonly readBundle: ReadBundle;
  /** Called with what the user has found in a registry. */
  readonly onSearch: (found: SearchedRegistry) => void;
}

/**
 * Asks for a server in one of several ways, or whether to take the one of `link`, which any page may have opened;
 * `undefined` if the user dismissed a question.
 */
export async function askServer(
  context: QuestionContext,
  { readBundle, onSearch }: AddingDeps,
  link?: string,
): Promise<readonly ImportedServer[] | undefined> {
  const frame = { title: vscode.l10n.t('Add Server'), actions: [], context };
  const read =
    link === undefined ? await askWhat(frame, onSearch) : readCopied(link, vscode.l10n.t);
  if (read?.bundle !== undefined) {
    const server = await readBundle(read.bundle, frame);
    return server && askName(frame, server);
  }
  if (read?.problem !== undefined) throw new UserError(read.problem);
  if (read?.servers.length === 0)
    throw new UserError(
      vscode.l10n.t(
        'The clipboard contains no server. Copy an install link, JSON with "mcpServers" or "servers", a URL or a command line.',
      ),
    );
  if (link !== undefined && !(await askLink(frame, read?.servers ?? []))) return undefined;
  const found = read?.isChoice ? await askWay(frame, read.servers) : read?.servers;
  const [only] = found ?? [];
  return found?.length === 1 && only && !read?.isNamed ? askName(frame, only) : found;
}

/** Asks whether to add what a link brings. */
async function askLink(frame: StepFrame, servers: readonly ImportedServer[]): Promise<boolean> {
  const { t } = vscode.l10n;
  const chosen = await pickItem({
    frame,
    name: t('a link'),
    prompt: t(
      'A link wants to add {0}: {1}',
      namesOf(servers),
      servers.map((server) => lineOf(server)).join(' · '),
    ),
    placeholder: t('Enter adds nothing.'),
    items: [
      { label: t('Not Now'), iconPath: new vscode.ThemeIcon('circle-slash'), grantsNothing: true },
      { label: t('Add…'), iconPath: new vscode.ThemeIcon('add'), adds: true },
    ],
  });
  return typeof chosen === 'object' && 'adds' in chosen;
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

interface ListedRow extends PickLook {
  readonly listed: ListedServer;
}

/** Lets the user find a server in a registry, and reads its entry as one that was pasted. */
async function askRegistry(
  frame: StepFrame,
  registry: McpRegistry,
  onSearch: AddingDeps['onSearch'],
): Promise<Snippet | undefined> {
  const { t } = vscode.l10n;
  const toRows = (
    typed: string,
    { servers, leftOut, more }: RegistryPage,
  ): FoundRows<ListedRow> => {
    onSearch({ url: registry.address, servers });
    const none = t('No server whose name contains “{0}”', plainLabel(typed, 60));
    const unread = leftOut > 0 ? t('left out, as they cannot be read: {0}', leftOut) : '';
    const all = [servers.length === 0 && !more ? none : '', unread].filter(Boolean);
    return {
      rows: servers.map(rowOfListed),
      prompt: all.join(' · ') || t('Names and descriptions are the publishers’ own.'),
      ...(more && { more: async (signal) => toRows(typed, await more(signal)) }),
    };
  };
  const picked = await searchRows({
    frame,
    placeholder: t('Part of a server’s name, such as “filesystem”'),
    prompt: t('What you type is sent to {0}, nothing else is.', registry.label),
    search: async (typed, signal) => toRows(typed, await registry.find(typed, signal)),
  });
  if (!picked) return undefined;
  const { entry, name, version } = picked.listed;
  const text = JSON.stringify(entry);
  if (text.length > longestRead)
    throw new UserError(t('The entry of “{0}” is too long to be read.', plainLabel(name)));
  const read = readText(text);
  const noted = (found: ImportedServer): ImportedServer =>
    version === ''
      ? found
      : { ...found, server: { ...found.server, registry: originOf(registry, picked.listed) } };
  if (read.servers.length > 0 || read.problem !== undefined)
    return { ...read, servers: read.servers.map(noted) };
  throw new UserError(
    t('"{0}" lists no packages and no remotes, so there is nothing to start.', plainLabel(name)),
  );
}

function rowOfListed(listed: ListedServer): ListedRow {
  const { t } = vscode.l10n;
  const { name, title, description, version, kinds, updated, status, statusMessage } = listed;
  const deprecated = statusMessage === '' ? t('deprecated') : t('deprecated: {0}', statusMessage);
  const details = [status === 'deprecated' ? deprecated : '', title, description];
  const dated = updated === '' ? '' : t('updated on {0}', updated);
  return {
    label: name,
    description: [version, listText(kinds, t), dated].filter(Boolean).join(' · '),
    detail: details.filter(Boolean).join(' · '),
    listed,
  };
}

async function pickBundle({ wanted }: QuestionContext): Promise<Snippet | undefined> {
  const file =
    wanted &&
    (await askFile(wanted, {
      title: vscode.l10n.t('Add Server'),
      openLabel: vscode.l10n.t('Add Server'),
      filters: { [vscode.l10n.t('MCP bundles')]: ['mcpb', 'dxt'] },
    }));
  return file && { servers: [], bundle: file.toString() };
}

async function askWhat(
  frame: StepFrame & { readonly context: QuestionContext },
  onSearch: AddingDeps['onSearch'],
): Promise<Snippet | undefined> {
  const ways: Way[] = [
    {
      label: vscode.l10n.t('From the Clipboard'),
      iconPath: new vscode.ThemeIcon('clippy'),
      description: vscode.l10n.t('an install link, server.json or part of a README'),
      // The clipboard may hold anything, even a password, so it is read only once this is chosen.
      ask: async () => {
        const text = await frame.context.setAside(readClipboard);
        return text === undefined ? undefined : readText(await withJsonTables(beginningOf(text)));
      },
    },
    {
      label: vscode.l10n.t('Command…'),
      iconPath: new vscode.ThemeIcon('terminal'),
      description: vscode.l10n.t('a program on this machine'),
      ask: () =>
        askText(frame, vscode.l10n.t('Server command line'), 'node server.js', readSnippet),
    },
    {
      label: vscode.l10n.t('URL…'),
      iconPath: new vscode.ThemeIcon('globe'),
      description: vscode.l10n.t('a server reached over HTTP'),
      ask: () =>
        askText(frame, vscode.l10n.t('Server URL'), 'https://example.com/mcp', readServerUrl),
    },
    {
      label: vscode.l10n.t('npm Package…'),
      iconPath: new vscode.ThemeIcon('package'),
      description: vscode.l10n.t('run by npx'),
      ask: () => askText(frame, vscode.l10n.t('Package name'), '@scope/name@1.0.0', readPackage),
    },
    {
      label: vscode.l10n.t('MCP Bundle…'),
      iconPath: new vscode.ThemeIcon('file-zip'),
      description: vscode.l10n.t('a .mcpb file on this machine'),
      ask: () => frame.context.setAside(() => pickBundle(frame.context)),
    },
  ];
  const address = registryAddress();
  if (address !== '')
    // Enter in the empty box still takes what is on this machine.
    ways.splice(1, 0, {
      label: vscode.l10n.t('Search the MCP Registry…'),
      iconPath: new vscode.ThemeIcon('search'),
      description: vscode.l10n.t('what you type is sent to {0}', addressLabel(hostOf(address))),
      ask: () => askRegistry(frame, new McpRegistry(address), onSearch),
    });
  const placeholder = vscode.l10n.t(
    'Select a way, or paste an install link, JSON, a URL or a command line',
  );
  const way = await askRow({ frame, placeholder, items: ways, typed: wayOfTyped });
  return way?.ask();
}

/** The row for text typed or pasted instead of choosing a way, or what to say if it contains no server. */
function wayOfTyped(text: string): { readonly row?: Way; readonly prompt?: string } {
  const { t } = vscode.l10n;
  const read = readText(text);
  const { servers, bundle, problem } = read;
  if (servers.length === 0 && bundle === undefined) {
    const what = t(
      'What you typed is no server by itself. Paste an install link, JSON with "mcpServers" or "servers", a URL or a command line.',
    );
    // The input box joins pasted lines, so TOML cannot be read here.
    const toml = t('Copy the lines of TOML and select "{0}".', t('From the Clipboard'));
    return { prompt: problem ?? (mentionsTables(text) ? toml : what) };
  }
  const [first, ...others] = servers;
  const row = {
    label: t('Add What You Typed'),
    iconPath: new vscode.ThemeIcon('add'),
    ...(first
      ? { description: listText([...new Set(servers.map(({ name }) => name))], t) }
      : { description: t('a .mcpb file on this machine') }),
    ...(first && others.length === 0 && { detail: lineOf(first) }),
    ask: () => Promise.resolve(read),
  };
  return { row };
}

function readText(text: string): Snippet {
  return readCopied(beginningOf(text), vscode.l10n.t);
}

function beginningOf(text: string): string {
  return text.slice(0, longestRead);
}

/** Asks which of the packages and URLs of one server to use. */
async function askWay(
  frame: StepFrame,
  servers: readonly ImportedServer[],
): Promise<readonly ImportedServer[] | undefined> {
  const items = servers.map((server) => ({ label: lineOf(server), server }));
  const picked = await askRow({ frame, items });
  return picked && [picked.server];
}

async function askText(
  frame: StepFrame,
  prompt: string,
  example: string,
  read: (text: string, t: Translate) => Snippet,
): Promise<Snippet | undefined> {
  const text = await askLine({
    frame,
    prompt,
    placeholder: example,
    validate: (typed) => {
      const { servers, problem, bundle } = read(typed, vscode.l10n.t);
      return servers.length > 0 || bundle !== undefined
        ? undefined
        : (problem ?? vscode.l10n.t('For example: {0}', example));
    },
  });
  return text === undefined ? undefined : read(text, vscode.l10n.t);
}

async function askName(
  frame: StepFrame,
  found: ImportedServer,
): Promise<readonly ImportedServer[] | undefined> {
  const name = await askLine({
    frame,
    prompt: vscode.l10n.t('Name for this server: {0}', lineOf(found, { maxLength: 200 })),
    value: found.name,
    validate: (text) => (text.trim() ? undefined : vscode.l10n.t('A server needs a name.')),
  });
  return name === undefined ? undefined : [{ ...found, name: name.trim() }];
}

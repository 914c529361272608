import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { listText, namesText } from '../../base/translate';
import { openFile } from '../../ui/keyboard';
import type { QuestionContext, UserAction } from '../../ui/questions/question';
import { Command } from '../../ui/ids';
import { nextStep, takeStep, type NextStep } from '../../ui/rows/nextSteps';
import { checkRows, askRow } from '../../ui/steps/pickRows';
import type { Platform } from '../../mcp/platform';
import { lineOf } from './addServers';
import type { ServerConfig } from '../../mcp/serverConfig';
import { saysOff } from '../mergeLayers';
import type { ImportedServer } from './importedServer';
import { sortImports, type SortedImports } from './text/sameLaunch';
import { filesOf, type Application, type Machine } from '../applications/application';
import { applications } from '../applications/applications';
import { thisDisk } from '../applications/machine';
import { findPlugins } from '../applications/plugins/findPlugins';
import type { PickLook } from '../../ui/rows/picks';

interface FoundFile {
  readonly source: Pick<Application, 'label'>;
  readonly path: string;
  /** What tells the file from others of its application. */
  readonly note?: string;
  readonly servers: readonly ImportedServer[];
  /** What cannot be used, and the file that contains it. */
  readonly problem?: { readonly said: string; readonly file: string };
  /** False if the file itself could not be read. */
  readonly isRead: boolean;
}

interface Item extends PickLook, Partial<Pick<NextStep, 'next'>> {
  readonly found?: ImportedServer;
  /** The file that the row opens. */
  readonly file?: string;
}

/**
 * Shows the servers of all other applications on the machine and returns those that were checked, or a function that
 * takes the next step if there are none.
 */
export async function askImports(
  machine: Machine,
  privateFiles: Platform['files'],
  context: QuestionContext,
  configured: readonly ServerConfig[],
): Promise<readonly ImportedServer[] | (() => Promise<void>)> {
  const files = await Promise.all(applications.map((source) => readFiles(source, machine)));
  const found = [...files.flat(), ...(await readPlugins(machine, privateFiles))];
  const missing = applications
    .filter((source) => found.every((file) => file.source !== source))
    .map(({ label }) => label);
  const all = found.flatMap((file) =>
    file.servers.map((server) => ({ found: server, place: file })),
  );
  const { fresh, known } = sortImports(all, configured);
  const items = found.flatMap((file) =>
    itemsOf(
      file,
      fresh.filter(({ places }) => places[0] === file),
    ),
  );
  const { t } = vscode.l10n;
  const shown = {
    frame: { title: t('Find My Servers'), actions: [], context },
    prompt: [
      ...(known.length > 0 ? [t('Configured already: {0}', namesText(known, t))] : []),
      ...(missing.length > 0 ? [t('No servers found for: {0}', listText(missing, t))] : []),
    ].join(' · '),
  };
  if (fresh.length === 0) {
    // Where each application stands, the prompt and the rows say already.
    const step = nextStep(t('Add Server…'), 'add', Command.addServer, '');
    const { next, file } = (await askRow<Item>({ ...shown, items: [step, ...items] })) ?? {};
    if (file !== undefined) return () => openFiles([file], context.wanted);
    return next === undefined ? [] : async () => void (await takeStep(next));
  }
  const placeholder = t('Select servers to import');
  const buttons = [{ iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: t('Open File') }];
  const rows = items.map((item) => (item.file === undefined ? item : { ...item, buttons }));
  const pressed = ({ file }: Item) => openFiles(file === undefined ? [] : [file]);
  const picked = (await checkRows<Item>({ ...shown, items: rows, placeholder, pressed })) ?? [];
  const servers = picked.flatMap((item) => item.found ?? []);
  const broken = picked.flatMap((item) => item.file ?? []);
  if (servers.length === 0) return () => openFiles(broken, context.wanted);
  // The next question is about the servers and needs the keyboard focus.
  await openFiles(broken);
  return servers;
}

async function openFiles(paths: readonly string[], permit?: UserAction): Promise<void> {
  const options = { preview: false, editor: 'default' };
  for (const path of paths) await openFile(vscode.Uri.file(path), permit, options);
}

/** The file as a list, which is empty if it has neither servers nor problems. */
function foundFile(
  file: Omit<FoundFile, 'problem'>,
  problems: readonly string[],
  at = file.path,
): FoundFile[] {
  const said = [...new Set(problems)].join(' ');
  if (said !== '') return [{ ...file, problem: { said, file: at } }];
  return file.servers.length > 0 ? [file] : [];
}

async function readFiles(source: Application, machine: Machine): Promise<FoundFile[]> {
  const files = await Promise.all(
    (await filesOf(source, machine, thisDisk)).map(async ({ path, note }): Promise<FoundFile[]> => {
      const { t } = vscode.l10n;
      const named = note === undefined ? {} : { note };
      const problems: string[] = [];
      try {
        const text = await thisDisk.text(path);
        // Most users have only a few of these applications.
        if (text === undefined) return [];
        const servers = await source.read(text, (problem) => problems.push(problem(t)));
        return foundFile({ source, path, ...named, servers, isRead: true }, problems);
      } catch (error) {
        const file = { source, path, ...named, servers: [], isRead: false };
        return foundFile(file, [errorMessage(error, t)]);
      }
    }),
  );
  return files.flat();
}

/** Reads the agent plugins that have servers; a server that uses its plugin's data folder gets it on import. */
async function readPlugins(machine: Machine, files: Platform['files']): Promise<FoundFile[]> {
  const source = { label: vscode.l10n.t('Agent plugins') };
  const plugins = await findPlugins(
    machine,
    {
      ...thisDisk,
      escapes: async (root, segments) =>
        (await files.findEscape(vscode.Uri.file(root), segments)) !== undefined,
    },
    vscode.l10n.t,
  );
  return plugins.flatMap(({ root, data, servers: all, problems, isRead, file }) => {
    const servers = all.map((one) =>
      JSON.stringify(one.server).includes(data) ? { ...one, unpack: makeFolder(data, files) } : one,
    );
    return foundFile({ source, path: root, servers, isRead }, problems, file);
  });
}

function makeFolder(path: string, files: Platform['files']): NonNullable<ImportedServer['unpack']> {
  return async () => {
    await files.makeFolder(vscode.Uri.file(path));
    // The folder may have existed before, so it is not removed.
    return () => Promise.resolve();
  };
}

/** Returns the rows for a file; a launch that several files have is shown under the first of them. */
function itemsOf(
  { source, path, note, isRead, problem }: FoundFile,
  fresh: SortedImports<FoundFile>['fresh'],
): Item[] {
  const heading = { label: source.label, kind: vscode.QuickPickItemKind.Separator };
  const broken =
    problem === undefined
      ? []
      : [
          {
            label: isRead
              ? vscode.l10n.t('Part of it cannot be used')
              : vscode.l10n.t('The file cannot be read'),
            iconPath: new vscode.ThemeIcon('warning'),
            description: plainLabel(problem.file),
            detail: [
              plainLabel(problem.said),
              vscode.l10n.t('Choose this row to open the file'),
            ].join(' · '),
            file: problem.file,
          },
        ];
  if (broken.length + fresh.length === 0) return [];
  return [
    heading,
    ...broken,
    ...fresh.map(({ found, places }) => ({
      label: plainLabel(found.name),
      description: [
        ...(saysOff(found.server) ? [vscode.l10n.t('disabled')] : []),
        ...[
          ...(note === undefined ? [] : [note]),
          path,
          ...places.slice(1).map((other) => other.source.label),
        ].map((one) => plainLabel(one)),
      ].join(' · '),
      detail: lineOf(found),
      found,
    })),
  ];
}

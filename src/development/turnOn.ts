import * as vscode from 'vscode';
import { asRecord } from '../base/json';
import { plainLabel } from '../base/text/text';
import { isGlob } from '../config/development';
import type { LocatedDefinition } from '../config/mergeLayers';
import { writeEntry } from '../config/places/writeEntry';
import { kindOf } from '../mcp/launch/launchKinds';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { askOwn } from '../ui/questions/askOwn';
import type { Asker } from '../config/chooseConfigured';
import type { PickLook } from '../ui/rows/picks';
import { askLine } from '../ui/steps/askLine';
import { pickRow } from '../ui/steps/pickRows';
import { baseOf } from './developedServer';

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

/** Asks which files restart a server when they change, and writes that into its entry. */
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
      const row = await pickRow({ frame, prompt, items });
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
  if (glob !== undefined) await writeWatch(server, glob, writer);
}

/** Removes the globs and the debugger from a server's entry. */
export async function turnOff(server: LocatedDefinition, writer: WorkspaceWriter): Promise<void> {
  await writeWatch(server, undefined, writer);
}

function proposalsFor({ definition }: LocatedDefinition): readonly string[] {
  const { config } = definition;
  return proposeGlobs(kindOf(config).line(config), baseOf(definition)?.fsPath);
}

async function writeWatch(
  server: LocatedDefinition,
  watch: string | undefined,
  writer: WorkspaceWriter,
): Promise<void> {
  const { reading, definition } = server;
  const entry = reading.entries.find(({ name }) => name === definition.name);
  const { watch: _before, debug, ...others } = asRecord(asRecord(entry?.value)['dev']);
  const dev =
    watch === undefined ? others : { ...others, watch, ...(debug !== undefined && { debug }) };
  const isEmpty = Object.keys(dev).length === 0;
  await writeEntry(reading, definition.name, 'dev', isEmpty ? undefined : dev, writer);
}

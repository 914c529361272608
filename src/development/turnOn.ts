import * as vscode from 'vscode';
import { asRecord } from '../base/json';
import { plainLabel } from '../base/text/text';
import { isGlob } from '../config/development';
import type { LocatedDefinition } from '../config/mergeReadings';
import { writeEntry } from '../config/places/writeEntry';
import { kindOf } from '../mcp/launch/launchKinds';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { askOwn } from '../ui/questions/askOwn';
import type { Questions } from '../ui/questions/questions';
import type { PickLook } from '../ui/rows/picks';
import { askLine } from '../ui/steps/askLine';
import { pickRow } from '../ui/steps/pickRows';
import { baseOf } from './developedServer';
import { proposeGlobs } from './watch/proposeGlobs';

interface Row extends PickLook {
  readonly glob?: string;
}

/** Asks which files restart a server when they change, and writes that into its entry. */
export async function turnOn(
  server: LocatedDefinition,
  questions: Questions,
  writer: WorkspaceWriter,
): Promise<void> {
  const { t } = vscode.l10n;
  const { definition } = server;
  const title = t('Turn On Development Mode of {0}', plainLabel(definition.name));
  const glob = await askOwn(questions, { server: definition, what: title }, async (stage) => {
    const frame = { title, actions: [], stage };
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
  });
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

import * as vscode from 'vscode';
import { shownPath } from '../../base/uri/fileAddress';
import { UserError } from '../../base/errors';
import { asRecord, isRecord } from '../../base/json';
import { plainLabel } from '../../base/text/text';
import { ownEntry } from '../../mcp/launch/ownEntry';
import { withFileSandbox } from '../../mcp/launch/processKind';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import type { QuestionContext } from '../../ui/questions/question';
import { lineOf } from '../add/addServers';
import { AdmittedServers, launchesOf } from '../add/admission';
import { withInputs } from '../add/importedServer';
import { serversAt, takenInputs, writeServers, type AddTarget } from '../add/writeServers';
import { readJson, setInJson } from '../applications/jsonFile';
import type { InputValues } from '../inputs/inputValues';
import { workspaceAddress } from '../places/settingsSource';
import type { ConfigLayer } from '../configLayer';
import type { ServerSwitches } from '../switches/serverSwitches';
import { acceptChange, checkUnchanged, writeChange } from './acceptChange';
import { readTargetText } from './exportTarget';
import { listText } from '../../base/translate';

interface Deps {
  readonly input: DocumentInput;
  readonly writer: WorkspaceWriter;
  readonly values: InputValues;
  readonly switches: ServerSwitches;
}

/**
 * Moves a server from a file that others read, too, to the settings if the user agrees; returns what to tell the user,
 * or `undefined` otherwise. Rejects with a `UserError` if it cannot be moved.
 */
export async function moveToSettings(
  name: string,
  from: ConfigLayer & { readonly uri: string },
  { input, writer, values, switches }: Deps,
  context: QuestionContext,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const uri = vscode.Uri.parse(from.uri);
  const before = (await readTargetText(uri)) ?? '';
  await checkUnchanged({ uri, before });
  const file = readJson(before);
  const key = ['mcpServers', 'servers'].find((one) => isRecord(ownValue(file[one], name)));
  const shown = plainLabel(name, 40);
  if (key === undefined) throw new UserError(t('{0} is no longer in {1}.', shown, shownPath(uri)));
  const written = asRecord(withFileSandbox(ownValue(file[key], name), file['sandbox']));
  // Only files whose other readers count in milliseconds offer this.
  const server = ownEntry(written, 'ms').entry;
  const target = settingsFor(from);
  if (Object.hasOwn(serversAt(target), name))
    throw new UserError(
      t('{0} already has a server "{1}". Rename one of them.', target.label, shown),
    );
  const found = withInputs([{ name, server }], file['inputs']);
  const taken = await takenInputs(target, values);
  const { admitted, secrets } = AdmittedServers.admit(found, taken).withoutSecrets();
  const change = {
    uri,
    before,
    after: setInJson(before, [key, name], undefined),
    title: t('Move {0} to {1}', shown, target.label),
    yes: t('Move to Settings'),
    notes: [
      ...admitted.servers.map((one) => lineOf(one)),
      ...(secrets.length > 0
        ? [
            t(
              'Moved to secret storage: {0}',
              listText(
                secrets.map((one) => plainLabel(one.name, 40)),
                t,
              ),
            ),
          ]
        : []),
    ],
  };
  if (!(await acceptChange(change, input, context))) return undefined;
  await checkUnchanged(change);
  const kept: string[] = [];
  const launches = admitted.servers.flatMap(launchesOf);
  const keep = async (id: string, value: string) => {
    kept.push(id);
    await values.store(target, id, value, launches);
  };
  try {
    for (const secret of secrets) await keep(secret.inputId, secret.value);
    // Values that were already given for it need not be asked for again.
    for (const { ids } of admitted.servers)
      for (const config of launchesOf({ server }))
        for (const [was, id] of ids) {
          const value = await values.valueFor({ definition: { config }, layer: from }, was);
          if (value !== undefined) await keep(id, value);
        }
    await switches.follow(name, from, target);
    await writeServers(target, admitted, writer);
    if (!Object.hasOwn(serversAt(target), name))
      throw new UserError(t('{0} could not be written.', target.label));
  } catch (error) {
    await Promise.all(kept.map((id) => values.forget(target, id)));
    throw error;
  }
  await writeChange(change, writer);
  return t('Moved to {0}: {1}', target.label, shown);
}

function ownValue(servers: unknown, name: string): unknown {
  return Object.entries(asRecord(servers)).find(([one]) => one === name)?.[1];
}

/** The settings that match the scope of a file: the user's, the folder's or the workspace's. */
function settingsFor({ scope, folder }: ConfigLayer): AddTarget {
  const { t } = vscode.l10n;
  if (scope === 'user') return { scope, label: t('User Settings') };
  // If only one folder is open, its settings are the workspace's.
  return folder && vscode.workspace.workspaceFile
    ? { scope: 'folder', label: t('Folder Settings of {0}', folder.name), folder }
    : { scope: 'workspace', label: t('Workspace Settings'), ...workspaceAddress() };
}

import * as vscode from 'vscode';
import { freeName } from '../configLayer';
import { plainLabel } from '../../base/text/text';
import { listText, namesText, pairText } from '../../base/translate';
import { parseServerConfig } from '../../mcp/launch/launchKinds';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import { runCommand } from '../../ui/commands';
import { Command } from '../../ui/ids';
import type { QuestionContext } from '../../ui/questions/question';
import { checkRows, askRow } from '../../ui/steps/pickRows';
import { configuredNames, locatedServers, type Configuration } from '../configuration';
import { saysOff, type LocatedDefinition } from '../mergeLayers';
import type { ImportedServer } from './importedServer';
import { untilConfigured } from '../chooseConfigured';
import type { InputValues } from '../inputs/inputValues';
import { shortLine } from '../launch/launch';
import type { ServerSwitches } from '../switches/serverSwitches';
import { AdmittedServers, launchesOf, type AdmittedServer } from './admission';
import { isFromFolder } from './text/commandStart';
import { askAllPlaceholders, openValues, type OpenValue } from './text/placeholders';
import { amongLaunches } from './text/sameLaunch';
import {
  takenInputs,
  targetReach,
  writableTargets,
  writeServers,
  type AddTarget,
} from './writeServers';
import { showMessage } from '../../ui/messages';

const maxNames = 3;

/** Returns the line that shows a found server: what it would run, or why it cannot be launched. */
export function lineOf(
  { server }: ImportedServer,
  { maxLength }: { readonly maxLength: number } = { maxLength: 500 },
): string {
  const parsed = parseServerConfig(server, vscode.l10n.t);
  return 'config' in parsed ? shortLine(parsed.config, maxLength) : parsed.problem;
}

/**
 * Asks where to add servers and writes them there, with plain-text secrets moved to secret storage if the user agrees;
 * returns a function that reports the result and offers to start them, or `undefined` if a question was dismissed.
 */
export async function addServers(
  found: readonly ImportedServer[],
  {
    configuration,
    values,
    switches,
    writer,
    onAdded,
  }: {
    readonly configuration: Configuration;
    readonly values: Pick<InputValues, 'idsAt' | 'store' | 'forget'>;
    readonly switches: Pick<ServerSwitches, 'switchOn'>;
    readonly writer: WorkspaceWriter;
    /** Called with the id of the first server that was added, once it is configured. */
    readonly onAdded: (serverId: string) => void;
  },
  context: QuestionContext,
): Promise<(() => Promise<void>) | undefined> {
  await configuration.ready;
  const target = await askTarget(found, configuration, context);
  if (!target) return undefined;
  const fresh = found.filter((one) => !isThere(one, target, configuration));
  if (fresh.length === 0) return () => sayThere(found);
  const taken = await takenInputs(target, values);
  const open = openValues(fresh);
  const leftOut = open.length === 0 ? open : await askLeftOut(open, context);
  if (!leftOut) return undefined;
  const named = withFreeNames(askAllPlaceholders(fresh, taken, leftOut), configuration);
  const written = AdmittedServers.admit(named, taken);
  const { admitted: cleaned, secrets } = written.withoutSecrets();
  const move = secrets.length > 0 && (await askMove(secretNames(cleaned, secrets), context));
  if (move === undefined) return undefined;
  const admitted = move ? cleaned : written;
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const { unpack } of fresh) if (unpack) undo.push(await unpack(target));
    for (const { inputId, value, server } of move ? secrets : []) {
      undo.push(() => values.forget(target, inputId));
      await values.store(target, inputId, value, launchesOf(server));
    }
    // A server of this name may have been switched off here before it was removed.
    for (const { name } of admitted.servers)
      await switches.switchOn({ definition: { name }, layer: target });
    await writeServers(target, admitted, writer);
  } catch (error) {
    await Promise.all(undo.map((takeAway) => takeAway()));
    throw error;
  }
  return () => offerStart(admitted.servers, configuration, onAdded);
}

async function askTarget(
  found: readonly ImportedServer[],
  configuration: Configuration,
  context: QuestionContext,
): Promise<AddTarget | undefined> {
  const targets = writableTargets();
  // What is written from a folder runs nowhere else.
  if (found.some(({ server }) => isFromFolder({ ...server })))
    targets.sort((one, other) => Number(other.scope === 'folder') - Number(one.scope === 'folder'));
  const items = targets.map((target) => ({
    label: plainLabel(target.label),
    description: otherNames(found, target, configuration),
    detail: targetReach(target),
    target,
  }));
  const [only] = items;
  if (items.length === 1) return only?.target;
  const names = namesOf(found);
  const title =
    found.length === 1
      ? vscode.l10n.t('Where should "{0}" be saved?', names)
      : vscode.l10n.t('Where should {0} be saved?', names);
  const picked = await askRow({
    frame: { title, actions: [], context },
    placeholder:
      found.length > 1
        ? namesText(
            found.map(({ name }) => name),
            vscode.l10n.t,
          )
        : found.map((one) => lineOf(one)).join(''),
    items,
  });
  return picked?.target;
}

/** Asks which of the values that are left to the reader the servers need; resolves to the others. */
async function askLeftOut(
  open: readonly OpenValue[],
  context: QuestionContext,
): Promise<readonly OpenValue[] | undefined> {
  const { t } = vscode.l10n;
  const servers = new Set(open.map(({ found }) => found));
  const items = open.map((value) => ({
    label: plainLabel(
      servers.size > 1 ? pairText(value.found.name, value.name, t) : value.name,
      100,
    ),
    description: plainLabel(value.text, 100),
    picked: true,
    value,
  }));
  const names = namesOf([...servers]);
  const needed = await checkRows({
    frame: {
      title:
        servers.size === 1
          ? t('Which values does "{0}" need?', names)
          : t('Which values do {0} need?', names),
      actions: [],
      context,
    },
    prompt: t('They are asked for at the first start. Uncheck what is optional, to leave it out.'),
    items,
  });
  return needed && open.filter((value) => !needed.some((item) => item.value === value));
}

/** The name of each secret, after the name of its server if there are several servers. */
function secretNames(
  { servers }: AdmittedServers,
  secrets: ReturnType<AdmittedServers['withoutSecrets']>['secrets'],
): readonly string[] {
  return secrets.map(({ name, server }) =>
    servers.length > 1 ? pairText(server.name, name, vscode.l10n.t) : name,
  );
}

async function askMove(
  names: readonly string[],
  context: QuestionContext,
): Promise<boolean | undefined> {
  const title = vscode.l10n.t(
    'These values look like secrets: {0}',
    listText(
      names.map((n) => plainLabel(n)),
      vscode.l10n.t,
    ),
  );
  const picked = await askRow({
    frame: { title, actions: [], context },
    items: [
      {
        label: vscode.l10n.t('Move to Secret Storage'),
        description: vscode.l10n.t('replaced by an input'),
        move: true,
      },
      {
        label: vscode.l10n.t('Keep in the File'),
        description: vscode.l10n.t('anyone who can read the file sees it'),
        move: false,
      },
    ],
  });
  return picked?.move;
}

/** Says under which names servers would be saved in a place, as far as those are not their own. */
function otherNames(
  found: readonly ImportedServer[],
  target: AddTarget,
  configuration: Configuration,
): string {
  const fresh = found.filter((one) => !isThere(one, target, configuration));
  if (fresh.length === 0) return vscode.l10n.t('is there already');
  const others = withFreeNames(fresh, configuration).filter(
    ({ name }, index) => name !== fresh[index]?.name,
  );
  return others.length === 0
    ? ''
    : vscode.l10n.t('as {0}, since the name is taken', namesOf(others));
}

/** True if the target already contains the server. */
function isThere(found: ImportedServer, target: AddTarget, { current }: Configuration): boolean {
  const configs = locatedServers(current).flatMap(({ definition: { name, config }, layer }) =>
    name === found.name && isAt(target, layer) ? [config] : [],
  );
  return amongLaunches(configs)(found);
}

function isAt({ scope, uri }: AddTarget, layer: Pick<AddTarget, 'scope' | 'uri'>): boolean {
  return layer.scope === scope && layer.uri === uri;
}

async function sayThere(found: readonly ImportedServer[]): Promise<void> {
  await showMessage('info', vscode.l10n.t('Configured already: {0}', namesOf(found)));
}

function withFreeNames(
  found: readonly ImportedServer[],
  { current }: Configuration,
): ImportedServer[] {
  const taken = new Set(configuredNames(current));
  return found.map((one) => {
    const name = freeName(one.name, (other) => taken.has(other));
    taken.add(name);
    return { ...one, name };
  });
}

async function offerStart(
  added: readonly AdmittedServer[],
  configuration: Configuration,
  onAdded: (serverId: string) => void,
): Promise<void> {
  const start = vscode.l10n.t('Start');
  const names = namesOf(added);
  const startable = added
    .filter(({ server }) => !saysOff(server))
    .map(({ name }) => {
      const isIt = ({ definition }: LocatedDefinition) => definition.name === name;
      return { name, written: untilConfigured(configuration, name, isIt) };
    });
  void startable[0]?.written.startedAs().then(
    (id) => id !== undefined && onAdded(id),
    // Whoever starts it is told.
    () => {},
  );
  const choice = await showMessage(
    'info',
    vscode.l10n.t('Added: {0}', names),
    ...(startable.length > 0 ? [start] : []),
  );
  if (!choice) return;
  const ids = await Promise.allSettled(
    startable.map(async ({ name, written }) => (await written.startedAs()) ?? name),
  );
  const there = ids.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (there.length > 0) await runCommand(choice.action, Command.startServer, [...new Set(there)]);
  for (const one of ids) if (one.status === 'rejected') throw one.reason;
}

/** The names of the servers, or how many there are if that is more than {@link maxNames}. */
function namesOf(servers: readonly Pick<ImportedServer, 'name'>[]): string {
  return servers.length > maxNames
    ? vscode.l10n.t('{0} servers', servers.length)
    : namesText(
        servers.map(({ name }) => name),
        vscode.l10n.t,
      );
}

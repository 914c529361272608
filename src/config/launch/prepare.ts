import * as vscode from 'vscode';
import { CancelledError, errorMessage } from '../../base/errors';
import type {
  LaunchPreparer,
  Prepared,
  PreparedLaunch,
  WhileAsking,
} from '../../mcp/connection/connectionDeps';
import { fingerprint } from '../../base/bytes';
import { canonicalJson } from '../../base/json';
import { kindOf } from '../../mcp/launch/launchKinds';
import type { Platform } from '../../mcp/platform';
import type { ServerConfig, ServerDefinition } from '../../mcp/serverConfig';
import type { Readiness, StartRefusal } from '../../mcp/serverState';
import type { Logs } from '../../ui/logs';
import type { Configuration } from '../configuration';
import { sourceKey } from '../configLayer';
import type { LocatedDefinition } from '../mergeLayers';
import type { Trust } from '../trust/trust';
import { administratorText, readAdministrator } from '../switches/administrator';
import type { Inputs } from '../inputs/inputs';
import type { InputValues } from '../inputs/inputValues';
import { launchIdentity, launchSecrets } from './launch';
import { UntrustedWorkspaceError, type LaunchSurroundings } from './launchSurroundings';
import { type ResolvedLaunch, resolveLaunch } from './resolveLaunch';
import type { StartPolicy } from './startPolicy';
import type { AdmittedLaunch } from './workspaceParts';

/** Resolves to what may be started, or to why nothing may. */
type Prepare = (
  ...given: Parameters<LaunchPreparer['prepare']>
) => Promise<StartRefusal | (PreparedLaunch & { readonly config: AdmittedLaunch })>;

/** What happens before each start of a server. */
export interface Launches extends Required<LaunchPreparer> {
  /** Fills in variables, makes paths absolute, and lets the result run only if it is trusted and may start now. */
  readonly prepare: Prepare;
  /** Does the same for a server that the user wants not to start now. */
  readonly prepareAnyway: Prepare;
  /** Does so for a server that another client starts: the result is the configuration to give to that client. */
  readonly handOver: (definition: ServerDefinition, signal: AbortSignal) => Promise<Prepared>;
  /** Tells what stands between a server and its start. */
  readonly readiness: (id: string) => Promise<Readiness>;
}

interface LaunchesDeps {
  readonly configuration: Configuration;
  readonly inputs: Pick<Inputs, 'read'>;
  readonly values: Pick<InputValues, 'known'>;
  readonly trust: Trust;
  readonly policy: Pick<StartPolicy, 'refusal'>;
  readonly logs: Logs;
  readonly platform: Pick<Platform, 'programs'>;
  readonly surroundings: () => LaunchSurroundings;
}

/** Makes the {@link Launches} of the configured servers. */
export function createLaunches(deps: LaunchesDeps): Launches {
  const { configuration, trust, platform, surroundings } = deps;
  const prepareFor =
    (isDebugged: boolean): Prepare =>
    async ({ id }, signal, whileAsking) => {
      const server = configuration.get(id);
      if (!server) return { refused: vscode.l10n.t('It is no longer configured.') };
      const refusal = refusalHere(server, deps);
      if (refusal) return refusal;
      try {
        return await prepareTrusted(server, { ...deps, isDebugged }, signal, whileAsking);
      } catch (error) {
        if (error instanceof UntrustedWorkspaceError)
          return { refused: errorMessage(error, vscode.l10n.t), why: 'restricted' };
        // A question that went with its start was not answered by the user.
        if (error instanceof CancelledError && !signal.aborted)
          return {
            refused: vscode.l10n.t('It needs a value that was not entered.'),
            why: 'unanswered',
            byUser: true,
          };
        throw error;
      }
    };
  return {
    prepare: async (definition, signal, whileAsking) =>
      deps.policy.refusal(definition) ?? prepareFor(true)(definition, signal, whileAsking),
    prepareAnyway: prepareFor(false),
    async handOver(definition, signal) {
      const prepared = await prepareFor(false)(definition, signal, (answer) => answer);
      if ('refused' in prepared) return prepared;
      const { config } = prepared;
      return { config: await kindOf(config).handOver(config, platform.programs, vscode.l10n.t) };
    },
    async launchFingerprint({ id, config }) {
      const server = configuration.get(id);
      try {
        // One that was replaced shares no decision with what is configured in its place.
        const isSame = canonicalJson(server?.definition.config) === canonicalJson(config);
        if (server && isSame && trust.refusal(server) === undefined)
          return await boundFingerprint(await resolveLaunch(server, surroundings()));
      } catch {
        // What cannot be launched must share no decision with what can, nor with what cannot elsewhere.
      }
      return fingerprint({ unresolved: id, config, place: server && sourceKey(server.layer) });
    },
    async readiness(id) {
      const server = configuration.get(id);
      try {
        if (server) return await readinessOf(server, deps);
      } catch (error) {
        if (error instanceof UntrustedWorkspaceError) return 'restricted';
      }
      return 'broken';
    },
  };
}

/** Says why the server cannot start in this window, whatever the user decides about its launch. */
function refusalHere(
  server: LocatedDefinition,
  { trust, surroundings }: Pick<LaunchesDeps, 'trust' | 'surroundings'>,
): (StartRefusal & { readonly why: 'needsProcess' | 'restricted' }) | undefined {
  if (kindOf(server.definition.config).isProcess && !surroundings().programs)
    return {
      refused: vscode.l10n.t('It runs as a process, and this window cannot start any.'),
      why: 'needsProcess',
    };
  const foreign = trust.refusal(server);
  return foreign === undefined ? undefined : { refused: foreign, why: 'restricted' };
}

async function readinessOf(server: LocatedDefinition, deps: LaunchesDeps): Promise<Readiness> {
  const { values, trust, surroundings } = deps;
  const refusal = refusalHere(server, deps);
  if (refusal) return refusal.why;
  let resolved = await resolveLaunch(server, surroundings());
  let status = await trust.statusOf(server, resolved.launch);
  if (status !== 'trusted') return status;
  const known = new Map<string, string>();
  let isComplete = true;
  await resolved.fill(async (input) => {
    const value = await values.known(server.layer, input);
    if (value === undefined) isComplete = false;
    else known.set(input, value);
    return value ?? '';
  });
  if (!isComplete) return 'needsValue';
  const given = new Map<string, string>();
  while (status === 'trusted' && resolved.decisiveInputs.length > 0) {
    for (const input of resolved.decisiveInputs) given.set(input, known.get(input) ?? '');
    resolved = await resolveLaunch(server, surroundings(), given);
    status = await trust.statusOf(server, resolved.launch);
  }
  return status === 'trusted' ? 'ready' : status;
}

async function prepareTrusted(
  server: LocatedDefinition,
  deps: LaunchesDeps & { readonly isDebugged: boolean },
  signal: AbortSignal,
  whileAsking: WhileAsking,
): ReturnType<Prepare> {
  const { inputs, trust, logs } = deps;
  const { definition } = server;
  const read = (input: string, until: AbortSignal) =>
    inputs.read({ ...server, launched: resolved.launch.config }, input, until, whileAsking);
  const surroundings = deps.surroundings();
  let resolved = await resolveLaunch(server, surroundings);
  // The values of its variables may be what a rule forbids.
  const ruleOf = readAdministrator();
  const forbidden = (config: ServerConfig): StartRefusal | undefined => {
    const rule = ruleOf({ name: definition.name, config, isResolved: true });
    return rule === undefined ? undefined : { refused: administratorText(rule), why: 'forbidden' };
  };
  const check = () => {
    const { config } = resolved.launch;
    // Nothing is asked about a port for a debugger that cannot be attached.
    if (deps.isDebugged) kindOf(config).debugging(config)?.check(vscode.l10n.t);
    return trust.check(server, resolved.launch, signal, whileAsking);
  };
  let refusal = forbidden(resolved.launch.config) ?? (await check());
  const given = new Map<string, string>();
  while (refusal === undefined && resolved.decisiveInputs.length > 0) {
    // Only now is it known what would run, so the user is asked about that, too. If it is a shell, more inputs decide.
    for (const input of resolved.decisiveInputs) given.set(input, await read(input, signal));
    // Its files may have changed while inputs were asked for.
    resolved = await resolveLaunch(server, surroundings, given);
    refusal = await check();
  }
  if (refusal) return refusal;
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  // Where one value is not given, the others are needed no longer.
  const config = await resolved.fill((input) => read(input, either)).finally(() => over.abort());
  refusal = forbidden(config);
  if (refusal) return refusal;
  logs.hide(launchSecrets(config, definition.config, surroundings.env));
  return { config, launchFingerprint: await boundFingerprint(resolved) };
}

/** Decisions are bound to a launch as it is before inputs are filled in: they hold, too, while the server is stopped. */
function boundFingerprint({ bare }: Pick<ResolvedLaunch, 'bare'>): Promise<string> {
  return fingerprint(launchIdentity(bare));
}

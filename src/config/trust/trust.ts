import * as vscode from 'vscode';
import { SecretMask } from '../../base/secrets/secretMask';
import { fingerprint } from '../../mcp/fingerprint';
import { isDecisive } from '../launch/decisiveVariables';
import { launchIdentity, launchText, type Launch } from '../launch/launch';
import { lineSecrets } from '../launch/launchSecrets';
import type { ConfiguredServer } from '../mergeReadings';
import type { AskTrust } from './trustQuestion';
import type { TrustStore } from './trustStore';

/** Decides whether a launch configuration may run. */
export interface Trust {
  /** Why the server may not run however it is launched, if so. */
  refusal(server: ConfiguredServer): string | undefined;
  /** Asks the person unless the launch is trusted; says why it may not run, if so. */
  check(server: ConfiguredServer, launch: Launch, signal: AbortSignal): Promise<string | undefined>;
  /** True when {@link Trust.check} would not have to ask. */
  isTrusted(server: ConfiguredServer, launch: Launch): Promise<boolean>;
}

/** Makes the {@link Trust} over `store`; `trustAll` is for windows that develop or test the extension. */
export function createTrust(deps: {
  readonly store: TrustStore;
  readonly ask: AskTrust;
  readonly trustAll: () => boolean;
}): Trust {
  const { store, ask, trustAll } = deps;
  return {
    refusal: untrustedWorkspace,
    async check(server, launch, signal) {
      const foreign = untrustedWorkspace(server);
      if (foreign !== undefined || trustAll()) return foreign;
      const print = await fingerprint(launchIdentity(launch));
      if (await store.read(print)) return undefined;
      const { serverName, place } = launch;
      const before = (await store.readAll()).find(
        (decision) => decision.serverName === serverName && decision.place === place,
      );
      const text = storedText(launch);
      const trusted = await ask({ launch, server, text, before: before?.text }, signal);
      if (!trusted) return vscode.l10n.t('Its launch configuration was not trusted.');
      await store.add({ fingerprint: print, serverName, place, text, decidedAt: Date.now() });
      return undefined;
    },
    async isTrusted(server, launch) {
      if (untrustedWorkspace(server) !== undefined) return false;
      return (
        trustAll() || (await store.read(await fingerprint(launchIdentity(launch)))) !== undefined
      );
    },
  };
}

function untrustedWorkspace({ reading }: ConfiguredServer): string | undefined {
  if (vscode.workspace.isTrusted || reading.scope === 'user') return undefined;
  return vscode.l10n.t('It is configured by a workspace that is not trusted.');
}

/** The text to show the next difference with: a file, so that it holds no secret. */
function storedText(launch: Launch): string {
  const mask = new SecretMask();
  mask.hide(lineSecrets(launch.config, launch.written, process.env));
  return mask.apply(launchText({ ...launch, config: withoutSecrets(launch) }));
}

/** What variables of the environment stood for may be secret, so it is kept as it was written. */
function withoutSecrets({ config, written }: Launch): Launch['config'] {
  if (config.type === 'stdio' && written.type === 'stdio')
    return {
      ...config,
      command: mentions(written.command) ? written.command : config.command,
      args: config.args.map((arg, index) => {
        const original = written.args[index] ?? arg;
        return mentions(original) ? original : arg;
      }),
      env: asWritten(config.env, written.env),
    };
  if (config.type !== 'stdio' && written.type !== 'stdio')
    return {
      ...config,
      url: mentions(written.url) ? written.url : config.url,
      headers: asWritten(config.headers, written.headers),
    };
  return written;
}

function asWritten<T extends string | null>(
  values: Readonly<Record<string, T>>,
  written: Readonly<Record<string, T>>,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const original = Object.hasOwn(written, name) ? (written[name] ?? value) : value;
      const keeps = original !== null && mentions(original) && !isDecisive(name);
      return [name, keeps ? original : value];
    }),
  );
}

function mentions(text: string): boolean {
  return /\$\{(?!workspaceFolder|userHome|pathSeparator|\/)/.test(text);
}

import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { SecretMask } from '../../base/secretMask';
import { redactText } from '../../base/secrets';
import { fingerprint } from '../../base/bytes';
import type { Environment } from '../../mcp/platform';
import { isDecisive } from '../launch/decisiveVariables';
import type { KeepWritten } from '../launch/kinds/launchRules';
import { rulesOf } from '../launch/kinds/rulesOf';
import { launchIdentity, launchText, lineSecrets, type Launch } from '../launch/launch';
import { readInput } from '../inputs/askInput';
import type { InputValues } from '../inputs/inputValues';
import type { StartRefusal } from '../../mcp/serverState';
import type { LocatedDefinition } from '../mergeLayers';
import type { WhileAsking } from '../../mcp/connection/connectionDeps';
import type { StartPolicy } from '../launch/startPolicy';
import type { DeclinedLaunches } from './declinedLaunches';
import type { AskTrust } from './trustQuestion';
import type { TrustStore } from './trustStore';
import { asideText } from '../../base/translate';

/** What the user has decided about a launch; `untrusted` means nothing yet. */
export type TrustStatus = 'trusted' | 'declined' | 'untrusted';

/** Decides whether a launch configuration may run. */
export interface Trust {
  /** Says why the server may not run however it is launched, if so. */
  refusal(server: LocatedDefinition): string | undefined;
  /** Asks the user unless they have already decided; resolves to why the launch may not run, if so. */
  check(
    server: LocatedDefinition,
    launch: Launch,
    signal: AbortSignal,
    whileAsking: WhileAsking,
  ): Promise<StartRefusal | undefined>;
  /** Resolves to the decision that {@link Trust.check} would follow if {@link Trust.refusal} allows the server. */
  statusOf(server: LocatedDefinition, launch: Launch): Promise<TrustStatus>;
}

/** Makes the {@link Trust} that keeps decisions in `store`; `trustAll` is for windows that develop or test the extension. */
export function createTrust(deps: {
  readonly store: TrustStore;
  readonly values: Pick<InputValues, 'strangeTo' | 'allow'>;
  readonly env: Environment;
  readonly declined: DeclinedLaunches;
  /** What the user asked for by hand, so that an earlier refusal does not count. */
  readonly policy: Pick<StartPolicy, 'isWanted' | 'declined'>;
  readonly ask: AskTrust;
  readonly trustAll: () => boolean;
}): Trust {
  const { store, values, env, declined, policy, ask, trustAll } = deps;
  return {
    refusal: untrustedWorkspace,
    async check(server, launch, signal, whileAsking) {
      const user = { ...server, launched: launch.config };
      const foreign = untrustedWorkspace(server);
      if (foreign !== undefined) return { refused: foreign, why: 'restricted' };
      if (trustAll()) return undefined;
      const launched = await fingerprint(launchIdentity(launch));
      const isTrusted = (await store.read(launched)) !== undefined;
      const strange = await values.strangeTo(user, isTrusted);
      if (isTrusted && strange.length === 0) return undefined;
      const { serverName, place } = launch;
      const text = storedText(launch, env);
      const written = { serverName, place, text };
      const { id } = server.definition;
      if (declined.has(written) && !policy.isWanted(id))
        return {
          refused: vscode.l10n.t(
            'It is set not to start in this workspace. Start it to decide again.',
          ),
          why: 'declined',
        };
      const before = (await store.readAll()).find(
        (decision) => decision.serverName === serverName && decision.place === place,
      );
      const question = {
        launch: { ...launch, sends: strange.map((input) => nameOf(input, server)) },
        server,
        text,
        before: isTrusted ? undefined : before?.text,
      };
      const answer = await whileAsking(ask(question, signal));
      if (answer === 'start') {
        await declined.remove(written);
        await store.add({ fingerprint: launched, ...written, decidedAt: Date.now() });
        await values.allow(user, strange);
        return undefined;
      }
      if (answer !== 'withdrawn') {
        policy.declined(id);
        await declined.add(written, answer);
      }
      return {
        refused: vscode.l10n.t('Its launch configuration was not trusted.'),
        why: answer === 'withdrawn' ? 'unanswered' : 'declined',
        ...(answer !== 'withdrawn' && { byUser: true }),
      };
    },
    async statusOf(server, launch) {
      if (trustAll()) return 'trusted';
      const decision = await store.read(await fingerprint(launchIdentity(launch)));
      const user = { ...server, launched: launch.config };
      if (decision && (await values.strangeTo(user, true)).length === 0) return 'trusted';
      const { serverName, place } = launch;
      const written = { serverName, place, text: storedText(launch, env) };
      return declined.has(written) && !policy.isWanted(server.definition.id)
        ? 'declined'
        : 'untrusted';
    },
  };
}

function untrustedWorkspace({ layer }: LocatedDefinition): string | undefined {
  if (vscode.workspace.isTrusted || layer.scope === 'user') return undefined;
  return vscode.l10n.t('This workspace is not trusted.');
}

/** Returns what an input is called where it is defined, and its id, which it cannot choose to mislead. */
function nameOf(id: string, { layer }: LocatedDefinition): string {
  const found = readInput(layer.inputs, id);
  const description = 'input' in found ? (found.input.description?.trim() ?? '') : '';
  const called =
    description === '' || description === id ? id : asideText(description, id, vscode.l10n.t);
  return plainLabel(called, 100);
}

/** Returns the text that shows later differences; it is kept in a file, so it contains no secret. */
function storedText(launch: Launch, env: Environment): string {
  const mask = new SecretMask();
  const { config, written } = launch;
  mask.hide(lineSecrets(config, written, env));
  const shown = rulesOf(config).asWritten(config, written, keepMentions);
  const text = mask.apply(launchText({ ...launch, config: shown }));
  return text.split('\n').map(redactText).join('\n');
}

/** The values of environment variables and inputs may be secret, so what mentions them is kept as it was written. */
const keepMentions: KeepWritten = {
  text: (now, written = now) => (mentions(written) ? written : now),
  values: (now, written) =>
    Object.fromEntries(
      Object.entries(now).map(([name, value]) => {
        const original = Object.hasOwn(written, name) ? (written[name] ?? value) : value;
        const keeps =
          original !== null &&
          mentions(original) &&
          (!isDecisive(name) || original.includes('${input:'));
        return [name, keeps ? original : value];
      }),
    ),
};

function mentions(text: string): boolean {
  return /\$\{(?!workspaceFolder|userHome|pathSeparator|\/)/.test(text);
}

import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { readCallbackAddress, type SignInPage } from '../../mcp/auth/authorizationUi';
import type { Reach } from '../../mcp/auth/reach';
import type { AskingServer } from '../../mcp/protocol/clientRequests';
import type { Questions } from '../../ui/questions/questions';
import { askLine } from '../../ui/steps/askLine';
import { pickItem } from '../../ui/steps/pickItem';
import type { PickLook } from '../../ui/rows/picks';
import type { Stage } from '../../ui/questions/stage';

type Choice = 'open' | 'copy' | 'paste' | 'notNow';
type Item = PickLook & { readonly choice?: Choice };

/**
 * Shows where a server wants the user to sign in, and asks whether and how to go there; resolves to the answer itself if
 * the user brings the address on which the browser ended, and to `undefined` for not at all.
 */
export async function askVisit(
  server: AskingServer,
  page: SignInPage,
  questions: Questions,
  signal: AbortSignal,
): Promise<'open' | 'copy' | URLSearchParams | undefined> {
  const { t } = vscode.l10n;
  const title = t('{0} needs you to sign in', plainLabel(server.name));
  /** What was pasted and could not be used yet. */
  let held = '';
  const outcome = await questions.ask<'open' | 'copy' | 'notNow' | URLSearchParams>(
    {
      cause: { kind: 'signIn', server, what: t('sign in') },
      declined: 'notNow',
      ask: async (stage) => {
        for (;;) {
          const picked = await pickItem<Item>({
            frame: { title, actions: [], stage },
            prompt: t('The server sends you to this host. Sign in there only if you know it.'),
            placeholder: t('Enter opens nothing.'),
            items: itemsOf(page),
            isText: ({ choice }) => choice === undefined,
          });
          const choice = typeof picked === 'string' ? 'notNow' : (picked.choice ?? 'notNow');
          if (choice !== 'paste') return choice;
          const answer = await askAddress(title, page, stage, held, (text) => (held = text));
          if (answer) return answer;
        }
      },
    },
    signal,
  );
  const answer = outcome.kind === 'answered' ? outcome.answer : 'notNow';
  return answer === 'notNow' ? undefined : answer;
}

function itemsOf({ url, reach, wider, isUnlimited }: SignInPage): readonly Item[] {
  const { t } = vscode.l10n;
  const isEncrypted = url.protocol === 'https:';
  return [
    {
      label: plainLabel(url.host),
      description: isEncrypted ? placeOf(reach) : t('not encrypted, on this machine'),
      iconPath: new vscode.ThemeIcon('globe'),
    },
    ...(wider === undefined && isUnlimited === undefined
      ? []
      : [
          {
            label:
              wider === undefined
                ? t('May be valid for more than this server')
                : t('Valid for all of {0}', plainLabel(wider)),
            description:
              wider === undefined
                ? t('The server does not say what a sign-in to it is for.')
                : t('The server wants more than a sign-in to itself.'),
            iconPath: new vscode.ThemeIcon('warning'),
          },
        ]),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: t('Open in Browser'),
      iconPath: new vscode.ThemeIcon('link-external'),
      choice: 'open',
    },
    { label: t('Copy Address'), iconPath: new vscode.ThemeIcon('copy'), choice: 'copy' },
    {
      label: t('Paste the Address…'),
      description: t('if the browser ended on a page that it cannot reach'),
      iconPath: new vscode.ThemeIcon('clippy'),
      choice: 'paste',
    },
    {
      label: t('Not Now'),
      iconPath: new vscode.ThemeIcon('circle-slash'),
      choice: 'notNow',
      grantsNothing: true,
    },
  ];
}

function placeOf(reach: Reach | undefined): string {
  if (reach === 'machine') return vscode.l10n.t('on this machine');
  return reach === 'network' ? vscode.l10n.t('in a private network') : '';
}

/** Asks for the address on which the browser ended; `undefined` if the user dismissed the box. */
async function askAddress(
  title: string,
  { state }: SignInPage,
  stage: Stage,
  value: string,
  left: (text: string) => void,
): Promise<URLSearchParams | undefined> {
  const { t } = vscode.l10n;
  const text = await askLine({
    frame: { title, actions: [], stage },
    prompt: t(
      'Copy the whole address from the address bar of the page on which the browser ended.',
    ),
    placeholder: 'http://localhost…?code=…&state=…',
    value,
    left,
    validate: (typed) =>
      typed === '' || readCallbackAddress(typed, state)
        ? undefined
        : t('This is not the address on which this sign-in ends.'),
  });
  return text === undefined ? undefined : readCallbackAddress(text, state);
}

import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { AskingServer } from '../../mcp/protocol/clientRequests';
import type { Questions } from '../../ui/questions/questions';
import { pickItem } from '../../ui/steps/pickItem';
import type { PickLook } from '../../ui/rows/picks';

type Item = PickLook & { readonly choice?: 'open' | 'copy' | 'notNow' };

/** Shows where a server wants the user to sign in, and asks whether and how to go there; `undefined` for not at all. */
export async function askVisit(
  server: AskingServer,
  { host, protocol }: URL,
  questions: Questions,
  signal: AbortSignal,
): Promise<'open' | 'copy' | undefined> {
  const { t } = vscode.l10n;
  const items: Item[] = [
    {
      label: plainLabel(host),
      description: protocol === 'https:' ? '' : t('not encrypted, on this machine'),
      iconPath: new vscode.ThemeIcon('globe'),
    },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: t('Open in Browser'),
      iconPath: new vscode.ThemeIcon('link-external'),
      choice: 'open',
    },
    { label: t('Copy Address'), iconPath: new vscode.ThemeIcon('copy'), choice: 'copy' },
    { label: t('Not Now'), iconPath: new vscode.ThemeIcon('circle-slash'), choice: 'notNow' },
  ];
  const title = t('{0} needs you to sign in', plainLabel(server.name));
  const outcome = await questions.ask<Item | 'cancel'>(
    {
      cause: { kind: 'signIn', server, what: t('sign in'), asked: false },
      declined: 'cancel',
      ask: async (stage) => {
        const picked = await pickItem<Item>({
          frame: { title, actions: [], stage },
          prompt: t('The server sends you to this host. Sign in there only if you know it.'),
          placeholder: t('Enter opens nothing.'),
          items,
          isText: ({ choice }) => choice === undefined,
          active: ({ choice }) => choice === 'notNow',
        });
        return typeof picked === 'string' ? 'cancel' : picked;
      },
    },
    signal,
  );
  const picked = outcome.kind === 'answered' ? outcome.answer : 'cancel';
  return picked === 'cancel' || picked.choice === 'notNow' ? undefined : picked.choice;
}

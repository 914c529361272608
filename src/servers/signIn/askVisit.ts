import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { AskingServer } from '../../mcp/protocol/clientRequests';
import { pickItem } from '../../ui/steps/pickItem';

type Item = vscode.QuickPickItem & { readonly choice?: 'open' | 'copy' | 'notNow' };

/** Shows where a server has the person sign in; the person decides whether and how to go there. */
export async function askVisit(
  { name }: AskingServer,
  { host, protocol }: URL,
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
      label: t('Open in the Browser'),
      iconPath: new vscode.ThemeIcon('link-external'),
      choice: 'open',
    },
    { label: t('Copy the Address'), iconPath: new vscode.ThemeIcon('copy'), choice: 'copy' },
    { label: t('Not Now'), iconPath: new vscode.ThemeIcon('circle-slash'), choice: 'notNow' },
  ];
  const picked = await pickItem({
    frame: { title: t('{0} needs a sign-in', plainLabel(name)), actions: [], signal },
    prompt: t('The server sends you to this host. Sign in there only if you know it.'),
    items,
    isText: ({ choice }) => choice === undefined,
    // The question may come up while somebody types: Enter must not open a page.
    active: ({ choice }) => choice === 'notNow',
  });
  if (typeof picked === 'string' || picked.choice === 'notNow') return undefined;
  return picked.choice;
}

import * as vscode from 'vscode';
import { addressLabel, plainLabel } from '../../base/text/text';
import {
  type AskingServer,
  type ElicitRequest,
  type ElicitResult,
  RequestRefused,
} from '../../mcp/protocol/serverRequests';
import { ErrorCode } from '../../mcp/protocol/rpcError';
import { openAddress } from '../../ui/editorCommands';
import { pickItem } from '../../ui/steps/pickItem';
import type { StepFrame } from '../../ui/steps/stepFrame';
import { type PickLook, separator } from '../../ui/rows/picks';
import { siteRows, wholeRows } from '../../ui/rows/siteRows';
import { maxAddressLength, readWebAddress, type WebAddress } from '../../mcp/http/webAddress';
import { showMessage, tellBriefly } from '../../ui/messages';
import { copyAddresses } from '../../ui/clipboard';

type VisitItem = PickLook & { readonly choice?: 'open' | 'copy' | 'decline' };

/** Reads the address of a question; for one that is never opened, warns the user and throws a `RequestRefused`. */
export async function readAddress(
  server: AskingServer,
  { url }: ElicitRequest & { readonly mode: 'url' },
): Promise<WebAddress> {
  const address = await readWebAddress(url);
  if (address) return address;
  const { t } = vscode.l10n;
  const [name, shown] = [plainLabel(server.name, 60), addressLabel(url)];
  const isTooLong = url.length > maxAddressLength;
  void showMessage(
    'warning',
    isTooLong
      ? t(
          '"{0}" wanted to open an address that is too long, so it was not opened: {1}',
          name,
          shown,
        )
      : t(
          '"{0}" wanted to open an address that is not https, so it was not opened: {1}',
          name,
          shown,
        ),
  );
  throw new RequestRefused(
    isTooLong
      ? `The address is longer than ${maxAddressLength} characters.`
      : 'The address is not an https: URL.',
    ErrorCode.invalidParams,
  );
}

/** Shows the address that a server wants the user to visit, and opens it only if they say so. */
export async function elicitVisit(
  message: string,
  address: WebAddress,
  frame: StepFrame,
): Promise<ElicitResult['action']> {
  const { t } = vscode.l10n;
  const items = visitItems(address);
  for (;;) {
    const picked = await pickItem<VisitItem>({
      frame,
      name: t('visit a page'),
      prompt: message,
      placeholder: t('Enter declines.'),
      items,
      isString: ({ choice }) => choice === undefined,
    });
    if (picked === 'decline') return 'decline';
    if (typeof picked === 'string') return 'cancel';
    if (picked.choice === 'decline') return 'decline';
    if (picked.choice === 'copy') {
      await copyAddresses(address.href);
      tellBriefly(t('Copied the address'), 3000);
    } else if (await openAddress(address)) return 'accept';
  }
}

/**
 * Waits until the user says that they are done on a page for which no server says so. If the question is withdrawn
 * in the meantime, their agreement to go there still counts.
 */
export async function untilVisited(
  server: AskingServer,
  { site }: WebAddress,
  signal: AbortSignal,
): Promise<ElicitResult['action']> {
  const { t } = vscode.l10n;
  const goOn = t('Continue');
  const told = showMessage(
    'info',
    t('Finish on {0} to continue {1}.', addressLabel(site), plainLabel(server.name, 60)),
    goOn,
    t('Cancel'),
  );
  const withdrawn = new Promise<typeof goOn>((resolve) =>
    signal.addEventListener('abort', () => resolve(goOn), { once: true }),
  );
  const pressed = told.then((one) => one?.button);
  return (await Promise.race([pressed, withdrawn])) === goOn ? 'accept' : 'cancel';
}

function visitItems(address: WebAddress): readonly VisitItem[] {
  const { t } = vscode.l10n;
  return [
    separator(t('Site')),
    ...siteRows(address),
    separator(t('Full address')),
    ...wholeRows(address.href),
    separator(t('Your decision')),
    {
      label: t('Open in Browser'),
      iconPath: new vscode.ThemeIcon('link-external'),
      choice: 'open',
    },
    { label: t('Copy Address'), iconPath: new vscode.ThemeIcon('copy'), choice: 'copy' },
    {
      label: t('Decline'),
      iconPath: new vscode.ThemeIcon('circle-slash'),
      choice: 'decline',
      grantsNothing: true,
    },
  ];
}

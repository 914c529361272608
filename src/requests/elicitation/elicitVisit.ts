import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
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
import { toUnicode } from 'punycode.js';
import { isLoopback } from '../../mcp/http/secureUrl';
import { showMessage, tellBriefly } from '../../ui/messages';

/** Something about an address that the user should know. */
type AddressConcern = 'lookAlike' | 'credentials' | 'port' | 'ipAddress' | 'thisMachine';

/** The longest address that is opened, in UTF-16 units: all of it is shown first. */
export const maxAddressLength = 8000;

/** A page that a server wants the user to visit. */
interface WebAddress {
  /** The full address, exactly as it is opened. */
  readonly href: string;
  /** Who is behind the page: the registrable domain, or the host if it has none. */
  readonly site: string;
  /** The host in Unicode, if it contains Punycode. */
  readonly written?: string;
  readonly concerns: readonly AddressConcern[];
}

/**
 * Reads the address of a question in URL mode; `undefined` for one that is never opened: it is neither `https:` nor
 * `http:` on this machine (elicitation, safe URL handling), or it is invalid or too long to read.
 */
export async function readWebAddress(text: string): Promise<WebAddress | undefined> {
  if (text.length > maxAddressLength || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { hostname, href, protocol, port, username, password } = url;
  const local = isLoopback(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && local)) return undefined;
  // Loaded on demand: the list of public suffixes is large.
  const { parse } = await import('tldts');
  const { domain, isIp } = parse(hostname, { allowPrivateDomains: true });
  const isPunycode = hostname.split('.').some((label) => label.startsWith('xn--'));
  return {
    href,
    site: domain ?? hostname,
    ...(isPunycode && { written: toUnicode(hostname) }),
    concerns: [
      ...(isPunycode ? (['lookAlike'] as const) : []),
      ...(username || password ? (['credentials'] as const) : []),
      ...(local ? (['thisMachine'] as const) : []),
      ...(isIp && !local ? (['ipAddress'] as const) : []),
      ...(port && !local ? (['port'] as const) : []),
    ],
  };
}

type VisitItem = PickLook & { readonly choice?: 'open' | 'copy' | 'decline' };

/** At most this many characters of an address fit into a row of the pick beside its heading. */
const rowLength = 60;

/** Reads the address of a question; for one that is never opened, warns the user and throws a `RequestRefused`. */
export async function readAddress(
  server: AskingServer,
  { url }: ElicitRequest & { readonly mode: 'url' },
): Promise<WebAddress> {
  const address = await readWebAddress(url);
  if (address) return address;
  const { t } = vscode.l10n;
  const [name, shown] = [plainLabel(server.name, 60), plainLabel(url, 200)];
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
      await vscode.env.clipboard.writeText(address.href);
      tellBriefly(t('Copied the address'), 3000);
    } else if (await openAddress(address.href)) return 'accept';
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
    t('Finish on {0} to continue {1}.', plainLabel(site), plainLabel(server.name, 60)),
    goOn,
    t('Cancel'),
  );
  const withdrawn = new Promise<typeof goOn>((resolve) =>
    signal.addEventListener('abort', () => resolve(goOn), { once: true }),
  );
  const pressed = told.then((one) => one?.button);
  return (await Promise.race([pressed, withdrawn])) === goOn ? 'accept' : 'cancel';
}

function visitItems({ href, site, written, concerns }: WebAddress): readonly VisitItem[] {
  const { t } = vscode.l10n;
  const rows: string[] = [];
  for (let at = 0; at < href.length; at += rowLength) rows.push(href.slice(at, at + rowLength));
  return [
    separator(t('Site')),
    {
      label: plainLabel(site),
      iconPath: new vscode.ThemeIcon('globe'),
      ...(written !== undefined && { description: t('looks like {0}', plainLabel(written)) }),
    },
    ...concerns.map((concern) => ({
      label: concernText(concern),
      iconPath: new vscode.ThemeIcon('warning'),
    })),
    separator(t('Full address')),
    ...rows.map((row) => ({ label: plainLabel(row) })),
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

function concernText(concern: AddressConcern): string {
  const { t } = vscode.l10n;
  switch (concern) {
    case 'lookAlike':
      return t('The domain contains look-alike characters');
    case 'credentials':
      return t('The text before @ is not the site');
    case 'port':
      return t('The page uses an unusual port');
    case 'ipAddress':
      return t('The address is an IP address');
    case 'thisMachine':
      return t('The page is served by a program on this machine');
  }
}

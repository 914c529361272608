import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { AskingServer } from '../../mcp/protocol/clientRequests';
import { pickItem } from '../../ui/steps/pickItem';
import type { StepFrame } from '../../ui/steps/stepFrame';
import type { BudgetLimits } from './hourBudget';
import type { SamplingMode } from './permissions';
import type { PickLook } from '../../ui/rows/picks';

/** What the user lets a server do: only this request, after a review, or a mode that is remembered. */
export type Consent = 'once' | SamplingMode;

type ConsentItem = PickLook & { readonly consent?: Consent };

/** Asks whether a server may use a language model at all; `undefined` grants nothing. */
export async function askConsent(
  server: AskingServer,
  frame: StepFrame,
  limits: BudgetLimits,
): Promise<Consent | undefined> {
  const { t } = vscode.l10n;
  const name = plainLabel(server.name, 60);
  const items: readonly ConsentItem[] = [
    {
      label: t('Review This Request'),
      description: t('nothing is sent before you have seen it'),
      iconPath: new vscode.ThemeIcon('eye'),
      consent: 'once',
    },
    { label: t('Not Now'), iconPath: new vscode.ThemeIcon('circle-slash'), grantsNothing: true },
    {
      label: t('remember for "{0}"', name),
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...(['ask', 'requests', 'budget', 'never'] as const).map((consent) => ({
      ...modeLabel(consent, limits),
      consent,
    })),
  ];
  const picked = await pickItem({
    frame,
    name: t('use of a language model'),
    prompt: t('"{0}" asks for a language model to answer a request.', name),
    placeholder: t('Enter grants nothing.'),
    items,
  });
  return typeof picked === 'string' ? undefined : picked.consent;
}

/** Returns the texts of a row that says what a remembered mode means. */
export function modeLabel(
  mode: SamplingMode,
  { requests, tokens }: BudgetLimits,
): Pick<PickLook, 'label' | 'description' | 'iconPath'> {
  const { t } = vscode.l10n;
  switch (mode) {
    case 'ask':
      return {
        label: t('Always Review Requests and Answers'),
        iconPath: new vscode.ThemeIcon('comment-discussion'),
      };
    case 'requests':
      return {
        label: t('Review Requests Only'),
        description: t('answers are returned immediately'),
        iconPath: new vscode.ThemeIcon('comment'),
      };
    case 'budget':
      return {
        label: t('Allow a Budget'),
        description: t(
          '{0} requests and {1} tokens an hour, without review',
          requests.toLocaleString(vscode.env.language),
          tokens.toLocaleString(vscode.env.language),
        ),
        iconPath: new vscode.ThemeIcon('dashboard'),
      };
    case 'never':
      return { label: t('Never'), iconPath: new vscode.ThemeIcon('error') };
  }
}

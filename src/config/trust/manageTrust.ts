import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { Inputs } from '../launch/inputs';
import type { TrustStore } from './trustStore';

/** Shows every trusted launch configuration; true when the person withdrew some. */
export async function manageTrust(store: TrustStore): Promise<boolean> {
  const decisions = await store.readAll();
  if (decisions.length === 0) {
    await vscode.window.showInformationMessage(
      vscode.l10n.t('No launch configuration was trusted yet.'),
    );
    return false;
  }
  const items = decisions.map((decision) => ({
    label: plainLabel(decision.serverName),
    description: `${plainLabel(decision.place)} · ${new Date(decision.decidedAt).toLocaleString()}`,
    detail: plainLabel(decision.text, 1000),
    picked: true,
    decision,
  }));
  const kept = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Trusted Launch Configurations'),
    placeHolder: vscode.l10n.t('Uncheck those that shall be asked about again'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!kept) return false;
  const withdrawn = items.filter((item) => !kept.includes(item));
  await Promise.all(withdrawn.map(({ decision }) => store.remove(decision)));
  return withdrawn.length > 0;
}

/** Shows which inputs have a stored value and forgets those that the person checks. */
export async function clearInputs(inputs: Inputs): Promise<void> {
  const stored = await inputs.stored();
  if (stored.length === 0) {
    await vscode.window.showInformationMessage(vscode.l10n.t('No value of an input is stored.'));
    return;
  }
  const items = stored.map(({ key, id, place }) => ({
    label: plainLabel(id),
    description: plainLabel(place),
    key,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Clear Stored Inputs'),
    placeHolder: vscode.l10n.t('Check those that shall be asked for again'),
    canPickMany: true,
    matchOnDescription: true,
  });
  for (const { key } of chosen ?? []) await inputs.delete(key);
}

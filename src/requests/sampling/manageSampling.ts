import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { Server, Servers } from '../../mcp/server';
import { askOwn, noServer } from '../../ui/questions/askOwn';
import type { Questions } from '../../ui/questions/questions';
import type { QuestionContext, UserAction } from '../../ui/questions/question';
import { pickItem } from '../../ui/steps/pickItem';
import {
  type SamplingPermission,
  type SamplingPermissions,
  modeLabel,
  samplingModes,
} from './permissions';
import type { BudgetLimits, HourBudget } from './hourBudget';

/** What is needed to manage how servers may use language models. */
export interface ManageSamplingDeps {
  readonly servers: Servers;
  readonly questions: Pick<Questions, 'ask'>;
  readonly permissions: SamplingPermissions;
  readonly budget: HourBudget;
  readonly limits: () => BudgetLimits;
}

/** Shows how each server may use language models and has used them, and lets the user change what it may. */
export async function manageSampling(
  action: UserAction,
  deps: ManageSamplingDeps,
  chosen?: Server,
): Promise<void> {
  const what = vscode.l10n.t('manage language models');
  const about = { server: chosen ?? noServer, what, asked: action };
  await askOwn(deps.questions, about, (context) => manage(action, deps, context, chosen));
}

async function manage(
  action: UserAction,
  deps: ManageSamplingDeps,
  context: QuestionContext,
  chosen?: Server,
): Promise<void> {
  const { permissions, limits } = deps;
  for (;;) {
    const server = chosen ?? (await pickServer(action, deps, context));
    if (!server) return;
    const now = await permissions.find(server);
    const { t } = vscode.l10n;
    const items = [
      ...samplingModes.map((mode) => ({ ...modeLabel(mode, limits()), mode })),
      {
        label: t('Reset'),
        description: t('clears your saved choice'),
        iconPath: new vscode.ThemeIcon('discard'),
        mode: undefined,
      },
    ];
    const title = t('Language models for {0}', plainLabel(server.name, 60));
    const picked = await pickItem({
      frame: { title, actions: [], context },
      items,
      canGoBack: chosen === undefined,
      own: { action, active: ({ mode }) => mode === now?.mode },
    });
    if (picked === 'back') continue;
    if (typeof picked === 'string') return;
    const { mode } = picked;
    await permissions.set(
      server,
      mode && { mode, ...(now?.model !== undefined && { model: now.model }) },
    );
    if (chosen) return;
  }
}

async function pickServer(
  action: UserAction,
  deps: ManageSamplingDeps,
  context: QuestionContext,
): Promise<Server | undefined> {
  const { servers, permissions, budget, limits } = deps;
  const items = await Promise.all(
    servers.all.map(async (server) => {
      const { requests, tokens } = budget.spent(await server.launchFingerprint());
      const used = vscode.l10n.t('{0} requests, {1} tokens in the last hour', requests, tokens);
      return {
        label: plainLabel(server.name),
        description: permissionText(await permissions.find(server), limits()),
        ...(requests > 0 && { detail: used }),
        server,
      };
    }),
  );
  const title = vscode.l10n.t('Language models for servers');
  const picked = await pickItem({
    frame: { title, actions: [], context },
    items,
    own: { action },
  });
  return typeof picked === 'string' ? undefined : picked.server;
}

function permissionText(permission: SamplingPermission | undefined, limits: BudgetLimits): string {
  if (!permission) return vscode.l10n.t('not decided, you will be asked');
  return modeLabel(permission.mode, limits).label;
}

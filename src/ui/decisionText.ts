import * as vscode from 'vscode';
import { listText } from '../base/translate';
import {
  type ApprovalScope,
  checkOrigin,
  type Decider,
  type Decision,
  type Duration,
  type Withdrawal,
} from '../contracts/questionOutcome';

/** How each duration of an approval is offered, headed, and said in a phrase. */
export const durationTexts: Readonly<
  Record<Duration, Readonly<Record<'allow' | 'heading' | 'phrase', () => string>>>
> = {
  session: {
    allow: () => vscode.l10n.t('Allow for This Session'),
    heading: () => vscode.l10n.t('For this session'),
    phrase: () => vscode.l10n.t('for this session'),
  },
  workspace: {
    allow: () => vscode.l10n.t('Allow in This Workspace'),
    heading: () => vscode.l10n.t('In this workspace'),
    phrase: () => vscode.l10n.t('in this workspace'),
  },
  always: {
    allow: () => vscode.l10n.t('Always Allow'),
    heading: () => vscode.l10n.t('Always'),
    phrase: () => vscode.l10n.t('always'),
  },
};

/** Says in a few words what was decided and by whom. */
export function decisionText({ verdict, decidedBy }: Decision): string {
  const { t } = vscode.l10n;
  if (decidedBy.kind === 'nobody') return deciderText(decidedBy);
  const by = deciderText(decidedBy);
  if (verdict !== 'allowed') return t('denied by {0}', by);
  const approved = decidedBy.kind === 'user' ? decidedBy.approved : undefined;
  return approved ? t('allowed by {0}, {1}', by, scopeText(approved)) : t('allowed by {0}', by);
}

/** Says in a few words who decided. */
export function deciderText(decidedBy: Decider): string {
  const { t } = vscode.l10n;
  switch (decidedBy.kind) {
    case 'user':
      return t('you');
    case 'approval': {
      const { givenAt, duration, coverage } = decidedBy;
      if (!givenAt || !duration || !coverage) return t('an approval');
      const when = new Date(givenAt).toLocaleString(vscode.env.language);
      return t('your approval of {0} ({1})', when, scopeText({ duration, coverage }));
    }
    case 'rule':
      return t('the setting {0}', decidedBy.setting);
    case 'administrator':
      return t('the rules of your administrator');
    case 'configuration':
      return t('the configuration of the server');
    case 'savedCalls': {
      const { file } = decidedBy;
      const name = file === checkOrigin ? t('the check') : file.slice(file.lastIndexOf('/') + 1);
      return t('your approval of {0}', name);
    }
    case 'schema':
      return t('the input schema of the tool');
    case 'permission':
      return decidedBy.mode === 'budget'
        ? t('the budget that you allowed the server')
        : t('your “Never” for the server');
    case 'client':
      return t('MCP Workbench');
    case 'nobody':
      return t('withdrawn: {0}', withdrawalText(decidedBy.because));
  }
}

/** Says, as a clause, why a question ended without an answer. */
export function withdrawalText(because: Withdrawal): string {
  const { t } = vscode.l10n;
  switch (because) {
    case 'cancelled':
      return t('it was cancelled');
    case 'serverStopped':
      return t('the server stopped');
    case 'windowClosed':
      return t('the window was closed');
    case 'deadline':
      return t('nobody answered in time');
    case 'paused':
      return t('the server asked too much at once');
  }
}

function scopeText({ duration, coverage }: ApprovalScope): string {
  const { t } = vscode.l10n;
  const what = {
    tool: t('this tool'),
    arguments: t('this tool with these arguments'),
    server: t('all tools of this server'),
  }[coverage];
  return listText([what, durationTexts[duration].phrase()], t);
}

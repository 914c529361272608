import * as vscode from 'vscode';
import type { ApprovalScope, Decider, Decision } from '../contracts/decision';
import type { Withdrawal } from '../contracts/questionOutcome';

/** What was decided and by whom, in a few words. */
export function decisionText({ verdict, decidedBy }: Decision): string {
  const { t } = vscode.l10n;
  if (decidedBy.kind === 'nobody') return t('withdrawn: {0}', withdrawalText(decidedBy.because));
  const by = deciderText(decidedBy);
  return verdict === 'allowed' ? t('allowed by {0}', by) : t('denied by {0}', by);
}

function deciderText(decidedBy: Exclude<Decider, { kind: 'nobody' }>): string {
  const { t } = vscode.l10n;
  switch (decidedBy.kind) {
    case 'user': {
      const { how, approved } = decidedBy;
      const who =
        how === 'key' ? t('you, by key') : how === 'click' ? t('you, by click') : t('you');
      return approved ? `${who}, ${scopeText(approved)}` : who;
    }
    case 'approval': {
      const { givenAt, duration, coverage } = decidedBy;
      if (!givenAt || !duration || !coverage) return t('an approval');
      const when = new Date(givenAt).toLocaleString(vscode.env.language);
      return t('your approval of {0} ({1})', when, scopeText({ duration, coverage }));
    }
    case 'rule':
      return t('the setting {0}', decidedBy.setting);
    case 'schema':
      return t('the input schema of the tool');
  }
}

function withdrawalText(because: Withdrawal): string {
  const { t } = vscode.l10n;
  switch (because) {
    case 'cancelled':
      return t('the call was cancelled');
    case 'serverStopped':
      return t('the server stopped');
    case 'windowClosed':
      return t('the window was closed');
    case 'deadline':
      return t('nobody answered in time');
  }
}

function scopeText({ duration, coverage }: ApprovalScope): string {
  const { t } = vscode.l10n;
  const how = {
    session: t('for this session'),
    workspace: t('in this workspace'),
    always: t('always'),
  }[duration];
  const what = {
    tool: t('this tool'),
    arguments: t('this tool with these arguments'),
    server: t('all tools of this server'),
  }[coverage];
  return `${what}, ${how}`;
}

import * as vscode from 'vscode';
import { jsonText } from '../../base/text/jsonText';
import { coverageLabel } from '../../gate/ask/questionItems';
import type { Approval, Duration } from '../../gate/decide/approval';

/** The server of an allowance and, unless it is for all of them, the tool. */
export function approvalSubject({ server, tool }: Approval): string {
  return tool === undefined ? server.name : `${server.name} › ${tool}`;
}

/** How long an allowance holds, as a heading. */
export function durationLabel(duration: Duration): string {
  switch (duration) {
    case 'session':
      return vscode.l10n.t('For this session');
    case 'workspace':
      return vscode.l10n.t('In this workspace');
    case 'always':
      return vscode.l10n.t('Always');
  }
}

/** For whom an allowance is, since when, and whether it still applies: a sentence or part of one each. */
export function approvalFacts({ app, givenAt, withdrawnAt }: Approval): readonly string[] {
  const { t } = vscode.l10n;
  return [
    ...(app ? [t('For the app {0}', app.uri)] : []),
    t('Given {0}', new Date(givenAt).toLocaleString(vscode.env.language)),
    ...(withdrawnAt === undefined ? [] : [t('no longer applies: what you allowed has changed')]),
  ];
}

/** All that an allowance covers, to be read: it is void once any of that is another. Not cleaned. */
export function approvalText(approval: Approval): string {
  const { t } = vscode.l10n;
  const { coverage, duration, arguments: args, identity } = approval;
  const lines = [
    approvalSubject(approval),
    '',
    t('Covers: {0}', coverageLabel(coverage)),
    durationLabel(duration),
    ...approvalFacts(approval),
    ...part(t('Arguments'), args?.shown),
    '',
    t('It applies as long as these stay the same:'),
    ...part(t('Launch'), identity.launch),
    ...part(t('Instructions'), identity.instructions),
    ...('definition' in identity
      ? part(t('Tool'), identity.definition)
      : part(t('Tools'), Object.keys(identity.tools))),
  ];
  return `${lines.join('\n')}\n`;
}

function part(heading: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  return [
    '',
    vscode.l10n.t('{0}:', heading),
    typeof value === 'string' ? value : jsonText(value, 2),
  ];
}

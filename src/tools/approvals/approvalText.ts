import * as vscode from 'vscode';
import { jsonText } from '../../base/text/jsonText';
import { coverageLabel } from '../../gate/ask/questionItems';
import type { Approval, Duration } from '../../gate/decide/approval';

/** Names the server of an approval and, unless it covers all of them, the tool. */
export function approvalSubject({ server, tool }: Approval): string {
  return tool === undefined ? server.name : `${server.name} › ${tool}`;
}

/** Says how long an approval lasts, as a heading. */
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

/**
 * Says what app an approval is for, when it was given, and whether it still applies, in one phrase or sentence
 * each.
 */
export function approvalFacts({ app, givenAt, withdrawnAt }: Approval): readonly string[] {
  const { t } = vscode.l10n;
  return [
    ...(app ? [t('For the app {0}', app.uri)] : []),
    t('Given {0}', new Date(givenAt).toLocaleString(vscode.env.language)),
    ...(withdrawnAt === undefined ? [] : [t('no longer applies: what you allowed has changed')]),
  ];
}

/** Describes everything that an approval covers, any change to which makes it void; the text is not sanitized. */
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

import { listText, type Translate } from '../../base/translate';
import { listKinds, type ListKind } from '../lists/listSpecs';
import type { Server } from '../server';
import type { ServerState } from '../serverState';
import type { Finding } from './finding';

type RunningState = Extract<ServerState, { readonly kind: 'running' }>;

/** Says what a running server and this client agreed on, and how its lists were loaded. */
export function checkSession(
  server: Server,
  { info, problems }: RunningState,
  t: Translate,
): Finding[] {
  const { implementation, protocolVersion, capabilities } = info;
  const names = Object.keys(capabilities);
  return [
    {
      verdict: 'good',
      title: implementation
        ? t('Running: {0} {1}', implementation.name, implementation.version)
        : t('Running'),
    },
    { verdict: 'good', title: t('Protocol revision {0}', protocolVersion) },
    {
      verdict: names.length > 0 ? 'good' : 'note',
      title: names.length > 0 ? t('It offers: {0}', listText(names, t)) : t('It offers nothing'),
      next:
        names.length > 0
          ? undefined
          : t(
              'Check its documentation. It may need an argument or a key before it offers anything.',
            ),
    },
    ...(problems
      ? [
          {
            verdict: 'note' as const,
            title: t('The server violates the protocol'),
            detail: problems.join('\n'),
            next: t("Report it to the server's author."),
          },
        ]
      : []),
    ...listKinds.flatMap((kind) => checkList(server, kind, t)),
  ];
}

function checkList(server: Server, kind: ListKind, t: Translate): Finding[] {
  const { error, problems, items, status } = server[kind];
  if (error !== undefined)
    return [
      {
        verdict: 'bad',
        title: t('The list of {0} failed', kind),
        detail: error,
        next: t("The server's log may say more. Restart the server to load the list again."),
      },
    ];
  if (problems.length > 0)
    return [
      {
        verdict: 'note',
        title: t('Entries in {0}: {1}, with problems', kind, String(items.length)),
        detail: problems.join('\n'),
        next: t(
          "What violates the protocol was left out, or read as said. Report it to the server's author.",
        ),
      },
    ];
  return status === 'empty'
    ? []
    : [{ verdict: 'good', title: t('Entries in {0}: {1}', kind, String(items.length)) }];
}

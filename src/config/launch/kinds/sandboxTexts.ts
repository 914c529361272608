import type { Translate } from '../../../base/translate';
import type { Confinement, StdioServerConfig } from '../../../mcp/serverConfig';

const fetching = /^(?:npx|bunx|pnpx|uvx|pipx|dnx|docker|podman)$/;

/** Returns the heading above a command line. */
export function lineTitle(confinement: Confinement | undefined, t: Translate): string {
  return confinement ? t('Command line, confined by {0}', confinement.tool) : t('Command line');
}

/** Describes what a confined process can do, line by line; `undefined` if it is not confined. */
export function confinementText(
  confinement: Confinement | undefined,
  t: Translate,
): string | undefined {
  if (!confinement) return undefined;
  const { writable, hidden, hasNetwork } = confinement;
  return [
    writable.length > 0
      ? t('Writes only in {0}', writable.join(', '))
      : t('Writes no files but temporary ones'),
    ...(hidden.length > 0 ? [t('Cannot read {0}', hidden.join(', '))] : []),
    hasNetwork
      ? t('Can use the network and services of this machine')
      : t('Cannot use the network'),
  ].join('\n');
}

/** Returns warnings about what a sandbox cannot enforce here, or about what keeps the program from working in it. */
export function sandboxWarnings(
  { sandbox, confinement }: StdioServerConfig,
  program: string,
  t: Translate,
): readonly string[] {
  if (!sandbox) return [];
  if (!confinement)
    return [
      t(
        'Its configuration wants it confined to a sandbox. Here it runs unconfined, with all your rights.',
      ),
    ];
  const { unkept, letsCreate, hasNetwork, writable } = confinement;
  return [
    ...(writable.length > 0
      ? [t('Other programs may run or follow what it writes, such as scripts and build files.')]
      : []),
    ...(letsCreate
      ? [
          t(
            'It can create what does not exist yet, such as a Git repository in a new folder: {0} cannot prevent that.',
            confinement.tool,
          ),
        ]
      : []),
    ...(unkept.length > 0
      ? [
          t(
            'Part of its sandbox cannot be kept here, so it runs without it: {0}.',
            unkept.join('; '),
          ),
        ]
      : []),
    ...(!hasNetwork && fetching.test(program)
      ? [
          t(
            '{0} can fetch nothing in its sandbox: without "network.allowedDomains" that has no network.',
            program,
          ),
        ]
      : []),
  ];
}

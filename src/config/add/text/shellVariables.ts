import { placeKinds } from '../../launch/variables';
import type { JsonRecord } from '../../../base/json';

/** The ways that READMEs refer to the shell's current folder; PowerShell accepts lower case, too. */
const presentFolder = /(?<!\\)(?:\$\(pwd\)|`pwd`|\$\{PWD\}|\$PWD(?!\w))/gi;

/** The variables of shells, including PowerShell. */
const ofShell = /(?<!\\)\$(?:(?:env:)?([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/gi;

/** Replaces shell variables in part of a command line with ours, as no shell runs it here. */
export function withOurVariables(text: string): string {
  return withWorkspaceFolder(text).replaceAll(
    ofShell,
    (mark: string, plain: string | undefined, braced: string | undefined) => {
      const name = plain ?? braced ?? '';
      if (name === 'HOME') return '${userHome}';
      return placeKinds.includes(name) ? mark : `\${env:${name}}`;
    },
  );
}

/** Replaces `~` at the start of an unquoted word, or of a value it assigns, with our variable for the home folder. */
export function withUserHome(text: string): string {
  return text.replace(/^((?:[A-Za-z_]\w*=)?)~(?=\/)/, '$1$${userHome}');
}

/** Replaces the shell's current folder in a server's `args` and `cwd`, as no shell ever sees its JSON. */
export function inWorkspaceFolder(server: JsonRecord): JsonRecord {
  const { args, cwd } = server;
  return {
    ...server,
    ...(Array.isArray(args) && { args: args.map(replaced) }),
    ...(cwd !== undefined && { cwd: replaced(cwd) }),
  };
}

function replaced(value: unknown): unknown {
  return typeof value === 'string' ? withWorkspaceFolder(value) : value;
}

function withWorkspaceFolder(text: string): string {
  return text.replaceAll(presentFolder, '$${workspaceFolder}');
}

import { placeKinds } from '../../launch/variables';
import type { McpJsonServer } from '../importedServer';

/** How a README has a shell name the folder that it is in; PowerShell takes small letters, too. */
const presentFolder = /(?<!\\)(?:\$\(pwd\)|`pwd`|\$\{PWD\}|\$PWD(?!\w))/gi;

/** Those of PowerShell, too. */
const ofShell = /(?<!\\)\$(?:(?:env:)?([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/gi;

/** A text of a command line with our variables in place of a shell's: no shell runs it here. */
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

/** The beginning of a word without quotes, or of the value that it gives a variable, where that is the home folder. */
export function withUserHome(text: string): string {
  return text.replace(/^((?:[A-Za-z_]\w*=)?)~(?=\/)/, '$1$${userHome}');
}

/** A server whose JSON leaves its folder to a shell that never sees it. */
export function inWorkspaceFolder(server: McpJsonServer): McpJsonServer {
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

import type { Inheritance } from '../../serverConfig';
import { thisSystem, type System } from '../system';
import { absoluteFolders } from './searchFolders';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that programs need to be found and to reach the network. */
const safe = new Set(
  [
    // Where things are.
    ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'TMPDIR', 'TMP', 'TEMP'],
    ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
    // The same on Windows.
    ['APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'SYSTEMROOT'],
    ['SYSTEMDRIVE', 'USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'COMSPEC', 'PATHEXT'],
    ['PROCESSOR_ARCHITECTURE', 'WINDIR'],
    // Language and time.
    ['LANG', 'LANGUAGE', 'TZ'],
    // The way to the network.
    ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'NODE_EXTRA_CA_CERTS'],
    ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ].flat(),
);

/** Without this no program of Windows starts. */
const vital = 'SYSTEMROOT';

/** Handles and tokens of the editor, and what lets a program ask it for passwords. */
const editors =
  /^(?:VSCODE|ELECTRON|CODE_SERVER|CHROME|MCP_WORKBENCH)_|^(?:(?:GIT|SSH)_ASKPASS|APPLICATION_?INSIGHTS\w*|ORIGINAL_XDG_CURRENT_DESKTOP|NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE)$/;

/** Keeps Windows from looking for programs in the working directory before all other folders. */
const notInWorkingDirectory = 'NoDefaultCurrentDirectoryInExePath';

/**
 * Builds the environment of a server process from ours and what its configuration adds or removes.
 * What it inherits has no program looked for in its working directory.
 */
export function serverEnvironment(
  own: Variables,
  configured: Readonly<Record<string, string | null>>,
  inheritance: Inheritance = 'safe',
  system: System = thisSystem(),
): Record<string, string> {
  const isWindows = system === 'win32';
  const environment: Record<string, string> = isWindows ? { [notInWorkingDirectory]: '1' } : {};
  for (const [name, value] of Object.entries(own)) {
    // A value that begins with `()` is a shell function: a way to run code in a shell that reads it.
    if (value === undefined || value.startsWith('()')) continue;
    const key = name.toUpperCase();
    if (!isInherited(key, inheritance)) continue;
    const isPath = isWindows ? key === 'PATH' : name === 'PATH';
    environment[name] = isPath ? absoluteFolders(value, system).join(isWindows ? ';' : ':') : value;
  }
  for (const [name, value] of Object.entries(configured)) {
    for (const other of isWindows ? namesLike(name, environment) : [name])
      delete environment[other];
    if (value !== null) environment[name] = value;
  }
  return environment;
}

function namesLike(name: string, environment: Variables): string[] {
  const key = name.toUpperCase();
  return Object.keys(environment).filter((other) => other.toUpperCase() === key);
}

function isInherited(key: string, inheritance: Inheritance): boolean {
  switch (inheritance) {
    case 'none':
      return key === vital;
    case 'safe':
      return safe.has(key) || key.startsWith('LC_');
    case 'all':
      return !editors.test(key);
  }
}

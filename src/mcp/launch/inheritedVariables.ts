import type { Inheritance } from '../serverConfig';

/** The variables that programs need to find things and to reach the network. */
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
    // Network access.
    ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'NODE_EXTRA_CA_CERTS'],
    ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ].flat(),
);

/**
 * True for a variable that holds folders in which others are looked for: without one of them, a program finds what it
 * needs in those that are left, or where it would look without the variable.
 */
export function holdsFolders(name: string): boolean {
  return /^(?:PATH|XDG_(?:DATA|CONFIG)_DIRS|XDG_(?:CONFIG|DATA|STATE|CACHE)_HOME)$/i.test(name);
}

/** The variable without which no program starts on Windows. */
const vital = 'SYSTEMROOT';

/** The editor's handles and tokens, and what lets a program ask it for passwords. */
const editors =
  /^(?:VSCODE|ELECTRON|CODE_SERVER|CHROME|MCP_WORKBENCH)_|^(?:(?:GIT|SSH)_ASKPASS|APPLICATION_?INSIGHTS\w*|ORIGINAL_XDG_CURRENT_DESKTOP|NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE)$/;

/** True if a process inherits a variable from ours; `key` is its name in upper case. */
export function isInherited(key: string, inheritance: Inheritance): boolean {
  switch (inheritance) {
    case 'none':
      return key === vital;
    case 'safe':
      return safe.has(key) || key.startsWith('LC_');
    case 'all':
      return !editors.test(key);
  }
}

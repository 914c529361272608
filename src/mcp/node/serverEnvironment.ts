/**
 * The variables that a server inherits: what programs need to be found and to reach the network,
 * and nothing of the editor's own.
 */
const inherited = new Set(
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

/** Builds the environment of a server process from ours and what its configuration adds or removes. */
export function serverEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  configured: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    const key = name.toUpperCase();
    // A value that begins with `()` is a shell function: a way to run code in a shell that reads it.
    if (value === undefined || value.startsWith('()')) continue;
    if (inherited.has(key) || key.startsWith('LC_')) environment[name] = value;
  }
  for (const [name, value] of Object.entries(configured)) {
    if (value === null) delete environment[name];
    else environment[name] = value;
  }
  return environment;
}

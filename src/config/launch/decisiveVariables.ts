import { looksSecret } from '../../base/secrets';
import { inEnglish, listText, type Translate } from '../../base/translate';

/** Variables that can make something run other than what a launch names, and what to know about them. */
interface DecisiveKind {
  readonly names: RegExp;
  /** What to know, with the names filled in. */
  readonly warning: (names: string, t: Translate) => string;
  /** True if some of the names are for tokens, which decide nothing, and addresses may contain a password. */
  readonly hasSecrets?: boolean;
}

/** A variable belongs to the first kind that matches its name. */
const kinds: readonly DecisiveKind[] = [
  {
    // Their names suggest secrets, but their values are paths, commands and names of programs.
    names: words([
      String.raw`\w*ASKPASS(?:_REQUIRE)?|\w+_PASSWORD_COMMAND|\w+_PASSCOMMAND`,
      String.raw`\w+_(?:PASSWORD|PASSPHRASE|TOKEN|SECRET|CREDENTIALS)_FILE`,
      String.raw`CARGO_\w*CREDENTIAL_PROVIDERS?|NUGET_CREDENTIALPROVIDERS_PATH|NPM_CONFIG_.*:TOKENHELPER`,
    ]),
    warning: (names, t) => t('{0} decides which program or file a password comes from.', names),
  },
  {
    names: words([
      String.raw`NODE_(?:OPTIONS|PATH|REPL_EXTERNAL_MODULE|V8_COVERAGE|COMPILE_CACHE)|BUN_OPTIONS|ELECTRON_(?!RUN_AS_NODE$)\w+`,
      String.raw`LD_\w+|DYLD_\w+|GCONV_PATH|GLIBC_TUNABLES`,
      String.raw`PYTHON\w+|RUBY\w+|BUNDLE_\w+|GEM_\w+|PERL\w+|LUA_\w+|R_\w+|PHPRC|PHP_INI_SCAN_DIR`,
      String.raw`_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|JAVA_HOME|CLASSPATH|MAVEN_\w+|GRADLE_\w+`,
      String.raw`DOTNET_\w+|COR_\w+|CORECLR_\w+|COMPLUS_\w+`,
      String.raw`BASH_ENV|BASH_FUNC_\w+%*|ENV|ZDOTDIR|SHELLOPTS|PS4|PROMPT_COMMAND|IFS|PSMODULEPATH`,
      String.raw`GIT_(?:SSH|SSH_COMMAND|EXEC_PATH|PAGER|TEMPLATE_DIR|EXTERNAL_DIFF|PROXY_COMMAND|CONFIG\w*|DIR)`,
      String.raw`VISUAL|PAGER|BROWSER|LESSOPEN|LESSCLOSE|VIMINIT|EXINIT|OPENSSL_(?:CONF|MODULES|ENGINES)`,
      String.raw`\w*EDITOR|SVN_SSH|(?:RSYNC|CVS)_RSH|CC|CXX|P11_KIT_MODULE`,
      String.raw`KUBECONFIG|HELM_PLUGINS|AWS_CONFIG_FILE|CLOUDSDK_(?:CONFIG|PYTHON\w*)|ANSIBLE_(?:CONFIG|LIBRARY|\w+_PLUGINS)`,
      String.raw`TF_CLI_CONFIG_FILE|TS_NODE_\w+|TSX_\w+|\w+_(?:EXECUTABLE|BINARY)_PATH|MAKEFLAGS|JAVA_OPTS`,
      String.raw`JULIA_(?:LOAD_PATH|DEPOT_PATH|PROJECT)|IPYTHONDIR|JUPYTER_(?:CONFIG_)?(?:PATH|DIR)|ERL_(?:LIBS|\w*FLAGS)`,
      String.raw`GTK_(?:MODULES|PATH)|GIO_(?:EXTRA_MODULES|MODULE_DIR)|QT_PLUGIN_PATH|GST_PLUGIN_\w+`,
    ]),
    warning: (names, t) => t('{0} can load other code than the program named.', names),
  },
  {
    names: words(['ELECTRON_RUN_AS_NODE']),
    warning: (names, t) =>
      t(
        '{0} makes a program such as the editor run the JavaScript file that is named after it.',
        names,
      ),
  },
  {
    names: words([
      String.raw`NPM_CONFIG_.*|YARN_\w+|PNPM_\w+|COREPACK_\w+|BUN_CONFIG_\w+|BUN_INSTALL\w*|DENO_\w+`,
      String.raw`UV_\w+|PIP_\w+|PIPX_\w+|POETRY_\w+|CONDA_\w+|VIRTUAL_ENV`,
      String.raw`(?:ASDF|MISE|RTX|PROTO|NVM|FNM|VOLTA|SDKMAN|HOMEBREW|NIX)_\w+|(?:PY|RB|NOD|GO|J)ENV_\w+|N_PREFIX`,
      String.raw`CARGO_\w+|RUSTUP_\w+|RUSTC\w*|GO(?:PROXY|FLAGS|PATH|ROOT|BIN|SUMDB|NOSUMDB|PRIVATE|TOOLCHAIN)|NUGET_\w+|DOCKER_\w+`,
    ]),
    warning: (names, t) => t('{0} can install or run another package than the one named.', names),
    hasSecrets: true,
  },
  {
    names: words([
      String.raw`PATH|PATHEXT|COMSPEC|SHELL|SYSTEMROOT|WINDIR|NODEFAULTCURRENTDIRECTORYINEXEPATH`,
      String.raw`HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES.*`,
      String.raw`XDG_\w+|TMPDIR|TMP|TEMP|PWD|\w+_CONFIG_(?:DIR|HOME)|AZURE_EXTENSION_DIR|HELM_\w+_(?:HOME|CONFIG)`,
      String.raw`CODEX_HOME|COPILOT_HOME|KREW_ROOT|GNUPGHOME|NETRC|CURL_HOME|WGETRC|BOTO_CONFIG`,
    ]),
    warning: (names, t) =>
      t('{0} decides where programs and their settings are looked for.', names),
  },
  {
    names: words([
      String.raw`(?:HTTPS?|ALL|NO|FTP)_PROXY|NODE_(?:EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)`,
      String.raw`SSL_CERT_(?:FILE|DIR)|SSLKEYLOGFILE|AWS_ENDPOINT_URL\w*|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE`,
    ]),
    warning: (names, t) =>
      t('{0} decides who can read and change what it sends over the network.', names),
    hasSecrets: true,
  },
];

function words(patterns: readonly string[]): RegExp {
  // Windows and npm ignore the case of names.
  return new RegExp(`^(?:${patterns.join('|')})$`, 'i');
}

/** True for variables that decide what runs: their values are always shown, whatever they look like. */
export function isDecisive(name: string): boolean {
  const kind = kindOfVariable(name);
  return kind !== undefined && !(kind.hasSecrets && looksSecret(name));
}

/**
 * Names of what leads somewhere, and the short ones of tools: where that is a workspace, it decides what the programs that
 * know the variable find.
 */
const leading =
  /(?:HOME|DIR|ROOT|(?<!^MAN|^INFO)PATH|FLAGS|MODULES?|PREFIX|RUNTIME|_(?:CONFIG|FILE(?:NAME)?S?|CACHE|LIBRARY))$|^[A-Z]\w{1,2}$/i;

/** True for an inherited variable that nothing of a workspace may be named by; where the editor was started decides nothing. */
export function isDecisivePlace(name: string): boolean {
  return (isDecisive(name) || leading.test(name)) && !/^PWD$/i.test(name);
}

/** True for variables that say where a program connects to, by their name or by the address that is their value. */
export function namesAddress(name: string, value: string | null): boolean {
  const byName =
    /(?:UR[IL]S?|HOSTS?|HOST_?(?:NAME|ADDR)|ENDPOINTS?|SERVERS?|_(?:ADDR(?:ESS)?|DOMAIN|ORIGIN|PROXY|SITE|GATEWAY))$/i;
  return (
    byName.test(name) || /:\/\/|^(?:[a-z][\w.-]*|\d+(?:\.\d+){3}):\d+(?:[/,]|$)/i.test(value ?? '')
  );
}

/** True for variables that decide what runs and contain no password, not even in an address. */
export function isShownWhole(name: string): boolean {
  const kind = kindOfVariable(name);
  return kind !== undefined && !kind.hasSecrets;
}

/** Returns a sentence for each kind of variable that decides what runs, naming all variables of that kind. */
export function decisiveWarnings(names: readonly string[], t: Translate = inEnglish): string[] {
  return kinds.flatMap((kind) => {
    const found = names.filter((name) => kindOfVariable(name) === kind);
    return found.length > 0 ? [kind.warning(listText(found, t), t)] : [];
  });
}

function kindOfVariable(name: string): DecisiveKind | undefined {
  return kinds.find(({ names }) => names.test(name));
}

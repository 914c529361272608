/** Names that version control reads configuration, hooks and commands from: wherever one is, a repository is. */
export const repositoryNames: readonly string[] = ['.git', '.hg', '.jj', '.sl', '.pijul'];

/** Names that editors and agents read configuration from, most of which can name a command. */
export const configurationNames: readonly string[] = [
  '.vscode .vs .idea .zed .fleet .devcontainer .devcontainer.json .cursor .windsurf .codeium .roo .cline',
  '.continue .trae .kiro .mcp.json .github .copilot .claude .claude-plugin .plugin .agents .codex .gemini',
  '.goose .amazonq .junie .opencode .husky .githooks .kilocode .qwen .factory .augment .tabnine .amp .crush',
  '.qoder .codebuddy .agent .aiassistant .theia .helix .nova .clinerules .openhands .pi .grok .vibe .iflow .mux',
].flatMap((names) => names.split(' '));

/** Names that are configuration where they exist, but that a process may make where they are missing. */
const whereTheyAre = [
  '.claude.json opencode.json opencode.jsonc .gitmodules .gitconfig .config .ssh .gnupg .zshenv .yarnrc.yml',
  '.gdbinit .lldbinit .renviron .cargo .mvn .vim .nvim.lua .lazy.lua .emacs .emacs.d .dir-locals.el .crush.json',
  'crush.json .aider.conf.yml _darcs .pre-commit-config.yaml .overcommit.yml .local-overcommit.yml .bash_aliases',
  '.xsession .tmux.conf .emacs.el .emacs.elc .dir-locals-2.el .gdbearlyinit .perldb .rdbgrc.rb .pdbrc.py .rdata',
  'irb.rc .ghci .iex.exs .ocamlinit',
].flatMap((names) => names.split(' '));

const guardedNames = new Set([...repositoryNames, ...configurationNames, ...whereTheyAre]);

/** True for a name that is guarded wherever it exists; names differ in more than their case. */
export function isGuardedName(name: string): boolean {
  return (
    guardedNames.has(name.toLowerCase()) ||
    /\.code-workspace$|^[._]\w{2,}rc$|^\.\w*(?:profile|log(?:in|out))$|^\.lldbinit-|^\.?lefthook(?:-local)?\.(?:ya?ml|toml|jsonc?)$/i.test(
      name,
    )
  );
}

/** The files in which a program for version control finds what to run. */
interface RepositoryFiles {
  /** In the repository itself. */
  readonly own: readonly string[];
  /** Those of the user: `~` is the home folder, `+` that of settings. */
  readonly ofUser: readonly string[];
  /** The file that says which other repository this one shares, and what decides in that. */
  readonly pointer?: string;
  readonly shared?: readonly string[];
}

/** These files of each program, by the name of its repository. */
export const repositoryFiles: Readonly<Record<string, RepositoryFiles>> & {
  readonly '.git': RepositoryFiles;
} = {
  '.git': {
    own: ['config', 'config.worktree'],
    ofUser: ['~/.gitconfig', '+/git/config', '/etc/gitconfig'],
  },
  '.hg': {
    own: ['hgrc', 'hgrc-not-shared'],
    ofUser: ['~/.hgrc', '+/hg/hgrc', '/etc/mercurial/hgrc'],
    pointer: 'sharedpath',
    shared: ['hgrc'],
  },
  '.sl': {
    own: ['config'],
    ofUser: ['+/sapling/sapling.conf', '/etc/sapling/system.rc'],
    pointer: 'sharedpath',
    shared: ['config'],
  },
  '.jj': {
    own: ['repo/config.toml', 'workspace-config.toml'],
    ofUser: ['~/.jjconfig.toml', '+/jj/config.toml'],
    pointer: 'repo',
    shared: ['config.toml'],
  },
  '.pijul': { own: ['config'], ofUser: ['+/pijul/config.toml'] },
};

/**
 * Reads the entries of a file of configuration as Git and programs like it write them: a key with its sign, and a value.
 * A line without a sign goes on with the value before it in those that are not Git's, and has no key.
 */
export function gitEntries(text: string): readonly (readonly [key: string, value: string])[] {
  return text
    .replaceAll(/\\\r?\n/g, '')
    .split('\n')
    .map((line) => {
      const [, key = '', written = ''] =
        /^\s*(%include(?=\s)|[^\s=#;]+\s*=)?(.*)/.exec(line.replace(headings, '')) ?? [];
      return [key, configValue(written)];
    });
}

/** The headings of sections that an entry of Git's configuration may stand beside. */
const headings = /^(?:\s*\[[^\]"]*(?:"(?:[^"\\]|\\.)*"\s*)?\])+/;

/** Returns a value of Git's configuration without quotes, escapes and what is said about it after a `#` or `;`. */
function configValue(written: string): string {
  let value = '';
  let isQuoted = false;
  for (const [part] of written.matchAll(/\\.|[^]/g)) {
    if (part === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (part === '#' || part === ';')) break;
    else value += part.length > 1 ? part.slice(1) : part;
  }
  return value.trim();
}

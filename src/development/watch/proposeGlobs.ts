/** The names of source files and of scripts that programs are launched from. */
const code = /\.(?:[cm]?[jt]sx?|py|rb|go|rs|php|cs|java|kt|swift|lua|pl|ex|exs)$/i;

/** Folders of build output. */
const madeFolders = /^(?:dist|build|out|target)$/;

/** Folders of build output or of source. */
const eitherFolders = /^(?:lib|bin)$/;

/**
 * Proposes globs for what a server most likely runs, judging by its command line, the likeliest first: its source, or
 * else its build output, because a restart before the build would run the old code.
 */
export function proposeGlobs(
  parts: readonly string[],
  folder: string | undefined,
): readonly string[] {
  const scripts = parts
    .map((part) => relative(part, folder))
    .filter((path) => path !== undefined && code.test(path)) as string[];
  const modules = parts.flatMap((part, index) => {
    const [first] = (parts[index - 1] === '-m' ? part : '').split('.');
    return first ? [`${first}/**/*.py`] : [];
  });
  return [...new Set([...scripts.flatMap(ofScript), ...modules, 'src/**'])];
}

function ofScript(path: string): readonly string[] {
  const steps = path.split('/');
  const at = steps.findIndex((step) => madeFolders.test(step) || eitherFolders.test(step));
  const [extension = ''] = code.exec(path) ?? [];
  if (at >= 0) {
    const made = steps.slice(0, at + 1).join('/');
    const source = [...steps.slice(0, at), 'src/**'].join('/');
    return madeFolders.test(steps[at] ?? '') ? [`${made}/**`, source] : [source, `${made}/**`];
  }
  const parent = steps.slice(0, -1);
  // Watching everything in the workspace would be too much.
  return parent.length === 0 ? [path, `*${extension}`] : [`${parent.join('/')}/**`, path];
}

/** Returns a path relative to a folder; `undefined` if it is elsewhere. */
function relative(path: string, folder: string | undefined): string | undefined {
  let rest = path.replaceAll('\\', '/').replace(/^\$\{workspaceFolder\}\//, '');
  const base = folder?.replaceAll('\\', '/').replace(/\/$/, '');
  if (base !== undefined && rest.startsWith(`${base}/`)) rest = rest.slice(base.length + 1);
  rest = rest.replace(/^(?:\.\/)+/, '');
  return /^(?:\/|[a-z]:\/|\.\.\/|-)/i.test(rest) || rest.includes('${') ? undefined : rest;
}

import { readdir, readFile, rmdir } from 'node:fs/promises';

/**
 * The empty folders that bubblewrap leaves where a name was kept free. They go when the last process that needs one
 * has ended: what removes one before takes it from all sandboxes, and the name is free for them.
 */
export class FreeNames {
  private readonly users = new Map<string, number>();

  /** Tells that a process is about to run for which these names are kept free; returns what to call at its end. */
  use(paths: readonly string[]): () => Promise<void> {
    for (const path of paths) this.users.set(path, (this.users.get(path) ?? 0) + 1);
    let released: Promise<void> | undefined;
    return () => (released ??= this.release(paths));
  }

  private async release(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.users.set(path, (this.users.get(path) ?? 0) - 1);
    if (paths.every((path) => this.isUsed(path))) return;
    const mounted = await mountedFolders();
    for (const path of paths) {
      if (this.isUsed(path)) continue;
      this.users.delete(path);
      // One that was filled meanwhile is the user's and stays; so does one that a sandbox of another window has.
      if (!mounted.has(path)) await rmdir(path).catch(() => undefined);
    }
  }

  private isUsed(path: string): boolean {
    return (this.users.get(path) ?? 0) > 0;
  }
}

/** Returns every folder that something is mounted on in the view of any process. */
async function mountedFolders(): Promise<ReadonlySet<string>> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // Those of one view have the same table: each different one is read once.
  const tables = new Set<string>();
  for (const pid of processes)
    tables.add(await readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => ''));
  const found = new Set<string>();
  for (const table of tables)
    for (const line of table.split('\n')) {
      const path = line.split(' ')[4];
      if (path !== undefined) found.add(path.replaceAll(/\\(\d{3})/g, octal));
    }
  return found;
}

function octal(_escape: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 8));
}

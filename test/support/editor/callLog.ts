import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditRecord } from '../../../src/audit/auditLog';
import { userFolder } from './editorData';
import { wholeLines } from '../wholeLines';

/** Reads the log of calls and of servers' requests that the extension kept in an editor's data folder. */
export async function readCallLog(data: string): Promise<readonly AuditRecord[]> {
  const user = userFolder(data);
  const all = await readdir(user, { recursive: true });
  const files = all.filter((path) => /[\\/](audit|requests)\.jsonl$/.test(path));
  const texts = await Promise.all(files.map((path) => readFile(join(user, path), 'utf8')));
  return texts.flatMap(wholeLines).map((line) => JSON.parse(line) as AuditRecord);
}

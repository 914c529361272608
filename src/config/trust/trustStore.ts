import * as vscode from 'vscode';
import { isRecord } from '../../base/json';
import type { PrivateFiles } from '../../mcp/platform';
import { maxOwnBytes, readFileInUtf8 } from '../../ui/documents/readTextFile';

/** A launch configuration that a user trusted. */
export interface TrustDecision {
  readonly fingerprint: string;
  readonly serverName: string;
  readonly place: string;
  /** The launch as it was shown then, to show later differences. */
  readonly text: string;
  /** Epoch ms. */
  readonly decidedAt: number;
}

/** Keeps decisions in one file each, so that none is lost when several windows share a profile. */
export class TrustStore {
  private readonly folder: vscode.Uri;
  private readonly files: PrivateFiles;

  constructor(folder: vscode.Uri, files: PrivateFiles) {
    this.folder = folder;
    this.files = files;
  }

  /** Reads the decision for a fingerprint, if there is one. */
  async read(fingerprint: string): Promise<TrustDecision | undefined> {
    try {
      const text = await readFileInUtf8(this.file(fingerprint), maxOwnBytes);
      const decision: unknown = JSON.parse(text);
      return isDecision(decision) ? decision : undefined;
    } catch {
      // No file or a broken one: the user is asked again.
      return undefined;
    }
  }

  /** Reads all decisions, the newest first. */
  async readAll(): Promise<TrustDecision[]> {
    await this.files.makeFolder(this.folder);
    const files = await vscode.workspace.fs.readDirectory(this.folder);
    const decisions = await Promise.all(
      files.map(([name]) => this.read(name.replace(/\.json$/, ''))),
    );
    return decisions
      .flatMap((decision) => decision ?? [])
      .toSorted((a, b) => b.decidedAt - a.decidedAt);
  }

  async add(decision: TrustDecision): Promise<void> {
    const text = JSON.stringify(decision, undefined, 2);
    await this.files.makeFolder(this.folder);
    await this.files.write(this.file(decision.fingerprint), text);
  }

  async remove({ fingerprint }: TrustDecision): Promise<void> {
    await vscode.workspace.fs.delete(this.file(fingerprint));
  }

  private file(fingerprint: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder, `${fingerprint}.json`);
  }
}

function isDecision(value: unknown): value is TrustDecision {
  return isRecord(value) && 'fingerprint' in value && 'text' in value;
}

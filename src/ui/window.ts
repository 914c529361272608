import type { ExtensionContext } from 'vscode';
import type { Platform } from '../mcp/platform';
import type { DocumentInput } from './documents/documentInput';
import type { MemoryFiles } from './documents/memoryFiles';
import type { WorkspaceWriter } from './files/workspaceWriter';
import type { Logs } from './logs';
import type { Questions } from './questions/questions';
import type { AskFilter } from './rows/filterBox';
import type { Walkthrough } from './walkthrough';

/** What every feature stands on in this window: the machine, the logs, and the ways to ask and to show. */
export interface WorkbenchWindow {
  readonly context: ExtensionContext;
  readonly platform: Platform;
  readonly logs: Logs;
  readonly questions: Questions;
  /** The documents in which questions are answered. */
  readonly input: DocumentInput;
  /** The documents that are shown. */
  readonly files: MemoryFiles;
  readonly writer: WorkspaceWriter;
  readonly askFilter: AskFilter;
  readonly walkthrough: Pick<Walkthrough, 'done'>;
}

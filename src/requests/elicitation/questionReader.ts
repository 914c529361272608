import * as vscode from 'vscode';
import { plainLabel } from '../../base/text';
import type { AskingServer, ElicitRequest } from '../../mcp/clientRequests';
import type { DocumentInput } from '../../ui/documentInput';
import { questionText } from './questionText';

/** Makes what shows a whole question in an editor, beside its steps; `signal` closes it with the question. */
export function createQuestionReader(
  { name }: AskingServer,
  request: ElicitRequest,
  signal: AbortSignal,
  input: DocumentInput,
): () => void {
  const { t } = vscode.l10n;
  let shown = new AbortController();
  return () => {
    // Wanted again, it comes to the front.
    shown.abort();
    shown = new AbortController();
    void input.ask({
      name: `${plainLabel(name, 60)}.txt`,
      text: questionText(name, request, t),
      readOnly: true,
      choices: [{ id: 'close', title: t('Close') }],
      signal: AbortSignal.any([signal, shown.signal]),
    });
  };
}

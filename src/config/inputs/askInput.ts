import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { AskingServer } from '../../mcp/protocol/clientRequests';
import type { QuestionContext } from '../../ui/questions/question';
import { askLine } from '../../ui/steps/askLine';
import { pickRow } from '../../ui/steps/pickRows';
import type { InputDefinition } from './inputDefinitions';

/** Asks for the value of an input, starting with the one that it `had`; `undefined` if the user dismissed it. */
export async function askInput(
  input: InputDefinition,
  server: Pick<AskingServer, 'name'>,
  context: QuestionContext,
  had?: string,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const name = plainLabel(server.name);
  // The description below says what it is for; the id, which an import may have made up, says less.
  const title = input.description?.trim()
    ? t('{0} needs a value', name)
    : t('{0} needs a value: {1}', name, plainLabel(input.id));
  const frame = { title, actions: [], context };
  const prompt = plainLabel(input.description ?? '', 500);
  if (input.type === 'promptString') {
    const { password } = input;
    if (password && had !== undefined) {
      const placeholder = t('Leave this empty to keep the present value');
      const value = await askLine({ frame, prompt, password, placeholder });
      return value === '' ? had : value;
    }
    const value = had ?? input.default;
    return askLine({
      frame,
      prompt,
      password,
      ...(value !== undefined && { value }),
      // A server starts even with an empty value, so that is confirmed, unless the user deleted a default.
      ...((password || input.default === undefined) && {
        whenEmpty: t('Enter a value, or press Enter again to leave it empty.'),
      }),
    });
  }
  const first = had ?? input.default;
  const mark = had === undefined ? t('default') : t('present value');
  const items = input.options
    .map(({ label, value }) => ({
      // The value is shown after the label, whatever the label says.
      label: plainLabel(label, 60),
      description: [
        ...(label === value ? [] : [plainLabel(value)]),
        ...(value === first ? [mark] : []),
      ].join(' · '),
      value,
    }))
    .toSorted((a, b) => Number(b.value === first) - Number(a.value === first));
  return (await pickRow({ frame, prompt, items }))?.value;
}

import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { askOwn, noServer } from '../../ui/questions/askOwn';
import { checkRows } from '../../ui/steps/pickRows';
import { chooseConfigured, type Asker } from '../chooseConfigured';
import type { Configuration } from '../configuration';
import type { LocatedDefinition } from '../mergeLayers';
import { askInput, readInput } from './askInput';
import { inputsIn } from '../add/importedServer';
import type { InputValues } from './inputValues';
import { showMessage } from '../../ui/messages';

/**
 * Returns the server whose values the user wants to change: that of the row that the command got, or else one chosen
 * from those that use inputs; `undefined` if there is none or the user dismissed the list.
 */
export async function chooseWithInputs(
  target: unknown,
  configuration: Configuration,
  asker: Asker,
): Promise<LocatedDefinition | undefined> {
  const { t } = vscode.l10n;
  await configuration.ready;
  const { servers } = configuration.current;
  const using = servers.filter(({ definition }) => inputsIn(definition.config).length > 0);
  if (target === undefined && servers.length > 0 && using.length === 0) {
    await showMessage('info', t('No server in use has inputs.'));
    return undefined;
  }
  return chooseConfigured(target, configuration, t('Change Inputs'), asker, () => using);
}

/**
 * Asks for the value of each input that a server uses, starting with the stored one, and stores them all at the end;
 * false if the user dismissed a question. Rejects with a `UserError` if an input is not defined or none is used.
 */
export async function changeInputs(
  { definition, layer }: LocatedDefinition,
  inputs: InputValues,
  { action, questions }: Asker,
): Promise<boolean> {
  const { t } = vscode.l10n;
  const name = plainLabel(definition.name);
  const used = inputsIn(definition.config).map((id) => {
    const found = readInput(layer.inputs, id, t);
    if ('problem' in found) throw new UserError(found.problem);
    return found.input;
  });
  if (used.length === 0) throw new UserError(t('"{0}" uses no inputs.', name));
  const what = t('change the values that {0} uses', name);
  const own = { server: definition, what, asked: action };
  const given = await askOwn(questions, own, async (context) => {
    const values = new Map<string, string>();
    for (const input of used) {
      const had = await inputs.known(layer, input.id);
      const value = await askInput(input, definition, context, had);
      if (value === undefined) return undefined;
      // What stays as it is was entered for the launches that it is kept for.
      if (value !== had) values.set(input.id, value);
    }
    return values;
  });
  if (!given) return false;
  for (const [id, value] of given) await inputs.store(layer, id, value, [definition.config]);
  return true;
}

/** Shows which inputs have a stored value, and deletes the values that the user checks. */
export async function clearInputs(
  inputs: InputValues,
  { action, questions }: Asker,
): Promise<void> {
  const stored = await inputs.stored();
  if (stored.length === 0) {
    await showMessage('info', vscode.l10n.t('No input values are stored.'));
    return;
  }
  const items = stored.map(({ key, id, place }) => ({
    label: plainLabel(id),
    description: plainLabel(place),
    key,
  }));
  const title = vscode.l10n.t('Clear Inputs');
  const chosen = await askOwn(
    questions,
    { server: noServer, what: title, asked: action },
    (context) =>
      checkRows({
        frame: { title, actions: [], context },
        placeholder: vscode.l10n.t('Select the inputs to ask for again'),
        items,
      }),
  );
  for (const { key } of chosen ?? []) await inputs.delete(key);
}

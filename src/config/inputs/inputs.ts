import * as vscode from 'vscode';
import { createLimiter } from '../../base/async';
import { CancelledError, UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import type { AskingServer } from '../../mcp/protocol/clientRequests';
import type { Logs } from '../../ui/logs';
import type { Questions } from '../../ui/questions/questions';
import { askInput } from './askInput';
import { readInput, type InputDefinition } from './inputDefinitions';
import { isWorthHiding } from '../launch/kinds/hiddenValues';
import { sourceKey, type ConfigPlace } from '../sourceKey';
import type { Reading } from '../reading';
import type { AskedStarts } from '../askedStarts';

const prefix = 'input:';

/** The values of `${input:…}`, asked for once and kept only in secret storage. */
export class Inputs {
  private readonly secrets: vscode.SecretStorage;
  private readonly logs: Logs;
  private readonly oneAtATime = createLimiter(1);

  private readonly questions: Questions;
  private readonly asked: AskedStarts;

  constructor(secrets: vscode.SecretStorage, logs: Logs, questions: Questions, asked: AskedStarts) {
    this.questions = questions;
    this.asked = asked;
    this.secrets = secrets;
    this.logs = logs;
  }

  /** Returns or asks for the value of an input of `reading`; rejects with a `CancelledError` if none is given. */
  async read(
    reading: Reading,
    id: string,
    server: AskingServer,
    signal: AbortSignal,
  ): Promise<string> {
    const value = await this.readOrAsk(reading, id, server, signal);
    const found = readInput(reading.inputs, id, vscode.l10n.t);
    const isPassword = 'input' in found && 'password' in found.input && found.input.password;
    if (isPassword || isWorthHiding(id, value)) this.logs.hide([value]);
    return value;
  }

  private async readOrAsk(
    reading: Reading,
    id: string,
    server: AskingServer,
    signal: AbortSignal,
  ): Promise<string> {
    const key = keyOf(reading, id);
    // What is stored does not wait for what another server is asked for.
    const stored = await this.secrets.get(key);
    if (stored !== undefined) return stored;
    return this.oneAtATime(async () => {
      // Two servers that need the same value ask for it once.
      const known = await this.secrets.get(key);
      if (known !== undefined) return known;
      const found = readInput(reading.inputs, id, vscode.l10n.t);
      if ('problem' in found) throw new UserError(found.problem);
      const answer = this.ask(found.input, server, signal);
      const value = await this.asked.during(server.id, answer);
      if (value === undefined) throw new CancelledError();
      await this.secrets.store(key, value);
      return value;
    }, signal);
  }

  private async ask(
    input: InputDefinition,
    server: AskingServer,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const what = vscode.l10n.t('enter a value for {0}', plainLabel(input.id));
    const outcome = await this.questions.ask(
      {
        cause: { kind: 'input', server, what, asked: false },
        ask: (stage) => askInput(input, server, stage),
      },
      signal,
    );
    return outcome.kind === 'answered' ? outcome.answer : undefined;
  }

  /** The value of an input of `place`, if it was given before. */
  async known(place: ConfigPlace, id: string): Promise<string | undefined> {
    return this.secrets.get(keyOf(place, id));
  }

  /** Stores the value of an input of `place`, so that the user is not asked for it. */
  async store(place: ConfigPlace, id: string, value: string): Promise<void> {
    await this.secrets.store(keyOf(place, id), value);
  }

  /** Removes the value of an input of `place`. */
  async forget(place: ConfigPlace, id: string): Promise<void> {
    await this.secrets.delete(keyOf(place, id));
  }

  /** Lists what is stored: the id of each input and the place it belongs to. */
  async stored(): Promise<{ readonly key: string; readonly id: string; readonly place: string }[]> {
    const keys = await this.secrets.keys();
    return keys
      .filter((key) => key.startsWith(prefix))
      .map((key) => {
        const [place = '', id = ''] = JSON.parse(key.slice(prefix.length)) as string[];
        return { key, id, place };
      });
  }

  /** Returns the ids of the inputs of `place` that have a stored value. */
  async idsAt(place: ConfigPlace): Promise<ReadonlySet<string>> {
    const stored = await this.stored();
    return new Set(stored.filter(({ key, id }) => key === keyOf(place, id)).map(({ id }) => id));
  }

  async delete(key: string): Promise<void> {
    await this.secrets.delete(key);
  }
}

function keyOf(place: ConfigPlace, id: string): string {
  return prefix + JSON.stringify([sourceKey(place), id]);
}

import * as vscode from 'vscode';
import { createLimiter } from '../../base/async';
import { CancelledError, UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import type { Logs } from '../../ui/logs';
import type { Questions } from '../../ui/questions/questions';
import { type InputDefinition, askInput, readInput } from './askInput';
import { isWorthHiding } from '../launch/launchValues';
import type { LocatedDefinition } from '../mergeLayers';
import type { InputUser, InputValues } from './inputValues';
import type { WhileAsking } from '../../mcp/connection/connectionDeps';

/** Gives servers the values of `${input:…}`, each asked for once. */
export class Inputs {
  private readonly values: InputValues;
  private readonly logs: Logs;
  private readonly oneAtATime = createLimiter(1);

  private readonly questions: Questions;

  constructor(values: InputValues, logs: Logs, questions: Questions) {
    this.questions = questions;
    this.values = values;
    this.logs = logs;
  }

  /**
   * Returns or asks for the value of an input that a server uses; rejects with a `CancelledError` if none is given, and
   * with a `UserError` if it was given for other launches and the user has not agreed to this one.
   */
  async read(
    server: LocatedDefinition & Pick<InputUser, 'launched'>,
    id: string,
    signal: AbortSignal,
    whileAsking: WhileAsking,
  ): Promise<string> {
    const value = await this.readOrAsk(server, id, signal, whileAsking);
    const found = readInput(server.layer.inputs, id, vscode.l10n.t);
    const isPassword = 'input' in found && 'password' in found.input && found.input.password;
    if (isPassword || isWorthHiding(id, value)) this.logs.hide([value]);
    return value;
  }

  private async readOrAsk(
    server: LocatedDefinition & Pick<InputUser, 'launched'>,
    id: string,
    signal: AbortSignal,
    whileAsking: WhileAsking,
  ): Promise<string> {
    const { definition, layer } = server;
    // What is stored does not wait for what another server is asked for.
    const stored = await this.storedFor(server, id);
    if (stored !== undefined) return stored;
    return this.oneAtATime(async () => {
      // Two servers that need the same value ask for it once.
      const known = await this.storedFor(server, id);
      if (known !== undefined) return known;
      const found = readInput(layer.inputs, id, vscode.l10n.t);
      if ('problem' in found) throw new UserError(found.problem);
      const value = await whileAsking(this.ask(found.input, definition, signal));
      if (value === undefined) throw new CancelledError();
      await this.values.store(layer, id, value, [definition.config], server.launched);
      return value;
    }, signal);
  }

  /** The start has asked about what is stored; only what was stored since could still be for others alone. */
  private async storedFor(server: InputUser, id: string): Promise<string | undefined> {
    const strange = await this.values.strangeTo(server, true, [id]);
    if (strange.length === 0) return this.values.known(server.layer, id);
    throw new UserError((t) =>
      t(
        'The value of "{0}" was entered for another launch meanwhile. Start the server again to decide about it.',
        plainLabel(id, 40),
      ),
    );
  }

  private async ask(
    input: InputDefinition,
    server: LocatedDefinition['definition'],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const what = vscode.l10n.t('enter a value for {0}', plainLabel(input.id));
    const outcome = await this.questions.ask(
      {
        info: { kind: 'input', server, what },
        ask: (context) => askInput(input, server, context),
      },
      signal,
    );
    return outcome.kind === 'answered' ? outcome.answer : undefined;
  }
}

import * as vscode from 'vscode';
import { plainLabel } from '../base/text/text';
import type { AskingServer } from '../mcp/protocol/serverRequests';
import type { DocumentChoice } from '../ui/documents/choiceCommands';
import { readingParts } from '../ui/documents/wholeText';
import type { QueuePlace, QuestionContext, UserAction } from '../ui/questions/question';
import type { StepAction, StepFrame } from '../ui/steps/stepFrame';

/**
 * Makes the frame around every step of a server's question: who asks, how many questions wait, how to decline, and,
 * with `showWhole`, how to read all of it.
 */
export function questionFrame(
  server: AskingServer,
  context: QuestionContext,
  showWhole?: (action: UserAction) => Promise<void>,
): StepFrame {
  const { place } = context;
  const reading = showWhole && readingParts(showWhole);
  return {
    ...(reading && { more: reading.more }),
    get title() {
      const { waiting } = place;
      const asks = vscode.l10n.t('{0} asks', plainLabel(server.name, 60));
      return waiting > 1 ? vscode.l10n.t('{0} (1 of {1})', asks, waiting) : asks;
    },
    get actions() {
      const decline: StepAction = {
        icon: new vscode.ThemeIcon('circle-slash'),
        label: vscode.l10n.t('Decline'),
        ends: 'decline',
        isKept: true,
      };
      const declineAll: StepAction = {
        icon: new vscode.ThemeIcon('clear-all'),
        label: declineAllLabel(server, place),
        run: () => place.declineAll(),
        isKept: true,
      };
      return [
        ...(reading?.actions ?? []),
        decline,
        ...(place.waitingOfServer > 1 ? [declineAll] : []),
      ];
    },
    onDidChange: place.onDidChange,
    context,
  };
}

/** Returns the choice above a document that declines all questions of the server, or nothing unless several wait. */
export function declineAllChoices(
  server: AskingServer,
  place: QueuePlace,
): readonly DocumentChoice[] {
  if (place.waitingOfServer <= 1) return [];
  return [
    {
      id: 'declineAll',
      title: `$(clear-all) ${declineAllLabel(server, place)}`,
      act: () => place.declineAll(),
    },
  ];
}

function declineAllLabel({ name }: AskingServer, { waitingOfServer }: QueuePlace): string {
  return vscode.l10n.t('Decline All {0} from {1}', waitingOfServer, plainLabel(name, 60));
}

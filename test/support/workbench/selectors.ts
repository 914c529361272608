import { chosenVersion, type EditorChoice } from '../editor/editor';

/** Selectors of the parts of the page that the versions of the editor draw in different ways. */
interface Selectors {
  /** In the chat view: the button that sends the message. */
  readonly send: string;
  /** In the chat view: the button with the selected model, in versions that show it in a narrow view. */
  readonly model?: string;
  /** In a response of the chat view: what appears once it is complete. */
  readonly completed: string;
}

const newest: Selectors = {
  send: '.chat-submit-button .action-label',
  model: '.model-picker-item',
  completed: '.chat-footer-details[aria-label^="Completed"]',
};
const older: Selectors = {
  send: '.chat-execute-toolbar .action-label.codicon-arrow-up',
  // The button that asks again.
  completed: '.chat-footer-toolbar .codicon-refresh',
};

const byVersion: Record<EditorChoice, Selectors> = {
  '4.110.0': older,
  '4.117.0': older,
  '4.139.1': newest,
  windows: older,
};

/** The selectors for the version that tests run in. */
export const selectors = byVersion[chosenVersion()];

import { parentPort } from 'node:worker_threads';
import { evaluate, lookUp } from '../../schema/evaluate';
import type { PathAnswer, PathTask, SchemaTask, ValidationResult } from '../../schema/validation';

declare const self: {
  onmessage: ((event: { readonly data: SchemaTask | PathTask }) => void) | null;
  postMessage(message: 'ready' | ValidationResult | PathAnswer): void;
};

const answer = async (task: SchemaTask | PathTask) =>
  'path' in task ? lookUp(task) : evaluate(task);

/*
 * The thread, or the worker of a page, in which everything runs that others wrote and that may not end, schemas and JSON
 * paths: a separate file.
 */
if (parentPort) {
  const port = parentPort;
  port.on('message', (task: SchemaTask | PathTask) => {
    void answer(task).then((found) => port.postMessage(found));
  });
  port.postMessage('ready');
} else {
  self.onmessage = ({ data }) => {
    void answer(data).then((found) => self.postMessage(found));
  };
  self.postMessage('ready');
}

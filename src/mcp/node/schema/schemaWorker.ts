import { parentPort } from 'node:worker_threads';
import { evaluate } from '../../schema/evaluate';
import type { SchemaTask, SchemaVerdict } from '../../schema/verdict';

declare const self: {
  onmessage: ((event: { readonly data: SchemaTask }) => void) | null;
  postMessage(message: 'ready' | SchemaVerdict): void;
};

/* The thread, or the worker of a page, that checks values against schemas: a separate file. */
if (parentPort) {
  const port = parentPort;
  port.on('message', (task: SchemaTask) => {
    void evaluate(task).then((verdict) => port.postMessage(verdict));
  });
  port.postMessage('ready');
} else {
  self.onmessage = ({ data }) => {
    void evaluate(data).then((verdict) => self.postMessage(verdict));
  };
  self.postMessage('ready');
}

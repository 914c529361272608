import { parentPort } from 'node:worker_threads';
import { evaluate } from '../../schema/evaluate';
import type { SchemaTask } from '../../schema/verdict';

/* The thread that checks values against schemas: a file of its own, see {@link SchemaThread}. */
parentPort?.on('message', (task: SchemaTask) => {
  void evaluate(task).then((verdict) => parentPort?.postMessage(verdict));
});
parentPort?.postMessage('ready');

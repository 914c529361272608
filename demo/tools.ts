import type { Client } from './client';
import { numberOf, textOf, type Params } from './params';
import { notebookUri, type Notebook } from './resources';

interface Surroundings {
  readonly notebook: Notebook;
  readonly client: Client;
}

/** An action of this server. */
interface Tool {
  readonly definition: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly inputSchema: object;
    readonly outputSchema?: object;
    readonly annotations: object;
  };
  readonly call: (values: Params, surroundings: Surroundings) => object | Promise<object>;
}

const maxNoteLength = 500;

const text = (said: string) => ({ type: 'text', text: said });

/** All actions of this server. */
export const tools: readonly Tool[] = [
  {
    definition: {
      name: 'roll_dice',
      title: 'Roll Dice',
      description: 'Rolls dice and gives each roll and the total. Changes nothing.',
      inputSchema: {
        type: 'object',
        properties: {
          count: {
            type: 'integer',
            description: 'How many dice',
            minimum: 1,
            maximum: 10,
            default: 1,
          },
          sides: {
            type: 'integer',
            description: 'How many sides each has',
            minimum: 2,
            maximum: 100,
            default: 6,
          },
        },
      },
      outputSchema: {
        type: 'object',
        properties: {
          rolls: { type: 'array', items: { type: 'integer' } },
          total: { type: 'integer' },
        },
        required: ['rolls', 'total'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    call(values) {
      const count = numberOf(values, 'count', { least: 1, most: 10, fallback: 1 });
      const sides = numberOf(values, 'sides', { least: 2, most: 100, fallback: 6 });
      const rolls = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * sides));
      const total = rolls.reduce((sum, roll) => sum + roll, 0);
      const said = `Rolled ${rolls.join(', ')}: ${total} in total.`;
      return { content: [text(said)], structuredContent: { rolls, total } };
    },
  },
  {
    definition: {
      name: 'add_note',
      title: 'Add a Note',
      description: 'Adds a line to the notebook. Open the resource Notebook to see it change.',
      inputSchema: {
        type: 'object',
        properties: {
          text: {
            type: 'string',
            description: 'The note',
            minLength: 1,
            maxLength: maxNoteLength,
          },
        },
        required: ['text'],
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    call(values, { notebook }) {
      const note = textOf(values, 'text').replaceAll(/\s+/g, ' ').trim();
      if (note === '' || note.length > maxNoteLength)
        throw new Error(`A note has 1 to ${maxNoteLength} characters.`);
      notebook.add(note);
      const link = { type: 'resource_link', uri: notebookUri, name: 'notebook.md' };
      return { content: [text('The note was added.'), link] };
    },
  },
  {
    definition: {
      name: 'plan_break',
      title: 'Plan a Break',
      description: 'Asks you two questions while it runs, to show how a server asks.',
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async call(_values, { client }) {
      const { elicitation } = (client.capabilities ?? {}) as Params;
      if (elicitation === undefined) throw new Error('This client does not let servers ask users.');
      const { action, content } = await client.request('elicitation/create', {
        message: 'When would you like a break, and what would you like to do?',
        requestedSchema: {
          type: 'object',
          properties: {
            minutes: {
              type: 'integer',
              title: 'In how many minutes',
              minimum: 5,
              maximum: 120,
              default: 25,
            },
            activity: {
              type: 'string',
              title: 'What to do',
              enum: ['a walk', 'a cup of tea', 'a chat with somebody'],
            },
          },
          required: ['minutes', 'activity'],
        },
      });
      if (action !== 'accept')
        return { content: [text('You did not say, so no break is planned.')] };
      const { minutes, activity } = (content ?? {}) as Params;
      return { content: [text(`Take ${String(activity)} in ${String(minutes)} minutes.`)] };
    },
  },
];

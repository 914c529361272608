import { latestInitialized, modernRevision } from '../../mcp/protocol/revisions';

const base = `https://modelcontextprotocol.io/specification/${latestInitialized}`;

/** What every server should do, why, and how to fix it; worded for authors of servers. */
export const rules = {
  handshake: {
    rule: 'The server answers the handshake as the specification says.',
    clause: `${base}/basic/lifecycle#initialization`,
    why: 'Clients that are less patient than this one refuse such a server.',
    mend: 'Answer initialize with protocolVersion, capabilities and serverInfo, and send nothing else before.',
  },
  lists: {
    rule: 'Every entry of every list is usable.',
    clause: `${base}/server/tools#data-types`,
    why: 'A client leaves such an entry out, or refuses the whole list.',
    mend: 'Give each entry the fields that its type requires.',
  },
  unique: {
    rule: 'No two tools, prompts or templates have one name.',
    clause: `${base}/server/tools#tool-names`,
    why: 'A request names only one of them, and nobody can tell which.',
    mend: 'Rename one of them.',
  },
  cursors: {
    rule: 'Every list ends.',
    clause: `${base}/server/utilities/pagination`,
    why: 'A client that follows nextCursor would never be done.',
    mend: 'Leave nextCursor out on the last page, and never repeat one.',
  },
  names: {
    rule: 'The names of tools are safe for models.',
    clause: `${base}/server/tools#tool-names`,
    why: 'Model providers take letters, digits, _ and -, up to 64; a client has to rename every other tool.',
    mend: 'Use letters, digits, _ and - alone, 64 at most.',
  },
  schemas: {
    rule: 'The schemas of tools are valid JSON Schemas of objects.',
    clause: `${base}/server/tools#data-types`,
    why: 'Model providers refuse a whole request for one schema that they cannot read.',
    mend: 'Write "type": "object" at the top, and correct what does not match the meta-schema.',
  },
  descriptions: {
    rule: 'Every tool has a description.',
    clause: `${base}/server/tools#tool`,
    why: 'A model chooses a tool by what is said about it.',
    mend: 'Say in a sentence what the tool does and when to use it.',
  },
  hidden: {
    rule: 'No text has hidden characters.',
    clause: `${base}/server/tools#security-considerations`,
    why: 'What a reader cannot see, a model still reads: clients take it for an attack.',
    mend: 'Remove the characters; they are shown here by their code.',
  },
  size: {
    rule: 'The definitions of tools leave room for the conversation.',
    clause: `${base}/server/tools`,
    why: 'Every definition goes to the model with every request.',
    mend: 'Shorten descriptions and schemas, or offer fewer tools at once.',
  },
  stable: {
    rule: 'A list is the same when it is read twice.',
    clause: `${base}/server/tools#list-changed-notification`,
    why: 'Clients keep lists until they are told of a change, and ask users again about what changed.',
    mend: 'Keep the order and the texts, and send list_changed when something really changes.',
  },
  unknownTool: {
    rule: 'A call of an unknown tool is answered with an error.',
    clause: `${base}/server/tools#error-handling`,
    why: 'A model that mistakes a name has to hear so.',
    mend: 'Answer with the error -32602 of the protocol.',
  },
  unknownPrompt: {
    rule: 'A request for an unknown prompt is answered with the error -32602.',
    clause: `${base}/server/prompts#error-handling`,
    why: 'A client tells a mistake in a name from a failure by this code.',
    mend: 'Answer with the error -32602 of the protocol.',
  },
  unknownResource: {
    rule: 'A request for an unknown resource is answered with the error -32002.',
    clause: `${base}/server/resources#error-handling`,
    why: 'A client tells what is gone from what failed by this code.',
    mend: `Answer with the error -32002 of the protocol (-32602 as of ${modernRevision}).`,
  },
  declared: {
    rule: 'Every list that the server has declared can be read.',
    clause: `${base}/basic/lifecycle#capability-negotiation`,
    why: 'A client offers what a server declares, and shows a list that stays empty.',
    mend: 'Answer the list, even an empty one, or leave its capability out.',
  },
  templates: {
    rule: 'The templates of resources keep to RFC 6570.',
    clause: `${base}/server/resources#resource-templates`,
    why: 'A client cannot fill in a template that it cannot read.',
    mend: 'Close every brace, and name variables with letters, digits and _ alone.',
  },
  ping: {
    rule: 'A ping is answered.',
    clause: `${base}/basic/utilities/ping#behavior-requirements`,
    why: 'Clients take a server without an answer for lost, and connect again.',
    mend: 'Answer ping with an empty result at any time.',
  },
  subscribe: {
    rule: 'A resource can be subscribed to where the server says so.',
    clause: `${base}/server/resources#subscriptions`,
    why: 'A client shows a resource as kept current that is not.',
    mend: 'Take resources/subscribe for every listed resource, or leave "subscribe" out.',
  },
  completions: {
    rule: 'Completions are as the specification says.',
    clause: `${base}/server/utilities/completion#response-requirements`,
    why: 'A client shows no suggestions, or fails where the user is typing.',
    mend: 'Answer with "values", a list of at most 100 texts; "total" and "hasMore" may be beside it.',
  },
  content: {
    rule: 'Every result of a tool has content.',
    clause: `${base}/server/tools#tool-result`,
    why: 'Clients and models read the content; many refuse a result without.',
    mend: 'Return "content", an empty list if there is nothing to say.',
  },
  structured: {
    rule: 'Structured content matches the output schema.',
    clause: `${base}/server/tools#output-schema`,
    why: 'Clients check it, and refuse a result that does not match.',
    mend: 'Correct the schema, or what the tool returns.',
  },
  unknownMethod: {
    rule: 'A request of an unknown method is answered with the error -32601.',
    clause: `${base}/basic#responses`,
    why: 'Clients find out by it what a server can do.',
    mend: 'Answer with the error -32601 of JSON-RPC.',
  },
  notification: {
    rule: 'A notification is not answered.',
    clause: `${base}/basic#notifications`,
    why: 'A client takes such an answer for one to a request, or for a broken message.',
    mend: 'Answer only messages that have an id, also where the method is unknown.',
  },
  cancel: {
    rule: 'The server goes on after a request was cancelled.',
    clause: `${base}/basic/utilities/cancellation`,
    why: 'Users cancel calls all the time.',
    mend: 'Take notifications/cancelled for any request, also one that is answered already.',
  },
  stdout: {
    rule: 'Nothing but messages is on stdout.',
    clause: `${base}/basic/transports#stdio`,
    why: 'Many clients end the connection at the first line that is no message.',
    mend: 'Write logs to stderr: console.error in Node, print(..., file=sys.stderr) in Python.',
  },
  exit: {
    rule: 'The server and all that it started end when stdin ends.',
    clause: `${base}/basic/lifecycle#shutdown`,
    why: 'A client that crashes cannot send a signal: what does not end by itself runs for ever.',
    mend: "End the process on the end of stdin: process.stdin.on('end', () => process.exit(0)).",
  },
} as const;

/** The id of one of the {@link rules}. */
export type RuleId = keyof typeof rules;

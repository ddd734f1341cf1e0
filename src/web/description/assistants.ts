import { free, type HttpOperation } from './operation.ts';

/** Where assistants that speak the Model Context Protocol come in; only where the config has `mcp.tokens`. */
export const assistantDoors: readonly HttpOperation[] = [
  {
    method: 'post',
    path: '/mcp',
    tag: 'Assistants',
    summary: 'A message of the Model Context Protocol, over Streamable HTTP without sessions',
    says: 'Only with `mcp.tokens` in the config (mcp.md). Its tools look; what they change takes the id of a plan shown before.',
    access: 'bearer',
    takes: { type: 'application/json', says: 'A JSON-RPC message of the protocol; up to 256 KB.' },
    answers: {
      200: free('The answer, or a stream of events that ends with it.'),
      202: { says: 'Taken; nothing is to be answered.' },
      400: free('It is not JSON, nested deeper than 200 levels, or no message of the protocol.'),
      401: free('No token of the config.'),
      403: free('Another host than `publicUrl`, or a page of another site.'),
      405: free('Neither POST nor what the protocol asks with.'),
      413: free('It is too long.'),
      503: free('Too many bodies are being read at once; `Retry-After` says when to ask again.'),
    },
  },
];

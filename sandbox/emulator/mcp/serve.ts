import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { allOperations } from '../operations/all.ts';
import { type Connection, callTool } from './call-tool.ts';
import { toTool } from './tools.ts';

/** Serves one request of the protocol; there are no sessions. */
export async function serve(connection: Connection, message: unknown, req: Request, res: Response) {
  const handler = createMcpHandler(() => openServer(connection));
  await toNodeHandler(handler)(req, res, message);
}

// The low-level server: what is wrong with the arguments is said by the service's own rules, in its own words.
function openServer(connection: Connection): McpServer {
  const operations = new Map(allOperations(connection.world).map((one) => [one.id, one]));
  const mcp = new McpServer(
    { name: 'facturapuente-sandbox', version: '1.0.0' },
    { capabilities: { tools: {} }, instructions },
  );
  mcp.server.setRequestHandler('tools/list', () => ({
    tools: [...operations.values()].map((operation) => toTool(operation, connection.production)),
  }));
  mcp.server.setRequestHandler('tools/call', ({ params }) => {
    const operation = operations.get(params.name);
    if (operation) return callTool(connection, operation, params.arguments ?? {});
    const text = `No existe la herramienta ${params.name}.`;
    return { isError: true, content: [{ type: 'text', text }] };
  });
  return mcp;
}

const instructions =
  'Un servicio ecuatoriano de comprobantes electrónicos, de prueba: nada llega al SRI. La fecha de emisión es la de ' +
  'hoy en Ecuador, con formato AAAA/MM/DD. Tras emitir, consulte el estado con consultar_comprobante.';
